/* SPDX-License-Identifier: Apache-2.0 */
/* broadcast_plain.h - reference loop over tensors that broadcast: each output element computes its inputs' offsets from its
 * coordinates.
 *
 * Input i, aligned with the output at the last dimension, is read at the output's coordinates, but at 0 along dimensions in which
 * it has one element (numpy's rule). Only CPU_REFERENCE runs this: no dimensions are merged, no rows joined, and row functions get
 * a few elements at a time, so that comparing both modes shows an error in the merging or at the ends of long rows. */
#pragma once

#include "kernels_cpu/common/broadcast_row.h"
#include "lib/graph/kernel.h"

/* Elements per call of a row function, at most, in CPU_REFERENCE. */
enum { PLAIN_ELEMS = 8 };

/* Do the same as broadcast_run by the reference loop; threads share the rows of the output's last dimension. */
void broadcast_run_plain(struct cpu_call *c, uint32_t n_in, broadcast_row row, const void *arg);
