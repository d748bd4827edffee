/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_placement.h - tensors that stay in buffers on a delegate's device across calls of subgraphs.
 *
 * Tensors between two partitions never leave the device anyway. This adds tensors that cross a subgraph's boundary: loop-carried
 * tensors of a WHILE, and tensors between a partition and a called subgraph. The caller places inputs and outputs of the called
 * session (subgraph_calls.c); a session itself places its tensors between partitions and calling nodes. */
#pragma once

#include "lib/delegate/delegate.h"

struct session;

struct placement_buffer {
    uint32_t id;
    size_t bytes;
    bool spare; /* made by placement_spare */
};

/* Placement of a prepared session's tensors; zeroed before. */
struct tensor_placement {
    struct delegate *delegate; /* owner of the device; NULL: all tensors are in host memory */
    bool *possible;            /* [graph tensors] only partitions of `delegate` and calling nodes compute and read the tensor */
    bool *unread;              /* [graph tensors] computed, and read by nobody */
    uint32_t *at;              /* [graph tensors] the buffer with the tensor; 0: host memory */
    struct placement_buffer *buffers;
    uint32_t n_buffers;
};

/* Fill s->placement, once the kernels are made, and place the tensors between partitions and calling nodes. Fails as
 * delegate_ops.buffer_new and delegate_kernel_ops.bind do. */
enum status placement_find(struct session *s, struct err *err);

/* Place t in a buffer of the same delegate, of at least delegate_dense_bytes(t), from the next run on; 0: in host memory. Needs
 * placement_possible(t), unless buffer is 0. Lasts until the session is prepared again. Does not move the content. Fails as bind
 * does; t is in host memory then. */
enum status placement_set(struct session *s, const struct tensor *t, uint32_t buffer, struct err *err);

/* Return tensor_placement.at, possible and unread of t; 0 and false without a device. */
uint32_t placement_of(const struct session *s, const struct tensor *t);
bool placement_possible(const struct session *s, const struct tensor *t);
bool placement_unread(const struct session *s, const struct tensor *t);

/* The tensor that is output k of a graph: its input i; else output i, the first output with the same tensor, which may be k. */
struct output_origin {
    bool is_input;
    uint32_t i;
};
struct output_origin output_origin(const struct graph *g, uint32_t k);
bool output_is_made(const struct graph *g, uint32_t k); /* true if output k is neither an input nor an earlier output */

/* Store in *id a buffer of delegate_dense_bytes(t) that the session owns and that is not in used[n]; made if there is none. Fails
 * as delegate_ops.buffer_new does. */
enum status placement_spare(struct session *s, const struct tensor *t, const uint32_t *used, uint32_t n, uint32_t *id,
                            struct err *err);

/* Free the buffers, and leave *p zeroed. Free the kernels before. */
void placement_free(struct tensor_placement *p);
