/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - the expected outputs of a kernel's cases, as text: testdata/golden/<kernel>.txt, made by scripts/reference/golden.py.
 *
 *   case CONV_2D 3x3 stride 2, odd edges
 *   out 0 FLOAT32 [1,5,4,8]
 *   0.25 -1.5 nan ...
 *
 * Values stand in memory order, broken into lines anywhere; strings are in double quotes with \xNN for odd bytes. In place of
 * its outputs a variant (variant.h) may have the line "refused when prepared" or "refused when run": TFLite refuses it, and so must
 * we. */
#ifndef DELEGAUGE_BENCH_GOLDEN_H
#define DELEGAUGE_BENCH_GOLDEN_H

#include "bench/opcheck/case_run.h"

struct golden {
    char *text; /* NULL: there is no file */
    const char *path;
};

/* A missing file is not an error: every case is then missing. */
enum status golden_open(const char *path, struct golden *out, struct err *err);
void golden_close(struct golden *g);

/* Fill *out (case_outputs_free) with the file's outputs for the case; out->n == 0 if it has none. ST_FAILED if TFLite refuses the
 * case. */
enum status golden_read(const struct golden *g, const struct case_ref *ref, struct case_outputs *out, struct err *err);

/* Whether TFLite refuses the case. */
bool golden_is_refused(const struct golden *g, const struct case_ref *ref);

#endif
