/* SPDX-License-Identifier: Apache-2.0 */
/* variable_binding.h - resource variables that delegates read and assign.
 *
 * The resources of the outermost session hold the content of variables between partitions, so that all partitions, the CPU and the
 * sessions of called subgraphs see the same variable, and one reset is for all. The content is in host memory or in a buffer of the
 * delegate that has buffers (tensor_placement.h), in which its partitions read and assign it; it stays there until another user
 * reads it. */
#pragma once

#include "lib/graph/resource.h"
#include "lib/session/plan.h"

/* Look up the number of each variable that g names, after graph_infer, and store it in the handle's data. *r is made if it is NULL;
 * numbers are valid as long as *r. Fails with ST_NOMEM. */
enum status variables_number(struct graph *g, struct resources **r, struct err *err);

/* Set step.resources and step.at of each partition of the plan, once the kernels are made. `device` is the delegate in whose
 * buffers variables may be, or NULL. Fails only with ST_NOMEM. */
enum status variables_note(struct plan *p, struct resources **r, const struct delegate *device, struct err *err);

/* Before a partition runs, point its variables to their content in host memory, or bind their buffers. Fails with ST_BAD_MODEL,
 * naming the node, if a variable that it reads is not assigned or does not fit (resource_check_read); or as the delegate's buffers
 * do. */
enum status variables_bind(struct resources *r, const struct step *step, struct err *err);

/* After the partition ran, or failed, detach its variables; if it succeeded, mark the assigned ones as set. */
void variables_commit(struct resources *r, const struct step *step, bool succeeded);
