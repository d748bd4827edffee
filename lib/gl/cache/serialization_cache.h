/* SPDX-License-Identifier: Apache-2.0 */
/* serialization_cache.h - a delegate's stored starts: what it keeps in a folder (store.h) to begin faster the next time, and under
 * which keys.
 *
 * Nothing here fails a run: what cannot be read, written or used is told once (delegate_warn) and made anew. */
#pragma once

#include "lib/base/store.h"
#include "lib/delegate/delegate.h"
#include "lib/gl/device/context.h"

/* Of a delegate; zeroed: nothing is stored. */
struct gl_cache {
    char *dir, *token;            /* NULL: nothing is stored */
    struct delegate *delegate;    /* is told of trouble */
    char device[SHA256_HEX_SIZE]; /* of all that every entry depends on: sources and compiler, driver, whether it gives its
                                     programs, its limits, options */
    bool binaries;                /* the driver gives its programs */
    const struct graph *seen;     /* by gl_cache_see, last */
    char graph[SHA256_HEX_SIZE];  /* of it; "" where it has none */
    struct store_bound bound;
    uint32_t told; /* bits of enum gl_cache_trouble */
};

enum gl_cache_trouble {
    GL_CACHE_UNREADABLE = 1 << 0, /* damaged, or of something else */
    GL_CACHE_UNWRITABLE = 1 << 1, /* the folder or a file; an entry that cannot be read is not written either */
    GL_CACHE_REFUSED = 1 << 2,
    GL_CACHE_NO_BINARIES = 1 << 3,
};

/* Takes note of the options: a folder and a token, both "" or NULL for none, and how many megabytes the folder may hold, below 1:
 * no bound. What is used from now on is not removed for others. ST_USAGE: only one is there, or the token cannot name a file. */
enum status gl_cache_init(struct gl_cache *s, struct delegate *d, const char *dir, const char *token, int32_t max_mb,
                          struct err *err);

/* To be called once with the context that the delegate uses; `options`: a text of its options that change what is made;
 * `no_binaries`: the driver is not to be asked for its programs. */
void gl_cache_use(struct gl_cache *s, const struct gl_context *c, const char *options, bool no_binaries);

void gl_cache_fini(struct gl_cache *s);

/* Takes note of the graph that the next entries are about; to be called before its nodes are claimed. It is told from others by the
 * model's bytes (hash128), the subgraph and the shapes of its tensors, a part of one (graph_part.h) by its nodes and what is known
 * of its inputs, too; the same sources make the same of these. */
void gl_cache_see(struct gl_cache *s, const struct graph *g);

/* Whether entries of this graph are kept. Those of models that were built in memory are not. */
static inline bool gl_cache_on(const struct gl_cache *s, const struct graph *g)
{
    return s && s->dir && s->seen == g && s->graph[0];
}

/* The entry for the part of that graph which content[n] names; entries of different `kind` ("claims") are different. */
struct store_id gl_cache_id(const struct gl_cache *s, const char *kind, const uint32_t *content, size_t n);

/* Opens the entry; false: there is none that could be used. To be closed with store_close in any case. */
bool gl_cache_read(struct gl_cache *s, const struct store_id *id, struct store_entry *out);

void gl_cache_write(struct gl_cache *s, const struct store_id *id, const struct store_section *sections, uint32_t n);

/* Tells of a trouble of that kind, if it is the first. */
void gl_cache_tell(struct gl_cache *s, enum gl_cache_trouble what, const char *text);
