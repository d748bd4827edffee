/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph.h - what kernels that run other subgraphs or hold resources call (IF, WHILE, CALL_ONCE, VAR_HANDLE, …). */
#ifndef DELEGAUGE_SUBGRAPH_H
#define DELEGAUGE_SUBGRAPH_H

#include "lib/graph/kernel.h"
#include "lib/graph/resource.h"

/* Return the session of another subgraph of the same model, ready to run on in[n_in]. It belongs to the runtime of c's session, and
 * lasts until the next call of this, or as long as it is kept (subgraph_keep). Delegates are asked about it if

 * the node is one whose calls delegates are asked about: there is a session for each set of shapes then, SESSION_CACHE_MAX at most.
 The loader has
 * checked that subgraphs do not call each other in a circle. */
enum status subgraph_session(struct cpu_call *c, int64_t index, struct tensor *const *in, uint32_t n_in, struct session **out,
                             struct err *err);

/* Until it is let go it is not freed, nor prepared for other shapes. */
void subgraph_keep(struct session *s);
void subgraph_let_go(struct session *s);

/* Runs it on copies of in[n_in]. Where in_at[i] is not 0, input i is read in that buffer, and where out_at[i] is not 0 output i
 * made in that: placement_possible of them is true, and output_origin says that the output is made. Either may be NULL: all in host
 * memory. */
enum status subgraph_run(struct session *s, struct tensor *const *in, uint32_t n_in, const uint32_t *in_at, const uint32_t *out_at,
                         struct err *err);

/* Holds its outputs against those of c's node, and copies those that at[i] does not say to lie in a buffer (or NULL: all) into
 * these. */
enum status subgraph_outputs(struct cpu_call *c, const struct session *s, const uint32_t *at, struct err *err);

/* IF, composites: the subgraph runs on the inputs of c's node from number node_first_call_input on, and makes its outputs. What is
 * in buffers on both sides of the call stays there. */
enum status subgraph_call(struct cpu_call *c, int64_t index, struct err *err);

/* WHILE: as long as subgraph `cond` says so, `body` makes the node's outputs of what they were; at first they are its inputs. What
 * only partitions and nodes that call use stays in buffers from round to round. */
enum status subgraph_loop(struct cpu_call *c, int64_t cond, int64_t body, struct err *err);

/* ST_OK, or what whoever runs the outermost session ends a loop with (session_options.go_on). */
enum status subgraph_go_on(const struct cpu_call *c, struct err *err);

/* Whether CALL_ONCE has run this subgraph since the outermost session was prepared or reset; set by who has done so, after it
 * succeeded. */
bool *subgraph_called_once(struct cpu_call *c, int64_t index);

/* The resources of c's outermost session. */
struct resources **subgraph_resources(struct cpu_call *c);

#endif
