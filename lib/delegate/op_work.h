/* SPDX-License-Identifier: Apache-2.0 */
/* op_work.h - work of nodes that are computed together: multiply-accumulates and bytes, from the shapes alone.
 *
 * Divided by a measured time this gives GFLOP/s (two operations per multiply-accumulate) and GB/s. Both count the operators' work,
 * not a kernel's: Winograd's convolution multiplies less, a kernel without tiles reads more. They serve to compare kernels and
 * devices; a rate above the device's peak means that the time is wrong. */
#pragma once

#include "lib/delegate/delegate.h"

struct op_work {
    uint64_t macs;    /* sum of node_macs */
    uint64_t bytes;   /* bytes of tensors that enter from outside, each once and whole, and of results that are used outside or by
                         nobody; in the tensors' own types, whatever a device stores them as */
    uint64_t written; /* the part of `bytes` that is written */
    bool macs_known;  /* node_macs_known of every node */
    bool bytes_known; /* no shape or size depends on data */
};

/* Sum the work of nodes[n] of the graph, n > 0; each node is listed once. */
struct op_work op_work_of(const struct graph *g, const struct node *const *nodes, uint32_t n);

/* Return the work of copying a tensor: no multiply-accumulates, and its bytes counted once, as read. */
struct op_work op_work_of_copy(const struct tensor *t);

/* Return 1e9 operations per second for a time in microseconds, two for each multiply-accumulate. NAN if macs are unknown or 0, or
 * if us is not above 0. */
double op_work_gflops(const struct op_work *w, double us);

/* Return 1e9 bytes per second for a time in microseconds. NAN if bytes are unknown or 0, or if us is not above 0. */
double op_work_gbytes(const struct op_work *w, double us);

/* Return the least time of the work on a device with this peak, in microseconds: the longer of computing (at half_gflops if
 * `halves` and known) and moving all bytes (reading at read_gbytes, writing at the rate that then makes copying take gbytes). NAN
 * if both are unknown. Data in narrower formats, or in caches that the probe's memory exceeds, may take less. */
double op_work_least_us(const struct op_work *w, const struct device_peak *peak, bool halves);
