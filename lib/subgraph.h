/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph.h - what kernels that run other subgraphs or hold resources call (IF, WHILE, CALL_ONCE, VAR_HANDLE, …). */
#ifndef DELEGAUGE_SUBGRAPH_H
#define DELEGAUGE_SUBGRAPH_H

#include "kernel.h"
#include "resource.h"

/* The session of another subgraph of the same model, made when first asked for; it belongs to c's outermost session. Its delegates
 * are asked about it where c's node is an IF, WHILE or composite whose shapes were known before it ran, and no option numbers
 * nodes. The loader has seen to it that subgraphs do not call each other in a circle. */
enum status subgraph_session(struct cpu_call *c, int64_t index, struct session **out, struct err *err);

/* Runs it on copies of in[n_in]: inputs take their shapes and content. */
enum status subgraph_run(struct session *s, struct tensor *const *in, uint32_t n_in, struct err *err);

/* Copies its outputs into the outputs of c's node, from the first on. */
enum status subgraph_outputs(struct cpu_call *c, const struct session *s, struct err *err);

/* ST_OK, or what whoever runs the outermost session ends a loop with (session_options.go_on). */
enum status subgraph_go_on(const struct cpu_call *c, struct err *err);

/* Whether CALL_ONCE has run this subgraph since the outermost session was prepared or reset; set by who has done so, after it
 * succeeded. */
bool *subgraph_called_once(struct cpu_call *c, int64_t index);

/* The resources of c's outermost session. */
struct resources **subgraph_resources(struct cpu_call *c);

#endif
