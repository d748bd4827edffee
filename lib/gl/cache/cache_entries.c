/* SPDX-License-Identifier: Apache-2.0 */
/* cache_entries.c - sections of entries, and what they are held against. */
#include "lib/gl/cache/cache_entries.h"

#include <stdlib.h>
#include <string.h>

#include "lib/gl/device/binaries.h"
#include "lib/gl/device/program_build.h"

enum section {
    SECTION_PLAN = 1,
    SECTION_CONSTANTS,
    SECTION_BINARIES,
    SECTION_SOURCES,
    SECTION_CLAIMS,
    SECTION_TOGETHER,
    SECTION_TUNING
};

/* ---- claims ---- */

/* A node that was not taken. */
struct refused {
    uint32_t node; /* of graph.nodes */
    struct reason why;
};

static bool is_free(const struct claim *c)
{
    return !c->owner && !c->barred;
}

/* Which nodes were free decides about what was asked. False without memory. */
static bool claims_id(const struct gl_cache *stored, const struct graph *g, const struct claim *claims, struct store_id *id)
{
    uint32_t *content = malloc((g->n_nodes + 1) * sizeof *content), n = 0;

    if (!content)
        return false;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (is_free(&claims[i]))
            content[n++] = i;
    *id = gl_cache_id(stored, "claims", content, n);
    free(content);
    return true;
}

/* The section lists nodes of the graph in order, each with a reason; the others pass the checks that need no lowering. */
static bool claims_suit(const struct store_section *s, const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g,
                        const struct claim *claims)
{
    const struct refused *r = s ? s->data : NULL;
    const size_t n = s ? s->bytes / sizeof *r : 0;
    struct reason why;
    uint32_t next = 0;

    if (!s || s->bytes % sizeof *r)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (r[i].node < next || r[i].node >= g->n_nodes || r[i].why.code <= REASON_NONE || r[i].why.code >= REASON_COUNT ||
            !memchr(r[i].why.text, 0, sizeof r[i].why.text))
            return false;
        next = r[i].node + 1;
    }
    for (uint32_t i = 0, k = 0; i < g->n_nodes; i++)
        if (k < n && r[k].node == i)
            k++;
        else if (is_free(&claims[i]) && !gl_accept(lim, quant, g, &g->nodes[i], &why))
            return false;
    return true;
}

bool gl_restore_claims(struct gl_cache *stored, const struct gl_limits *lim, enum gpu_quant quant, const struct graph *g,
                       struct claim *claims)
{
    struct store_entry entry = {0};
    const struct store_section *s;
    const struct refused *r;
    struct store_id id;
    bool found;
    size_t k = 0;

    if (!gl_cache_on(stored, g) || !claims_id(stored, g, claims, &id) || !gl_cache_read(stored, &id, &entry))
        return false;
    s = store_find(&entry, SECTION_CLAIMS);
    found = claims_suit(s, lim, quant, g, claims);
    if (!found)
        gl_cache_tell(stored, GL_CACHE_REFUSED, "stored claims are not of this graph; its nodes are asked about anew");
    for (uint32_t i = 0; found && i < g->n_nodes; i++) {
        bool is_refused;

        r = s->data;
        is_refused = k < s->bytes / sizeof *r && r[k].node == i;
        if (is_free(&claims[i]) && is_refused)
            claims[i].why = r[k].why;
        else if (is_free(&claims[i]))
            claims[i] = (struct claim){.owner = stored->delegate};
        k += is_refused;
    }
    store_close(&entry);
    return found;
}

void gl_keep_claims(struct gl_cache *stored, const struct graph *g, const struct claim *before, const struct claim *claims)
{
    struct refused *list = calloc(g->n_nodes + 1, sizeof *list);
    struct store_section s = {.kind = SECTION_CLAIMS, .data = list};
    struct store_id id;

    for (uint32_t i = 0; list && i < g->n_nodes; i++)
        if (is_free(&before[i]) && !claims[i].owner) {
            struct refused *r = &list[s.bytes / sizeof *list];

            r->node = i;
            r->why.code = claims[i].why.code;
            snprintf(r->why.text, sizeof r->why.text, "%s", claims[i].why.text);
            s.bytes += sizeof *list;
        }
    if (list && claims_id(stored, g, before, &id))
        gl_cache_write(stored, &id, &s, 1);
    free(list);
}

/* ---- sources ---- */

