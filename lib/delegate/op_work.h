/* SPDX-License-Identifier: Apache-2.0 */
/* op_work.h - what nodes that are computed together have to do: multiply-accumulates and bytes, from the shapes alone.
 *
 * Over the time it took, that is GFLOP/s (two operations a multiply-accumulate) and GB/s. Both count what the nodes ask for, not
 * what a kernel does: Winograd's convolution multiplies less, a kernel without tiles reads more. So they compare kernels and
 * devices, and above what a device can do something is wrong with the time. */
#ifndef DELEGAUGE_OP_WORK_H
#define DELEGAUGE_OP_WORK_H

#include "lib/delegate/delegate.h"

struct op_work {
    uint64_t macs;    /* node_macs of all; what macs_known says of them is true of each */
    uint64_t bytes;   /* of what they read from outside, each tensor once and whole, and what others read of what they write; in the
                         tensors' own types, whatever a device stores them as */
    uint64_t written; /* of these bytes */
    bool macs_known;  /* node_macs_known */
    bool bytes_known; /* no shape or size depends on data */
};

/* Of nodes[n] of the graph, n > 0; each once. */
struct op_work op_work_of(const struct graph *g, const struct node *const *nodes, uint32_t n);

/* Of a tensor that is copied: no multiply-accumulates, and its bytes once, as read. */
struct op_work op_work_of_copy(const struct tensor *t);

/* 1e9 operations a second, two for each multiply-accumulate; NAN where that is not known, or nothing was done, or took no time. */
double op_work_gflops(const struct op_work *w, double us);

/* 1e9 bytes a second; NAN likewise. */
double op_work_gbytes(const struct op_work *w, double us);

/* The least time that the work takes a device of this peak, in microseconds: all of the operations, at the rate of 16-bit floats
 * where they are computed in `halves`, or all of the bytes, whichever takes longer: reading takes as long as it does alone, writing
 * as much longer as copying takes than that. NAN where neither is known. What is stored in fewer bits, or nearer than a probe's
 * memory, may take less. */
double op_work_least_us(const struct op_work *w, const struct device_peak *peak, bool halves);

#endif
