/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_comparison.h - how much faster the delegate is than the CPU kernels: the same model, inputs and threads, in turns. */
#pragma once

#include "lib/measure/bench_loop.h"
#include "lib/session/session.h"

/* The comparison, with times in microseconds; the delegate's are measured anew, beside the CPU's. Zeros if it was not made. */
struct cpu_comparison {
    bool made;
    struct samples delegate, cpu;
    struct stats delegate_stats, cpu_stats;
    struct median_ratio speedup; /* the CPU's median over the delegate's: above 1, the delegate is faster */
    struct mann_whitney test;    /* delegate against CPU */
};

/* Run two prepared sessions with equal inputs in turns, after a warm-up of both, within these limits for each. Ctrl-C ends it
 * early. Fails as a session does. Free with cpu_comparison_free, which accepts zeros, after failures too. */
enum status cpu_comparison_run(struct cpu_comparison *c, struct session *delegate, struct session *cpu,
                               const struct loop_limits *warmup, const struct loop_limits *timed, struct err *err);
void cpu_comparison_free(struct cpu_comparison *c);