/* The records of binaries.h, with texts, the zero at their end included; those of programs that no dispatch has are left out. */
static void *join_sources(const struct gl_draft *draft, const struct gl_program_set *programs, size_t *bytes)
{
    size_t room = 1;
    char *block;

    for (uint32_t i = 0; i < draft->n_dispatches; i++)
        room += sizeof(struct gl_binary) + strlen(draft->dispatches[i].shader.text) + 8;
    *bytes = 0;
    if (!(block = calloc(1, room)))
        return NULL;
    for (uint32_t i = 0; i < programs->n; i++)
        for (uint32_t j = 0; j < draft->n_dispatches; j++)
            if (draft->dispatches[j].program == i) {
                struct gl_binary b = {.bytes = (uint32_t)strlen(draft->dispatches[j].shader.text) + 1};

                memcpy(b.hash, programs->list[i]->hash, sizeof b.hash);
                memcpy(block + *bytes, &b, sizeof b);
                memcpy(block + *bytes + sizeof b, draft->dispatches[j].shader.text, b.bytes);
                *bytes += sizeof b + (b.bytes + 7) / 8 * 8;
                break;
            }
    return block;
}

/* The text of that hash in a section of sources; NULL: it has none that ends. */
static const char *find_source(const struct store_section *s, const char *hash)
{
    struct gl_binary b;

    for (size_t at = 0; at <= s->bytes && s->bytes - at >= sizeof b; at += sizeof b + (b.bytes + 7) / 8 * 8) {
        const char *text = (const char *)s->data + at + sizeof b;

        memcpy(&b, (const char *)s->data + at, sizeof b);
        if (b.bytes > INT32_MAX || b.bytes > s->bytes - at - sizeof b)
            return NULL;
        if (!memcmp(b.hash, hash, sizeof b.hash))
            return memchr(text, 0, b.bytes) ? text : NULL;
    }
    return NULL;
}

/* ---- partitions ---- */

/* Names a partition within its graph: content[partition_words()]. */
static uint32_t partition_words(const struct partition *p)
{
    return p->n_nodes + p->n_inputs + p->n_outputs + 3;
}

static uint32_t *add_partition(uint32_t *to, const struct graph *g, const struct partition *p)
{
    *to++ = p->n_nodes;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        *to++ = (uint32_t)(p->nodes[i] - g->nodes);
    *to++ = p->n_inputs;
    for (uint32_t i = 0; i < p->n_inputs; i++)
        *to++ = p->inputs[i]->index;
    *to++ = p->n_outputs;
    for (uint32_t i = 0; i < p->n_outputs; i++)
        *to++ = p->outputs[i]->index;
    return to;
}

static bool partition_id(const struct gl_cache *stored, const struct graph *g, const struct partition *p, struct store_id *id)
{
    uint32_t *content = malloc(partition_words(p) * sizeof *content);

    if (!content)
        return false;
    add_partition(content, g, p);
    *id = gl_cache_id(stored, "partition", content, partition_words(p));
    free(content);
    return true;
}

/* Names partitions parts[n] of g that share memory; and whether what goes between them must be seen. False without memory. */
static bool name_together(const struct graph *g, const struct partition *const *parts, uint32_t n, char hash[SHA256_HEX_SIZE])
{
    size_t words = n + 1;
    uint32_t *content, *to;

    for (uint32_t i = 0; i < n; i++)
        words += partition_words(parts[i]);
    if (!(content = to = malloc(words * sizeof *content)))
        return false;
    *to++ = n;
    for (uint32_t i = 0; i < n; i++) {
        *to++ = parts[i]->watched;
        to = add_partition(to, g, parts[i]);
    }
    sha256_hex(content, words * sizeof *content, hash);
    free(content);
    return true;
}

static bool are_of_one_start(struct gl_restored *const *rs, const struct partition *const *parts, uint32_t n)
{
    char hash[SHA256_HEX_SIZE];

    if (!name_together(rs[0]->graph, parts, n, hash))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct store_section *s = store_find(&rs[i]->entry, SECTION_TOGETHER);

        if (!s || s->bytes != sizeof hash || memcmp(s->data, hash, sizeof hash) != 0)
            return false;
    }
    return true;
}

bool gl_restored_together(struct gl_cache *stored, const struct gl_limits *lim, struct gl_restored *const *rs, uint32_t n)
{
    const struct partition **parts = calloc(n, sizeof *parts);
    const struct gl_plan **plans = calloc(n, sizeof *plans);
    bool good = parts && plans;

    for (uint32_t i = 0; i < n && good; i++) {
        parts[i] = rs[i]->part;
        plans[i] = rs[i]->plan;
    }
    if (good && (good = are_of_one_start(rs, parts, n)) && !(good = gl_plans_agree(plans, n, lim)))
        gl_cache_tell(stored, GL_CACHE_UNREADABLE, "stored partitions do not go together; they are made anew");
    free(parts);
    free(plans);
    return good;
}

