/* SPDX-License-Identifier: Apache-2.0 */
/* session_cache.c - sessions of one graph, found by the shapes of their inputs. */
#include "lib/session/session_impl.h"

#include <stdlib.h>
#include <string.h>

struct cached_session *cached_session_new(struct tensor *const *in, uint32_t n_in)
{
    struct cached_session *e = calloc(1, sizeof *e);

    if (e && (!(e->shapes = ARENA_ARRAY(&e->arena, (size_t)n_in * (1 + TENSOR_MAX_RANK), int32_t)) ||
              !(e->known = ARENA_ARRAY(&e->arena, n_in, void *)))) {
        cached_session_free(e);
        return NULL;
    }
    for (uint32_t i = 0; e && i < n_in; i++) {
        int32_t *to = e->shapes + (size_t)i * (1 + TENSOR_MAX_RANK);

        to[0] = in[i]->rank;
        memcpy(to + 1, in[i]->dim, (size_t)in[i]->rank * sizeof *to);
    }
    return e;
}

void cached_session_free(struct cached_session *e)
{
    if (!e)
        return;
    session_free(e->s);
    arena_free(&e->arena);
    free(e);
}

static bool is_for(const struct cached_session *e, struct tensor *const *in, uint32_t n_in)
{
    for (uint32_t i = 0; i < n_in; i++) {
        const int32_t *was = e->shapes + (size_t)i * (1 + TENSOR_MAX_RANK);
        const struct tensor *t = in[i];

        if (was[0] != t->rank || memcmp(was + 1, t->dim, (size_t)t->rank * sizeof *was) != 0 ||
            (e->known[i] && memcmp(e->known[i], t->data, t->bytes) != 0))
            return false;
    }
    return true;
}

struct cached_session *session_cache_find(const struct session_cache *c, struct tensor *const *in, uint32_t n_in)
{
    struct cached_session *e = c->first;

    while (e && !is_for(e, in, n_in))
        e = e->next;
    return e;
}

bool session_cache_gives_up(struct session_cache *c, bool hit)
{
    if (c->given_up)
        return false;
    c->misses = hit ? 0 : c->misses + 1;
    return c->given_up = c->misses > SESSION_CACHE_MISSES;
}

void session_cache_add(struct session_cache *c, struct cached_session *e)
{
    e->next = c->first;
    c->first = e;
}

void session_cache_drop(struct session_cache *c, struct cached_session *e)
{
    struct cached_session **at = &c->first;

    while (*at != e)
        at = &(*at)->next;
    *at = e->next;
    cached_session_free(e);
}

void session_cache_trim(struct session_cache *c, uint32_t most)
{
    for (;;) {
        struct cached_session *oldest = NULL;
        uint32_t n = 0;

        for (struct cached_session *e = c->first; e; e = e->next, n++)
            if ((!e->s || !e->s->call.within) && (!oldest || e->used < oldest->used))
                oldest = e;
        if (n <= most || !oldest)
            return;
        session_cache_drop(c, oldest);
    }
}

void session_cache_free(struct session_cache *c)
{
    while (c->first)
        session_cache_drop(c, c->first);
}
