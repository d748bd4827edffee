/* SPDX-License-Identifier: Apache-2.0 */
/* serialization_cache.c - keys, and what is said where a stored start is no help. */
#include "lib/gl/cache/serialization_cache.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core_id.h"
#include "lib/base/hash64.h"
#include "lib/base/threads.h"
#include "lib/gl/device/binaries.h"
#include "lib/graph/graph_part.h"

/* Grows with every change of what sections hold. */
#define FORMAT 4

enum status gl_cache_init(struct gl_cache *s, struct delegate *d, const char *dir, const char *token, int32_t max_mb,
                          struct err *err)
{
    bool no_dir = !dir || !*dir, no_token = !token || !*token;
    enum status st;

    *s = (struct gl_cache){.delegate = d};
    if (no_dir && no_token)
        return ST_OK;
    if (no_dir || no_token)
        return err_set(err, ST_USAGE,
                       "--delegate_serialize_dir and --delegate_serialize_token: one is of no use without the other");
    if ((st = store_check_token(token, err)))
        return err_prefix(err, st, "--delegate_serialize_token");
    /* A second earlier: the clock of a file system may lag behind. */
    s->bound = (struct store_bound){max_mb > 0 ? (uint64_t)max_mb * 1000000 : 0, time(NULL) - 1};
    s->dir = strdup(dir);
    s->token = strdup(token);
    if (s->dir && s->token)
        return ST_OK;
    gl_cache_fini(s);
    return err_set(err, ST_NOMEM, "out of memory");
}

void gl_cache_fini(struct gl_cache *s)
{
    free(s->dir);
    free(s->token);
    *s = (struct gl_cache){0};
}

/* ---- keys ---- */

void gl_cache_use(struct gl_cache *s, const struct gl_context *c, const char *options, bool no_binaries)
{
    const char *vendor = (const char *)glGetString(GL_VENDOR);
    char text[1024], limits[SHA256_HEX_SIZE];
    uint64_t numbers[GL_LIMITS_NUMBERS];
    int n;

    if (!s->dir)
        return;
    s->binaries = !no_binaries && gl_binaries_can();
    gl_limits_numbers(&c->limits, numbers);
    sha256_hex(numbers, sizeof numbers, limits);
    /* The same sources make the same by the same compiler and flags, whichever program they are in: what benchmark_model has
     * stored, a tuned choice among it, is what inference_diff holds against the CPU. Mesa takes no program that it made for another
     * number of processors, where these are the device (22.3.6). */
    n = snprintf(text, sizeof text, "%s\n%d\n%s\n%zu\n%s\n%s\n%d\n%d\n%s\n%s\n%s\n", DG_CORE_ID, FORMAT, __VERSION__,
                 sizeof(void *), options, limits, s->binaries, c->limits.policy.software ? threads_processors() : 0,
                 vendor ? vendor : "", c->renderer, c->version);
    sha256_hex(text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1, s->device);
}

/* SHA-256 of the types and shapes of all tensors; false without memory. */
static bool hash_shapes(const struct graph *g, char hash[SHA256_HEX_SIZE])
{
    size_t n = 1;
    int32_t *words, *to;

    for (uint32_t i = 0; i < g->n_tensors; i++)
        n += 2 + (size_t)g->tensors[i].rank;
    if (!(words = to = calloc(n, sizeof *words)))
        return false;
    for (uint32_t i = 0; i < g->n_tensors; i++) {
        const struct tensor *t = &g->tensors[i];

        *to++ = (int32_t)t->type;
        *to++ = t->rank;
        for (int32_t k = 0; k < t->rank; k++)
            *to++ = t->dim[k];
    }
    sha256_hex(words, n * sizeof *words, hash);
    free(words);
    return true;
}

