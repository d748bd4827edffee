/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.c - what sessions share is made and freed. */
#include "lib/session/runtime.h"

#include "lib/session/session_impl.h"

#include <stdlib.h>

enum status runtime_new(struct session *outermost, uint32_t n_subgraphs, struct runtime **out, struct err *err)
{
    struct runtime *r = calloc(1, sizeof *r);
    enum status st;

    if (r && (r->called = calloc((size_t)n_subgraphs + 1, sizeof *r->called))) {
        r->outermost = outermost;
        r->n_called = n_subgraphs;
        st = threads_new(outermost->opt.num_threads, &r->threads, err);
    } else {
        st = err_set(err, ST_NOMEM, "out of memory for %u subgraphs", n_subgraphs);
    }
    if (st) {
        runtime_free(r);
        r = NULL;
    }
    *out = r;
    return st;
}

void runtime_free(struct runtime *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->n_called; i++) {
        session_cache_free(&r->called[i].by_delegates);
        session_free(r->called[i].by_cpu);
    }
    threads_free(r->threads);
    resources_free(r->resources);
    free(r->called);
    free(r);
}

struct session *runtime_called(const struct runtime *r, uint32_t i)
{
    for (uint32_t k = 0; k < r->n_called; k++) {
        for (const struct cached_session *e = r->called[k].by_delegates.first; e; e = e->next)
            if (!i--)
                return e->s;
        if (r->called[k].by_cpu && !i--)
            return r->called[k].by_cpu;
    }
    return NULL;
}
