/* SPDX-License-Identifier: Apache-2.0 */
/* session_cache.h - sessions of one graph, one for each set of input shapes: compiling for a delegate takes long.
 *
 * Called subgraphs (subgraph.h) and groups of nodes with dynamic shapes (dynamic_shapes.h) each have a cache. Zeros are an empty
 * one. */
#ifndef DELEGAUGE_SESSION_CACHE_H
#define DELEGAUGE_SESSION_CACHE_H

#include "lib/session/session.h"

enum {
    SESSION_CACHE_MAX = 16,    /* entries; the one that was used longest ago goes first */
    SESSION_CACHE_MISSES = 64, /* misses in a row after which a cache gives up: its runs are the CPU's from there on */
};

struct cached_session {
    struct cached_session *next;
    struct session *s; /* owned; NULL: delegates take nothing of it */
    int32_t *shapes;   /* [inputs][1 + TENSOR_MAX_RANK] rank and dimensions */
    void **known;      /* [inputs] the content of inputs that count as constants, else NULL */
    uint64_t used;     /* set by the caller: the larger, the later */
    struct arena arena;
};

struct session_cache {
    struct cached_session *first;
    uint32_t misses; /* in a row */
    bool given_up;
};

/* Return a new entry, of no cache yet, for inputs of the shapes of in[n_in]. NULL if memory runs out. */
struct cached_session *cached_session_new(struct tensor *const *in, uint32_t n_in);

/* Free an entry with its session. Accepts NULL. */
void cached_session_free(struct cached_session *e);

/* Return the entry for inputs of the shapes of in[n_in], and the content where that counts; NULL if there is none. */
struct cached_session *session_cache_find(const struct session_cache *c, struct tensor *const *in, uint32_t n_in);

/* Count a hit or a miss. Return true if this is the miss with which the cache gives up: call session_cache_trim(c, 0) then. */
bool session_cache_gives_up(struct session_cache *c, bool hit);

/* Add an entry, which the cache owns from here on. */
void session_cache_add(struct session_cache *c, struct cached_session *e);

/* Free the entries that were used longest ago until `most` are left. Entries that a call is in the middle of stay. */
void session_cache_trim(struct session_cache *c, uint32_t most);

/* Remove an entry and free it. */
void session_cache_drop(struct session_cache *c, struct cached_session *e);

/* Free all entries. */
void session_cache_free(struct session_cache *c);

#endif