/* SHA-256 of which nodes a part has, and of what is known of its inputs; "" of a whole graph. False without memory. */
static bool hash_part(const struct graph *g, char hash[SHA256_HEX_SIZE])
{
    uint64_t *words, *to;

    *hash = '\0';
    if (!g->part)
        return true;
    if (!(words = to = calloc(1 + (size_t)g->n_nodes + 3 * (size_t)g->n_inputs, sizeof *words)))
        return false;
    *to++ = g->part->level;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        *to++ = g->part->within[i];
    for (uint32_t i = 0; i < g->n_inputs; i++, to += 3) {
        const void *known = g->part->known[g->inputs[i]->index];

        to[0] = g->inputs[i]->index;
        if (known)
            hash128(known, g->inputs[i]->bytes, to + 1);
    }
    sha256_hex(words, (size_t)(to - words) * sizeof *words, hash);
    free(words);
    return true;
}

/* Of the file, and of what its weights are outside of it. */
static void hash_model(const struct model *m, uint64_t hash[2])
{
    hash128(m->file, m->file_bytes, hash);
    for (uint32_t i = 0; i < m->n_groups; i++) {
        uint64_t both[4] = {hash[0], hash[1]};

        if (!m->groups[i].range.data)
            continue;
        hash128(m->groups[i].range.data, m->groups[i].range.bytes, both + 2);
        hash128(both, sizeof both, hash);
    }
}

void gl_cache_see(struct gl_cache *s, const struct graph *g)
{
    char text[4 * SHA256_HEX_SIZE], shapes[SHA256_HEX_SIZE], part[SHA256_HEX_SIZE];
    uint64_t hash[2];
    int n;

    s->seen = g;
    s->graph[0] = '\0';
    if (!s->dir || !s->device[0] || !g->model->file || !hash_shapes(g, shapes) || !hash_part(g, part))
        return;
    hash_model(g->model, hash);
    n = snprintf(text, sizeof text, "%016llx%016llx\n%zu\n%u\n%s\n%s\n", (unsigned long long)hash[0], (unsigned long long)hash[1],
                 g->model->file_bytes, g->subgraph, shapes, part);
    sha256_hex(text, (size_t)n, s->graph);
}

struct store_id gl_cache_id(const struct gl_cache *s, const char *kind, const uint32_t *content, size_t n)
{
    struct store_id id = {.dir = s->dir, .token = s->token};
    char text[4 * SHA256_HEX_SIZE], hash[SHA256_HEX_SIZE];
    int bytes = snprintf(text, sizeof text, "%s\n%s\n%.60s\n%s\n", s->device, s->graph, kind,
                         sha256_hex(content, n * sizeof *content, hash));

    sha256_hex(text, (size_t)bytes, id.key);
    return id;
}

/* ---- reading and writing ---- */

void gl_cache_tell(struct gl_cache *s, enum gl_cache_trouble what, const char *text)
{
    if (!(s->told & what))
        delegate_warn(s->delegate, "%s", text);
    s->told |= what;
}

bool gl_cache_read(struct gl_cache *s, const struct store_id *id, struct store_entry *out)
{
    struct err err = {""}, said;
    enum status st = store_open(id, out, &err);

    if (!st)
        return out->map != NULL;
    if (st == ST_IO)
        err_set(&said, ST_FAILED, "no start can be stored there: %.400s", err.msg);
    else
        err_set(&said, ST_FAILED, "%.400s; it is made anew", err.msg);
    gl_cache_tell(s, st == ST_IO ? GL_CACHE_UNWRITABLE : GL_CACHE_UNREADABLE, said.msg);
    return false;
}

void gl_cache_write(struct gl_cache *s, const struct store_id *id, const struct store_section *sections, uint32_t n)
{
    struct err err = {""}, said;

    if (!store_write(id, sections, n, &s->bound, &err))
        return;
    err_set(&said, ST_FAILED, "this start is not stored for the next: %.400s", err.msg);
    gl_cache_tell(s, GL_CACHE_UNWRITABLE, said.msg);
}
