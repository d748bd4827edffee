/* SPDX-License-Identifier: Apache-2.0 */
/* fix_rows.c - lib/rewrite/fix.def as a table. */
#include "lib/rewrite/fix_rules.h"

#define BUILTIN_ANY                   (-1)
#define FIX(op, function, kept, text) {BUILTIN_##op, function, kept, text},
const struct fix_row fix_rows[] = {
#include "lib/rewrite/fix.def"
};
#undef FIX

const uint32_t fix_n_rows = sizeof fix_rows / sizeof *fix_rows;
_Static_assert(sizeof fix_rows / sizeof *fix_rows <= FIX_MOST_ROWS, "rows are bits of a word");
