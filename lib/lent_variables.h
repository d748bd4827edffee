/* SPDX-License-Identifier: Apache-2.0 */
/* lent_variables.h - resource variables where delegates read and assign them.
 *
 * Host memory holds their content between partitions, in the resources of the outermost session: so all partitions, the CPU and
 * the sessions of called subgraphs see one variable, whoever assigned it last, and a reset is one for all. */
#ifndef DELEGAUGE_LENT_VARIABLES_H
#define DELEGAUGE_LENT_VARIABLES_H

#include "plan.h"
#include "resource.h"

/* Gives the variables that g names their numbers, after graph_infer. They hold as long as *r, which is made where it is NULL. */
enum status variables_number(struct graph *g, struct resources **r, struct err *err);

/* Notes in each step of the plan which resources its partition reads and assigns. Fails only with ST_NOMEM. */
enum status variables_note(struct plan *p, struct resources **r, struct err *err);

/* Before a partition runs: points its variables to their content. ST_BAD_MODEL as READ_VARIABLE has it, with the node before. */
enum status variables_lend(struct resources *r, const struct step *step, struct err *err);

/* After it ran, or failed to: those that it assigned are set. */
void variables_take(struct resources *r, const struct step *step, bool succeeded);

#endif
