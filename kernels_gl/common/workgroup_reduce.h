/* SPDX-License-Identifier: Apache-2.0 */
/* workgroup_reduce.h - the folding by a workgroup of elements that else take one invocation's long loop, or two dispatches
 * (split_k.h): for each vector of an output its lanes take turns, and join their results in the halves of halves
 * (workgroup_reduce.comp). */
#ifndef DELEGAUGE_KERNELS_GL_WORKGROUP_REDUCE_H
#define DELEGAUGE_KERNELS_GL_WORKGROUP_REDUCE_H

#include "lib/gl/ir/kernel.h"

#define REDUCE_LANES 64 /* every device has workgroups so large */
#define VECTOR_BYTES 16 /* of what they share */

/* Return true if the device can fold `steps` elements to each vector of the output so. */
bool workgroup_reduce_fits(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* Return true if it should. */
bool workgroup_reduce_pays(const struct ir_op *op, uint64_t steps, const struct gl_limits *lim);

/* Return the passes of the joining. */
uint64_t workgroup_reduce_iterations(void);

/* Emits `text`, that has
 *     void share(int b, int h, int w, int s, int lane)    // folds the part of the lane of LANES for this vector
 *     void merge(int lane, int other)                     // workgroup_reduce.comp
 *     void finish(int b, int h, int w, int s)             // stores the final result of lane 0
 * with so many bytes shared by a lane, and with the output's grid. */
void workgroup_reduce_emit(struct gl_shader *p, const struct ir_op *op, const char *text, uint32_t bytes);

#endif
