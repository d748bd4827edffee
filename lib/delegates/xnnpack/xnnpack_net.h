/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_net.h - nodes of a graph as an XNNPACK subgraph.
 *
 * There is no list of supported nodes: each node is defined in a subgraph, and the library accepts or refuses it. Only nodes that
 * the library would accept and misinterpret are checked before. */
#pragma once

#include <xnnpack.h>

#include "lib/delegate/delegate.h"

/* Thread pool that kernels share; the last user frees it. */
struct xnnpack_pool {
    pthreadpool_t threads; /* NULL: the calling thread alone */
    uint32_t n, users;
    uint32_t unit; /* input counts of float FULLY_CONNECTED must be a multiple of it (xnnpack_splits); 0: not measured yet */
};

/* Zeroed to begin with. Call xnnpack_net_begin again after each xnnpack_net_end, and xnnpack_net_free at last. */
struct xnnpack_net {
    const struct graph *g;
    bool trial;                /* the subgraph will not run: constants are not copied */
    struct xnnpack_pool *pool; /* threads of the runtime */
    size_t copied;             /* bytes of constants copied into the arena */
    xnn_subgraph_t subgraph;
    uint32_t *id;      /* [graph tensors] id of the tensor's value, or XNN_INVALID_VALUE_ID */
    uint32_t *defined; /* [n_defined] indices of tensors that have an id */
    uint32_t n_defined, n_external;
    /* Constants with the spare bytes that XNNPACK reads behind them, and scales. Runtimes made of the subgraph point into it. */
    struct arena arena;
};

/* Create a subgraph for at most max_external external values (inputs and outputs), which get the ids 0, 1, ... Fails with
 * ST_NOMEM. */
enum status xnnpack_net_begin(struct xnnpack_net *x, const struct graph *g, uint32_t max_external, struct err *err);

/* Define t as the next external value; flag: XNN_VALUE_FLAG_EXTERNAL_INPUT or _OUTPUT. This function and the next three return
 * false with *why set if the library refuses. */
bool xnnpack_net_external(struct xnnpack_net *x, const struct tensor *t, uint32_t flag, struct reason *why);

/* Define the node, and its tensors as values if they are none yet. */
bool xnnpack_net_add(struct xnnpack_net *x, const struct node *n, struct reason *why);

/* Return true if the threads of x->pool compute float FULLY_CONNECTED with this number of inputs correctly. On some processors
 * (AMD's first Zen) XNNPACK packs weights in groups of four, and its release of 2022 errs if a thread begins within a group: layers
 * of 5 inputs come out wrong. Small layers measure it once, at the first node whose input count is no multiple of 16. */
bool xnnpack_splits(struct xnnpack_net *x, uint32_t inputs, struct reason *why);

/* Return in *id the value of a tensor, defined if it is new; for xnnpack_net_add. steps[n_steps] marks weights and biases: if
 * quantized, they have these scales, one for each index of dimension quant.dim or one for all, instead of their own. NULL: any
 * other tensor, with at most one scale of its own. */
bool xnnpack_net_value(struct xnnpack_net *x, const struct tensor *t, const float *steps, uint32_t n_steps, uint32_t *id,
                       struct reason *why);

/* Return true if `s` is success; else set *why to its text. */
bool xnnpack_took(enum xnn_status s, struct reason *why);

/* Free the subgraph, but not the arena. */
void xnnpack_net_end(struct xnnpack_net *x);

/* Free the subgraph and the arena, and zero *x. */
void xnnpack_net_free(struct xnnpack_net *x);
