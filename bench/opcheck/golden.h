/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h - reads the expected outputs of a kernel's cases: testdata/golden/<kernel>.txt, written by scripts/reference/golden.py.
 *
 *   case CONV_2D 3x3 stride 2, odd edges
 *   out 0 FLOAT32 [1,5,4,8]
 *   0.25 -1.5 nan ...
 *
 * Values are in memory order, with line breaks anywhere; strings are in double quotes with \xNN for odd bytes. Instead of outputs a
 * variant (variant.h) may have the line "refused when prepared" or "refused when run": TFLite refuses it, and it must be refused
 * here. */
#pragma once

#include "bench/opcheck/case_run.h"

struct golden {
    char *text; /* NULL: there is no file */
    const char *path;
};

/* Read a golden file. A missing file is no failure: it has no cases. */
enum status golden_open(const char *path, struct golden *out, struct err *err);
void golden_close(struct golden *g);

/* Read the expected outputs of a case into *out (free with case_outputs_free); out->n is 0 if the file has none. Fails with
 * ST_FAILED if TFLite refuses the case. */
enum status golden_read(const struct golden *g, const struct case_ref *ref, struct case_outputs *out, struct err *err);

/* Return true if TFLite refuses the case. */
bool golden_is_refused(const struct golden *g, const struct case_ref *ref);
