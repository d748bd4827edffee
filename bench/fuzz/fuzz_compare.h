/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_compare.h - a mutant on the device, held against the CPU's results. */
#ifndef DELEGAUGE_BENCH_FUZZ_COMPARE_H
#define DELEGAUGE_BENCH_FUZZ_COMPARE_H

#include "bench/fuzz/mutate.h"
#include "bench/opcheck/gpus.h"
#include "lib/session/session.h"

enum fuzz_result {
    FUZZ_NOT_RUN, /* contradicts itself, or the device takes no node */
    FUZZ_RAN,     /* without its numbers being held against others: the CPU refuses the content, or rounds it (case_is_hybrid) */
    FUZZ_EQUAL,
    FUZZ_DIFFERS, /* *err has the first place, or the device's message */
};

/* A session whose inputs have the mutant's shapes, prepared. Fails as session_new, session_resize_input and session_prepare do. */
enum status fuzz_session(const struct mutant *m, const struct case_model *cm, const struct session_options *opt, struct session **s,
                         struct err *err);

/* Runs the model on seeded ordinary content: the cases' own ranges, no NaN, infinities or huge values. Outputs of the device are
 * held against the outputs of the fast CPU kernels, by the tolerance that the operator has (accuracy.h) and the usual one for each
 * elementwise node behind it, quantized ones are to be equal. With halves, the CPU's result in halves (SESSION_FP16) will do, too:
 * a long recurrence amplifies the rounding of its constants more than any number for all allows. Behind the elementwise nodes one
 * value of 50 may be anything: FLOOR jumps, SQRT makes NaN of values next to zero. */
enum fuzz_result fuzz_compare(const struct mutant *m, const struct case_model *cm, struct delegate *d, enum precision p,
                              struct err *err);

/* If a CPU session of the mutant cannot be prepared, checks that d refuses the inferred graph with the same sentence (one_check.h).
 */
enum status fuzz_refused(const struct mutant *m, const struct case_model *cm, const struct graph *g, struct delegate *d,
                         struct err *err);

#endif
