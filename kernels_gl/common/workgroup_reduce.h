/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup_reduce.h - reduction tree in shared memory: one workgroup reduces the elements of one output vector.
 *
 * It replaces one invocation's long loop, or two dispatches (split_k.h): the lanes take turns over the elements, then join their
 * results pair by pair (workgroup_reduce.comp). */
#pragma once

#include "lib/gl/ir/kernel.h"

#define REDUCE_LANES 64 /* every device supports workgroups of this size */
#define VECTOR_BYTES 16 /* of one shared vector */

/* Return true if the device can reduce `steps` elements per output vector this way. */
bool workgroup_reduce_fits(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* Return true if it is the faster way. */
bool workgroup_reduce_pays(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* Return the passes (gl_passes) of joining the lanes' results. */
uint64_t workgroup_reduce_iterations(void);

/* Emit `text`, GLSL with
 *     void share(int b, int h, int w, int s, int lane)    // reduces this lane's share of LANES for this vector
 *     void merge(int lane, int other)                     // workgroup_reduce.comp
 *     void finish(int b, int h, int w, int s)             // stores the final result of lane 0
 * with `bytes` of shared memory per lane, and set the grid for the output. */
void workgroup_reduce_emit(struct gl_shader *p, const struct ir_op *op, const char *text, uint32_t bytes);
