/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_compare.h - runs a mutant on the device and compares it with the CPU. */
#pragma once

#include "bench/fuzz/mutate.h"
#include "bench/opcheck/gpus.h"
#include "lib/session/session.h"

enum fuzz_result {
    FUZZ_NOT_RUN, /* not a valid model, or the device takes no node */
    FUZZ_RAN,     /* ran without comparison: the CPU refuses the content, or rounds it (case_is_hybrid) */
    FUZZ_EQUAL,
    FUZZ_DIFFERS, /* *err has the first difference, or the device's message */
};

/* Prepare a session whose inputs have the mutant's shapes. Fails as session_new, session_resize_input and session_prepare do. */
enum status fuzz_session(const struct mutant *m, const struct case_model *cm, const struct session_options *opt, struct session **s,
                         struct err *err);

/* Run the model on seeded content in the case's own ranges, without NaN, infinities or huge values, and compare the device's
 * outputs with those of the fast CPU kernels. Floats may differ by the operator's tolerance (accuracy.h) plus the default one for
 * each elementwise node behind it; quantized outputs must be equal. In 16-bit precisions the CPU's result in half precision
 * (SESSION_FP16) is accepted too, since a long recurrence amplifies the rounding of constants beyond any common tolerance. Behind
 * elementwise nodes one value in 50 may differ: FLOOR jumps, SQRT makes NaN of values near zero. */
enum fuzz_result fuzz_compare(const struct mutant *m, const struct case_model *cm, struct delegate *d, enum precision p,
                              struct err *err);

/* Check that d refuses the inferred graph with the CPU's sentence (one_check.h), if a CPU session of the mutant cannot be
 * prepared. */
enum status fuzz_refused(const struct mutant *m, const struct case_model *cm, const struct graph *g, struct delegate *d,
                         struct err *err);
