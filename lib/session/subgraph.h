/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph.h - the session's interface for CPU kernels that run other subgraphs or hold resources (IF, WHILE, VAR_HANDLE, …). */
#pragma once

#include "lib/graph/kernel.h"
#include "lib/graph/resource.h"

/* Store in *out a session of another subgraph of the same model, prepared for inputs with the types and shapes of in[n_in]. The
 * runtime of c's session owns it; it is valid until the next call of this function, or while it is kept (subgraph_keep). If
 * delegates are asked about the calls of c's node (session_asks_about_calls), there is one session for each set of shapes, at most
 * SESSION_CACHE_MAX. The loader has checked that subgraphs do not call each other in a circle. Fails with ST_BAD_MODEL if there is
 * no such subgraph or the inputs do not fit it, or as session_prepare does. */
enum status subgraph_session(struct cpu_call *c, int64_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                             struct err *err);

/* Keep a session from being freed or prepared for other shapes, until it is let go. Calls nest. */
void subgraph_keep(struct session *s);
void subgraph_let_go(struct session *s);

/* Run the session on copies of in[n_in]. If in_at[i] is not 0, it reads input i from that buffer; if out_at[i] is not 0, it writes
 * output i to that buffer: placement_possible must hold for these tensors, and output_is_made for the output. in_at or out_at NULL:
 * all in host memory. Fails as session_run does. */
enum status subgraph_run(struct session *s, struct tensor *const *in, uint32_t n_in, const uint32_t *in_at, const uint32_t *out_at,
                         struct err *err);

/* Check the session's outputs against the outputs of c's node, and copy each to its output unless at[i] is the buffer that holds
 * it. at NULL: copy all. Fails with ST_BAD_MODEL if number, types or shapes differ. */
enum status subgraph_outputs(struct cpu_call *c, const struct session *s, const uint32_t *at, struct err *err);

/* Run a subgraph for IF or a composite: its inputs are those of c's node from node_first_call_input on, its outputs the node's.
 * Tensors in buffers on both sides of the call stay there. */
enum status subgraph_call(struct cpu_call *c, int64_t index, struct err *err);

/* Run a WHILE: the loop values start as the inputs of c's node; while subgraph `cond` returns true, subgraph `body` maps them to
 * their next values; at the end they are the node's outputs. Values used only by partitions and calling nodes stay in buffers from
 * round to round. */
enum status subgraph_loop(struct cpu_call *c, int64_t cond, int64_t body, struct err *err);

/* Return ST_OK, or the status with which session_options.go_on of the outermost session ends a loop. */
enum status subgraph_go_on(const struct cpu_call *c, struct err *err);

/* Return the flag whether CALL_ONCE has run this subgraph since the outermost session was prepared or reset. The caller sets it
 * after a successful run. */
bool *subgraph_called_once(struct cpu_call *c, int64_t index);

/* Return the resources of c's outermost session. */
struct resources **subgraph_resources(struct cpu_call *c);