/* The name that the first dispatch of a program gives it. */
static const char *label_of(const struct gl_plan *p, uint32_t program)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++)
        if (d[i].program == program)
            return gl_plan_string(p, d[i].label);
    return "";
}

/* Fills the set in the plan's order. */
static enum status name_programs(struct gl_restored *r, struct gl_programs *all, const struct store_section *sources, bool *good,
                                 struct err *err)
{
    const struct gl_plan_program *p = gl_plan_array(r->plan, GL_PLAN_PROGRAMS);
    enum status st = ST_OK;

    *good = true;
    for (uint32_t i = 0; i < gl_plan_n(r->plan, GL_PLAN_PROGRAMS) && !st && *good; i++) {
        const char *text = sources ? find_source(sources, p[i].hash) : NULL, *label = label_of(r->plan, i);
        uint32_t index = i;

        if (!sources)
            st = gl_programs_add_hash(all, &r->programs, p[i].hash, label, &index, err);
        else if (text)
            st = gl_programs_add(all, &r->programs, text, label, &index, err);
        *good = index == i && (!sources || text) && (st || !strcmp(r->programs.list[i]->hash, p[i].hash));
    }
    return st;
}

static enum status make_programs(struct gl_restored *r, struct gl_cache *stored, struct gl_context *c, bool *good, struct err *err)
{
    const struct gl_building how = {.context = c, .helpers = &c->programs.helpers, .parallel = c->parallel_compile};
    const struct store_section *binaries = store_find(&r->entry, SECTION_BINARIES),
                               *sources = store_find(&r->entry, SECTION_SOURCES);
    enum status st = name_programs(r, &c->programs, binaries ? NULL : sources, good, err);

    if (st || !*good)
        return st;
    if (!binaries && !sources) {
        *good = false;
        return ST_OK;
    }
    if (!binaries)
        st = gl_programs_build(&r->programs, &how, err);
    else
        *good = gl_binaries_load(&r->programs, binaries->data, binaries->bytes);
    if (st != ST_NOMEM && (st || !*good)) {
        *good = false;
        gl_cache_tell(stored, GL_CACHE_REFUSED, "the driver does not take programs that were stored; the partition is made anew");
        st = ST_OK;
    }
    return st ? st : gl_context_check(c, "loading programs", err);
}

/* A copy of the stored plan, if it is one for this partition and goes with the constants. */
static struct gl_plan *take_plan(const struct gl_restored *r, const struct gl_limits *lim)
{
    const struct store_section *s = store_find(&r->entry, SECTION_PLAN), *constants = store_find(&r->entry, SECTION_CONSTANTS);
    struct gl_plan *p;

    if (!s || !constants || gl_plan_check(s->data, s->bytes, NULL) || gl_plan_suits(s->data, r->graph, r->part, NULL))
        return NULL;
    if (gl_plan_fits(s->data, lim, NULL))
        return NULL;
    if (constants->bytes != ((const struct gl_plan *)s->data)->store_bytes[GL_STORE_CONSTANTS] || !(p = malloc(s->bytes)))
        return NULL;
    return memcpy(p, s->data, s->bytes);
}

static enum status write_constants(void *arg, char *to, struct err *err)
{
    const struct gl_restored *r = arg;
    const struct store_section *s = store_find(&r->entry, SECTION_CONSTANTS);

    (void)err;
    memcpy(to, s->data, s->bytes);
    return ST_OK;
}

bool gl_restored_prepare(struct gl_cache *stored, const struct gl_run_settings *set, struct gl_restored *const *rs, uint32_t n,
                         struct gl_executable **out)
{
    struct err why = {""}, said;
    enum status st = ST_OK;

    memset(out, 0, n * sizeof *out);
    for (uint32_t i = 0; i < n && !st; i++) {
        const struct gl_loading from = {rs[i]->graph, rs[i]->part, rs[i]->plan, &rs[i]->programs, write_constants, rs[i]};

        st = gl_executable_new(set, &from, &out[i], &why);
        rs[i]->plan = NULL;
    }
    if (!st)
        return true;
    err_set(&said, ST_FAILED, "what was stored cannot be set up: %.200s; it is made anew", why.msg);
    gl_cache_tell(stored, GL_CACHE_REFUSED, said.msg);
    for (uint32_t i = 0; i < n; i++) {
        gl_executable_free(out[i]);
        out[i] = NULL;
    }
    return false;
}

void gl_restored_free(struct gl_context *c, struct gl_restored *r)
{
    if (!r)
        return;
    gl_programs_release(gl_context_is_current(c) ? &c->programs : NULL, &r->programs);
    store_close(&r->entry);
    free(r->plan);
    free(r);
}

