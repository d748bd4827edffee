/* SPDX-License-Identifier: Apache-2.0 */
/* order.c - Kahn's algorithm with a binary heap of ready indices. */
#include "lib/graph/order.h"

struct heap {
    uint32_t *at;
    uint32_t n;
};

static void heap_push(struct heap *h, uint32_t v)
{
    uint32_t i = h->n++;

    for (; i && h->at[(i - 1) / 2] > v; i = (i - 1) / 2)
        h->at[i] = h->at[(i - 1) / 2];
    h->at[i] = v;
}

static uint32_t heap_pop(struct heap *h)
{
    uint32_t top = h->at[0], v = h->at[--h->n], i = 0, child;

    while ((child = 2 * i + 1) < h->n) {
        if (child + 1 < h->n && h->at[child + 1] < h->at[child])
            child++;
        if (h->at[child] >= v)
            break;
        h->at[i] = h->at[child];
        i = child;
    }
    h->at[i] = v;
    return top;
}

enum status order_sort(uint32_t n, const struct edge *edges, size_t n_edges, struct arena *a, uint32_t *order, uint32_t *cycle,
                       struct err *err)
{
    uint32_t *waits = ARENA_ARRAY(a, n, uint32_t), done = 0;
    size_t *first = ARENA_ARRAY(a, (size_t)n + 1, size_t); /* [i]..[i+1]: successors of i in next[] */
    uint32_t *next = ARENA_ARRAY(a, n_edges, uint32_t);
    struct heap ready = {ARENA_ARRAY(a, n, uint32_t), 0};

    if (!waits || !first || !next || !ready.at)
        return err_set(err, ST_NOMEM, "out of memory for the order of %u nodes", n);
    for (size_t e = 0; e < n_edges; e++) {
        first[edges[e].from + 1]++;
        waits[edges[e].to]++;
    }
    for (uint32_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    for (size_t e = n_edges; e-- > 0;) /* fills each list from its end; first[i + 1] walks down to the start of i's list */
        next[--first[edges[e].from + 1]] = edges[e].to;
    /* now first[i + 1] is where i's list starts; i's list ends where (i + 1)'s starts */
    for (uint32_t i = 0; i < n; i++)
        if (!waits[i])
            heap_push(&ready, i);
    while (ready.n) {
        uint32_t v = heap_pop(&ready);
        size_t end = v + 1 < n ? first[v + 2] : n_edges;

        order[done++] = v;
        for (size_t k = first[v + 1]; k < end; k++)
            if (!--waits[next[k]])
                heap_push(&ready, next[k]);
    }
    if (done == n)
        return ST_OK;
    for (*cycle = 0; !waits[*cycle]; ++*cycle)
        ;
    return err_set(err, ST_BAD_MODEL, "nodes wait for each other in a cycle");
}
