/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_fix.h - --fix: the model rewritten for the delegate or rule set that was asked (lib/rewrite/fix.h), verified against the
 * old model, and reported. */
#pragma once

#include "cmd/print/report.h"
#include "lib/rewrite/fix.h"

/* The rewrite and its result; zeros: not asked for. */
struct coverage_fix {
    bool asked, written;
    struct err failed;        /* reason why there is no answer though there would be rewrites; "" if there is one */
    bool moves_only;          /* the first attempt exceeded the tolerances, so arithmetic was left alone */
    struct err off;           /* error of that attempt */
    const char *path, *whose; /* path of the new model; name of the backend that is to take its nodes */
    struct fix fix;
};

/* Rewrite a subgraph for `judge`, verify it (once more without arithmetic if the results are not equal), and write the file if
 * anything was done. A failure before the last step writes nothing. Fails as fix_model, fix_verify and file writing do. Free with
 * coverage_fix_free, after failures too. */
enum status coverage_fix_make(struct coverage_fix *f, const struct model *m, uint32_t subgraph, const struct fix_judge *judge,
                              struct err *err);
void coverage_fix_free(struct coverage_fix *f);

/* True if --fix was not asked for, or no refused node is left, or fewer than before. */
bool coverage_fix_helped(const struct coverage_fix *f);

/* Print the result as text; and put it as "fix" into `in`, null if not asked for. */
void coverage_fix_say(const struct coverage_fix *f);
void coverage_fix_put(struct report *r, struct json *in, const struct coverage_fix *f);