static const struct gl_tuning *find_tuning(const struct store_entry *e, const struct graph *g)
{
    const struct store_section *s = store_find(e, SECTION_TUNING);

    return s && gl_tuning_check(s->data, s->bytes, g->n_nodes) ? s->data : NULL;
}

struct gl_tuning *gl_restore_tuning(struct gl_cache *stored, const struct graph *g, const struct partition *part)
{
    struct store_entry entry = {0};
    struct gl_tuning *copy = NULL;
    const struct gl_tuning *t;
    struct store_id id;

    if (!gl_cache_on(stored, g) || !partition_id(stored, g, part, &id))
        return NULL;
    if (gl_cache_read(stored, &id, &entry) && (t = find_tuning(&entry, g)) && (copy = gl_tuning_new(g->n_nodes)))
        memcpy(copy, t, gl_tuning_bytes(g->n_nodes));
    store_close(&entry);
    return copy;
}

enum status gl_restore(struct gl_cache *stored, struct gl_context *c, bool tunes, const struct graph *g,
                       const struct partition *part, struct gl_restored **out, struct err *err)
{
    const struct gl_tuning *t = NULL;
    struct gl_restored *r;
    enum status st = ST_OK;
    struct store_id id;
    bool good = false;

    *out = NULL;
    if (!gl_cache_on(stored, g) || !partition_id(stored, g, part, &id))
        return ST_OK;
    if (!(r = calloc(1, sizeof *r)))
        return err_set(err, ST_NOMEM, "out of memory");
    r->graph = g;
    r->part = part;
    if (gl_cache_read(stored, &id, &r->entry) &&
        (!tunes || ((t = find_tuning(&r->entry, g)) && !t->is_cut))) { /* else it goes on */
        if ((r->plan = take_plan(r, &c->limits)))
            st = make_programs(r, stored, c, &good, err);
        else
            gl_cache_tell(stored, GL_CACHE_UNREADABLE, "a stored partition is not this one; it is made anew");
    }
    if (st || !good) {
        gl_restored_free(c, r);
        return st;
    }
    if (tunes) {
        r->nodes_tuned = t->nodes;
        snprintf(r->tuning_entry, sizeof r->tuning_entry, "%s_%.32s.dgs", id.token, id.key);
    }
    *out = r;
    return ST_OK;
}

/* Sources where the driver does not give its programs. False without memory. */
static bool keep_programs(struct gl_cache *stored, const struct gl_program_set *programs, const struct gl_draft *draft,
                          struct store_section *s, void **block)
{
    *block = NULL;
    if (stored->binaries && gl_binaries_save(programs, block, &s->bytes, NULL))
        return false;
    s->kind = SECTION_BINARIES;
    if (!s->bytes) {
        gl_cache_tell(stored, GL_CACHE_NO_BINARIES,
                      "the driver does not give its programs to be stored: their sources are, and compiled at each start");
        free(*block);
        *block = join_sources(draft, programs, &s->bytes);
        s->kind = SECTION_SOURCES;
    }
    s->data = *block;
    return *block != NULL;
}

static bool keep_one(struct gl_cache *stored, const struct gl_executable *x, const struct gl_draft *draft, const char *together)
{
    struct store_section s[] = {{SECTION_PLAN, x->plan, x->plan->bytes},
                                {SECTION_CONSTANTS, draft->packed, x->plan->store_bytes[GL_STORE_CONSTANTS]},
                                {SECTION_TOGETHER, together, SHA256_HEX_SIZE},
                                {.bytes = 0},
                                {SECTION_TUNING, draft->tuning, draft->tuning ? gl_tuning_bytes(draft->tuning->n) : 0}};
    struct store_id id;
    void *block;
    bool good = draft->packed && keep_programs(stored, &x->programs, draft, &s[3], &block);

    if (!good)
        return false;
    if ((good = partition_id(stored, x->graph, x->part, &id)))
        gl_cache_write(stored, &id, s, draft->tuning ? 5 : 4);
    free(block);
    return good;
}

void gl_keep(struct gl_cache *stored, struct gl_executable *const *xs, struct gl_draft *const *drafts, uint32_t n)
{
    const struct partition **parts = calloc(n, sizeof *parts);
    char together[SHA256_HEX_SIZE];
    bool good = parts != NULL;

    for (uint32_t i = 0; i < n && good; i++)
        parts[i] = xs[i]->part;
    good = good && name_together(xs[0]->graph, parts, n, together);
    for (uint32_t i = 0; i < n && good; i++)
        good = keep_one(stored, xs[i], drafts[i], together);
    if (!good)
        gl_cache_tell(stored, GL_CACHE_UNWRITABLE, "out of memory for storing this start");
    free(parts);
}
