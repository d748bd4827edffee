/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_net.h - nodes of a graph as a subgraph of XNNPACK's.
 *
 * Nobody keeps a list of what the library can do: a node is defined, and it says whether it takes it. What is asked before is what
 * it would take for something else. */
#ifndef DELEGAUGE_XNNPACK_NET_H
#define DELEGAUGE_XNNPACK_NET_H

#include <xnnpack.h>

#include "lib/delegate/delegate.h"

/* Threads that kernels share; the last one frees them. */
struct xnnpack_pool {
    pthreadpool_t threads; /* NULL: the caller's alone */
    uint32_t n, users;
    uint32_t unit; /* of which inputs have to be multiples where threads split them; 0: not known yet */
};

/* Zeros to begin with; xnnpack_net_begin again after each xnnpack_net_end, xnnpack_net_free at last. */
struct xnnpack_net {
    const struct graph *g;
    bool trial;                /* nothing will run: constants need no spare bytes */
    struct xnnpack_pool *pool; /* who computes */
    size_t copied;             /* bytes of constants, into the arena */
    xnn_subgraph_t subgraph;
    uint32_t *id;      /* [graph tensors] of its value, or XNN_INVALID_VALUE_ID */
    uint32_t *defined; /* [n_defined] tensors that have one */
    uint32_t n_defined, n_external;
    struct arena
        arena; /* constants with the spare bytes that XNNPACK reads, and scales; what is made of the subgraph has them too */
};

/* A subgraph with room for so many values that come from outside or go there; they get the ids 0, 1, ... ST_NOMEM. */
enum status xnnpack_net_begin(struct xnnpack_net *x, const struct graph *g, uint32_t max_external, struct err *err);

/* The next external value is t. flag: XNN_VALUE_FLAG_EXTERNAL_INPUT or _OUTPUT. Here and below, false with the reason where the
 * library does not take it. */
bool xnnpack_net_external(struct xnnpack_net *x, const struct tensor *t, uint32_t flag, struct reason *why);

/* Adds the node; its tensors become values where they are none yet. */
bool xnnpack_net_add(struct xnnpack_net *x, const struct node *n, struct reason *why);

/* Whether the threads of x->pool compute float FULLY_CONNECTED of so many inputs rightly. For some processors (AMD's first Zen) the
 * library packs weights four by four, and that of 2022 forgets so where a thread begins in the middle of them: layers of 5 inputs
 * come out wrong. It is asked by small layers, once, when the first node comes whose inputs are no multiple of 16. */
bool xnnpack_splits(struct xnnpack_net *x, uint32_t inputs, struct reason *why);

/* For xnnpack_net_add: the value of a tensor. steps[n_steps]: it is weights, which are read once; where quantized, with these
 * scales for each index of dimension quant.dim, or the only one, in place of its own. NULL: it is none; its own scale is only one.
 */
bool xnnpack_net_value(struct xnnpack_net *x, const struct tensor *t, const float *steps, uint32_t n_steps, uint32_t *id,
                       struct reason *why);

/* Whether `s` is success; else the reason in words. */
bool xnnpack_took(enum xnn_status s, struct reason *why);

/* Frees the subgraph, and not what the arena has. */
void xnnpack_net_end(struct xnnpack_net *x);

/* All of it. */
void xnnpack_net_free(struct xnnpack_net *x);

#endif
