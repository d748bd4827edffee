/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_fix.h - --fix: the model rewritten for whom was asked (lib/rewrite/fix.h), held against the old one, and told of. */
#ifndef DELEGAUGE_CMD_COVERAGE_FIX_H
#define DELEGAUGE_CMD_COVERAGE_FIX_H

#include "cmd/print/report.h"
#include "lib/rewrite/fix.h"

/* Zeros: nobody asked. */
struct coverage_fix {
    bool asked, written;
    struct err failed;        /* why there is no answer, though there would be rewrites; "" where there is */
    bool moves_only;          /* the first attempt was off by more than is allowed, so arithmetic was left alone */
    struct err off;           /* of that attempt */
    const char *path, *whose; /* where the new model goes; who is to take its nodes */
    struct fix fix;
};

/* Rewrites a subgraph for `judge`, verifies (once more without arithmetic where that is not equal), and writes the file where
 * anything was done. What fails before the last step writes nothing: as fix_model and fix_verify do, and as files are written. Free
 * with coverage_fix_free, after failures too. */
enum status coverage_fix_make(struct coverage_fix *f, const struct model *m, uint32_t subgraph, const struct fix_judge *judge,
                              struct err *err);
void coverage_fix_free(struct coverage_fix *f);

/* Whether, where it was asked for, nothing is left that was refused, or less than there was. */
bool coverage_fix_helped(const struct coverage_fix *f);

/* As text; and as "fix" of `in`, null where nobody asked. */
void coverage_fix_say(const struct coverage_fix *f);
void coverage_fix_put(struct report *r, struct json *in, const struct coverage_fix *f);

#endif
