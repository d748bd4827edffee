/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_impl.h - what the files of coverage share. */
#ifndef DELEGAUGE_COVERAGE_IMPL_H
#define DELEGAUGE_COVERAGE_IMPL_H

#include "coverage.h"

/* True where a node itself was turned down, not its partition for being too small or one too many. */
bool coverage_is_nodes_own(enum reason_code code);

/* Fills c->gains, by the verdicts and operators of c and the claims of `d` on c->graphs[0]. ST_NOMEM. */
enum status coverage_find_gains(struct coverage *c, struct delegate *d, const struct claim *claims, struct err *err);

#endif
