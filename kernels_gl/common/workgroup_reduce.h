/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup_reduce.h - how a workgroup folds what else is one invocation's long loop, or two dispatches (split_k.h): for each
 * vector of an output its lanes take turns, and join in the halves of halves (workgroup_reduce.comp) what they found. */
#ifndef DELEGAUGE_KERNELS_GL_TREE_H
#define DELEGAUGE_KERNELS_GL_TREE_H

#include "lib/gl/ir/kernel.h"

#define TREE_LANES   64 /* every device has workgroups so large */
#define VECTOR_BYTES 16 /* of what they share */

/* The device can fold `steps` of them to each vector of the output so. */
bool tree_fits(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* It should. */
bool tree_pays(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* Passes of the joining. */
uint64_t tree_iterations(void);

/* Emits `text`, that has
 *     void share(int b, int h, int w, int s, int lane)    // what the lane of LANES finds for this vector
 *     void merge(int lane, int other)                     // workgroup_reduce.comp
 *     void finish(int b, int h, int w, int s)             // stores what lane 0 has at last
 * with so many bytes shared by a lane, and with the output's grid. */
void tree_emit(struct gl_shader *p, const struct ir_op *op, const char *text, uint32_t bytes);

#endif
