/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast_plain.h - the reference walk over tensors that broadcast: every output element finds its inputs by its coordinates.
 *
 * Input i, aligned with the output at the last dimension, is read at the output's coordinates, at 0 along dimensions in which it
 * has one element (numpy's rule). CPU_REFERENCE runs this and CPU_FAST never does: no dimensions are merged, no rows joined, and
 * the row functions see a few elements at a time, so that an error in the walk or at the ends of long rows shows against the
 * other. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_PLAIN_H
#define DELEGAUGE_KERNELS_CPU_COMMON_BROADCAST_PLAIN_H

#include "kernels_cpu/common/broadcast_row.h"
#include "lib/graph/kernel.h"

/* The elements that a row function gets at once, at most, in reference walks. */
enum { PLAIN_ELEMS = 8 };

/* broadcast_run, walked plainly; shared between threads by rows of the output's last dimension. */
void broadcast_run_plain(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg);

#endif
