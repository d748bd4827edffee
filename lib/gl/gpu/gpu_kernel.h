/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_kernel.h - a partition of the delegate "gpu", from compiling or restoring to runs. */
#pragma once

#include "lib/gl/cache/cache_entries.h"
#include "lib/gl/compile/compile.h"

struct gpu_kernel {
    struct delegate_kernel head;
    struct gl_settings set;
    const struct graph *graph;
    const struct partition *part;

    /* Until gpu_kernels_prepare is through; one of them is NULL. */
    struct gl_restored *restored;
    struct gl_draft *draft;
    struct reason *refused; /* [graph nodes] of gpu_kernel_new */

    struct gl_executable *executable; /* from then on */
    struct delegate_facts facts;
    char tuning_entry[128]; /* file of the stored tuning that it was restored from */
};

/* The functions that a session calls: gpu_kernel.head.ops. */
extern const struct delegate_kernel_ops gpu_kernel_ops;

/* Restore or compile the partition. `refused` as in delegate_ops.init; *out is NULL after a failure. The context is current. */
enum status gpu_kernel_new(const struct gl_settings *set, const struct graph *g, const struct partition *part,
                           struct reason *refused, struct gpu_kernel **out, struct err *err);

/* Make kernels[n] of gpu_kernel_new ready to run: all partitions that a graph has here, in the order in which they run. What cannot
 * be used of an earlier start is compiled again, and stored. If they need more memory than settings.limit has, nodes are refused
 * instead, with a warning. The context is current. Fails as gl_compile and gl_load_plans do, and with ST_NOMEM if no node fits and
 * nothing else is held. */
enum status gpu_kernels_prepare(struct delegate_kernel *const *kernels, uint32_t n, struct err *err);
