/* SPDX-License-Identifier: Apache-2.0 */
/* fix_rules.h - declarations of the rewrite functions that lib/rewrite/fix.def lists. */
#pragma once

#include "lib/rewrite/fix_impl.h"

#define FIX(op, function, kept, text) bool function(struct draft *d, const struct node *n);
#include "lib/rewrite/fix.def"
#undef FIX
