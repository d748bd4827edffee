/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_placement.h - tensors of a session that lie in buffers on the device of its delegate, as partitions make and read them
 * there.
 *
 * Between two partitions they never leave the device anyway. What is told here is which may lie there although they cross the
 * border of a subgraph: the loop tensors of a WHILE from round to round, and what goes from a partition into a subgraph that is
 * called, or comes from one. Whoever calls places inputs and outputs of the session (subgraph_calls.c); the session itself those of
 * its tensors that go from partitions to nodes that call, and back. */
#ifndef DELEGAUGE_TENSOR_PLACEMENT_H
#define DELEGAUGE_TENSOR_PLACEMENT_H

#include "lib/delegate/delegate.h"

struct session;

struct placement_buffer {
    uint32_t id;
    size_t bytes;
    bool spare; /* handed out by placement_spare */
};

/* Of a prepared session; zeros else. */
struct tensor_placement {
    struct delegate *delegate; /* whose device it is; NULL: all tensors are in host memory */
    bool *possible;            /* [graph tensors] none but its partitions and nodes that call make and read it */
    bool *unread;              /* [graph tensors] made, and then of no use to anybody */
    uint32_t *at;              /* [graph tensors] the buffer that it lies in, 0: host memory */
    struct placement_buffer *buffers;
    uint32_t n_buffers;
};

/* Of a session whose kernels are made: finds what is possible, and places what goes from partitions to nodes that call. Fails as
 * making and binding buffers do. */
enum status placement_find(struct session *s, struct err *err);

/* Unless it lies there already: from the next run on t, which is possible, lies in that buffer, of at least
 * delegate_dense_bytes(t) and of the same delegate; 0: in host memory. Lasts until the session is prepared again. The content is
 * left behind. */
enum status placement_set(struct session *s, const struct tensor *t, uint32_t buffer, struct err *err);

/* Where it lies. */
uint32_t placement_of(const struct session *s, const struct tensor *t);
bool placement_possible(const struct session *s, const struct tensor *t);
bool placement_unread(const struct session *s, const struct tensor *t); /* it need not be anywhere */

/* What output k of a graph is: its input i; else the same as output i, which is k where none before it is. */
struct output_origin {
    bool is_input;
    uint32_t i;
};
struct output_origin output_origin(const struct graph *g, uint32_t k);
bool output_is_made(const struct graph *g, uint32_t k); /* neither an input nor an output before it */

/* A buffer of the session's own that can hold t and is none of used[n]; it stays with the session. */
enum status placement_spare(struct session *s, const struct tensor *t, const uint32_t *used, uint32_t n, uint32_t *id,
                            struct err *err);

/* Frees the buffers; leaves zeros. Kernels are freed before. */
void placement_free(struct tensor_placement *p);

#endif
