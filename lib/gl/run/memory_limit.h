/* SPDX-License-Identifier: Apache-2.0 */
/* memory_limit.h - memory of the GL objects of partitions, known from their plans, and the nodes to leave out if it is too much.
 *
 * What counts is the content of buffers and textures. What a driver adds (alignment, programs, its own copies) does not. */
#pragma once

#include "lib/gl/plan/plan.h"
#include "lib/gl/run/shared.h"

/* Return the bytes of the buffers and textures that a partition has for itself: constants and their copies in textures, numbers,
 * state. */
uint64_t gl_plan_own_bytes(const struct gl_plan *p);

/* Return the bytes that gl_executable_new would allocate for ps[n], all partitions of a graph, beside those of `s`, their shared
 * buffers and textures as they are; a shared buffer that grows is allocated anew before the old one goes. `sets`: sets of staging.
 * The sum saturates. */
uint64_t gl_plans_bytes(const struct gl_plan *const *ps, uint32_t n, uint32_t sets, const struct gl_shared *s);

/* Set leave_out[nodes of the graph] for the nodes with the largest constants and intermediate tensors, as many as it takes until
 * the others are expected to need no more than `room` of the `bytes` of gl_plans_bytes; at least one, in each dispatch all or none.
 * Return their number. Plans of the others tell whether they fit. */
uint32_t gl_plans_leave_out(const struct gl_plan *const *ps, uint32_t n, uint64_t bytes, uint64_t room, bool *leave_out);
