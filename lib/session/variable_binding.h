/* SPDX-License-Identifier: Apache-2.0 */
/* variable_binding.h - resource variables where delegates read and assign them.
 *
 * The resources of the outermost session hold their content between partitions: so all partitions, the CPU and the sessions of
 * called subgraphs see one variable, whoever assigned it last, and a reset is one for all. It is in host memory, or in a buffer of
 * the delegate that has buffers (tensor_placement.h), where its partitions read and assign it; there it stays until somebody else
 * asks. */
#ifndef DELEGAUGE_VARIABLE_BINDING_H
#define DELEGAUGE_VARIABLE_BINDING_H

#include "lib/graph/resource.h"
#include "lib/session/plan.h"

/* Gives the variables that g names their numbers, after graph_infer. They hold as long as *r, which is made where it is NULL. */
enum status variables_number(struct graph *g, struct resources **r, struct err *err);

/* Notes in each step of the plan, whose kernels are made, which resources its partition reads and assigns; `device`, or NULL, is
 * the delegate in whose buffers they may be. Fails only with ST_NOMEM. */
enum status variables_note(struct plan *p, struct resources **r, const struct delegate *device, struct err *err);

/* Before a partition runs: points its variables to their content, or binds its buffer. ST_BAD_MODEL as READ_VARIABLE has it, with
 * the node before; or it fails as buffers do. */
enum status variables_bind(struct resources *r, const struct step *step, struct err *err);

/* After it ran, or failed to: those that it assigned are set. */
void variables_commit(struct resources *r, const struct step *step, bool succeeded);

#endif
