/* SPDX-License-Identifier: Apache-2.0 */
/* fix_rules.h - the functions that lib/fix.def names, for the files that define them. */
#ifndef DELEGAUGE_FIX_RULES_H
#define DELEGAUGE_FIX_RULES_H

#include "fix_impl.h"

#define FIX(op, function, kept, text) bool function(struct draft *d, const struct node *n);
#include "fix.def"
#undef FIX

#endif
