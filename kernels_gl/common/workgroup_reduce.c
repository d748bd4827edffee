/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup_reduce.c - see workgroup_reduce.h */
#include "kernels_gl/common/workgroup_reduce.h"

#include "kernels_gl/common/split_k.h"

/* Fewest steps that pay for a workgroup, though not for parts, if few vectors leave most of a device idle: estimated, not measured
 * on hardware. */
#define LONG (4 * REDUCE_LANES)
#define FEW  1024

/* Measured on llvmpipe (bench/RESULTS.md), where a workgroup is the work of one thread, and a barrier dear; lanes that read one
 * behind the other make up for both, however long the loop is. */
#define LONG_ON_CPU 4096
#define FEW_ON_CPU  4

/* Most steps for which a workgroup is the shorter way: estimated, not measured on hardware. With parts the longest chain is the
 * root of the steps, twice; here it is a lane's share of them. Beyond, one workgroup uses too little of a large device. */
#define MOST (4 * REDUCE_LANES * REDUCE_LANES)

bool workgroup_reduce_fits(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim)
{
    /* Lanes lie as the extents of blocks say, among which the batch may be. */
    return split_k_fits(steps) && !lim->policy.any_batch && op->out->shape.w <= INT32_MAX / REDUCE_LANES;
}

bool workgroup_reduce_pays(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim)
{
    const uint64_t n = ir_vectors(op->out->shape);

    if (lim->policy.software)
        return steps >= LONG_ON_CPU && n <= FEW_ON_CPU;
    return steps <= MOST && (split_k_pays(steps, 0, n, lim) || (steps >= LONG && n <= FEW));
}

uint64_t workgroup_reduce_iterations(void)
{
    return GL_PASSES(6); /* REDUCE_LANES halved */
}

void workgroup_reduce_emit(struct gl_shader *p, const struct ir_op *op, const char *text, uint32_t bytes)
{
    const struct ir_shape y = op->out->shape;

    gl_source_of(p, (const char *const[]){workgroup_reduce_comp, text, workgroup_reduce_main_comp}, 3);
    gl_define(p, "LANES", REDUCE_LANES);
    gl_shared(p, bytes * REDUCE_LANES);
    gl_group(p, REDUCE_LANES, 1);
    gl_grid_of(p, y.b, y.h, y.w * REDUCE_LANES, ir_slices(y));
}
