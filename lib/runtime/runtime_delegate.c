/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_delegate.c - from a graph to a model in a host, and runs of it. */
#include "lib/runtime/runtime_delegate.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/sha256.h"
#include "lib/delegate/partition.h"
#include "lib/rewrite/extract.h"

enum {
    MOST_WARNINGS = 4 /* lines of a library that are passed on, for each model */,
    MOST_MASK = 100000 /* bytes; Linux: 131071 */
};

struct runtime_kernel;

struct runtime_delegate {
    struct delegate base;
    struct delegate_library library;
    const struct runtime *runtime;
    struct host_options host;
    bool takes_signatures, left_told;
    char *path, *asked, *precision, *options, *useless;
    char search[2][4400]; /* folders for its libraries, in its environment */
    const char *environment[3];
    char sha256[SHA256_HEX_SIZE], device[400];
    struct runtime_facts facts;         /* of the host that was started last */
    char refused[200];                  /* why it does not run the whole model that it was given last; "": it does */
    bool mask_refused;                  /* that was for its mask: parts are not refused for it */
    const struct runtime_kernel *whole; /* the first of those with the whole model that is there; NULL: none */
};

struct runtime_kernel {
    struct delegate_kernel head;
    struct runtime_delegate *d;
    const struct partition *part;
    struct host *host;
    struct tensor **inputs, **outputs; /* in the order of the host's model */
    void **was;                /* [n_inputs + n_outputs] data of tensors that lie in the host's memory, before; NULL: not there */
    const struct node **nodes; /* [n_nodes] by index in the host's model; NULL: not there */
    uint32_t n_inputs, n_outputs, n_nodes, runs, warned;
    uint32_t n_masked;
    bool stateful, reset;
    bool unprofiled; /* the library has no profile of it */
    bool invalid;    /* the last run, or the compilation, printed that it is */
    char invalid_words[200];
    struct delegate_timing *rows;
    struct arena arena;
};

/* ---- what the library prints ---- */

static void see_line(void *arg, const char *line)
{
    struct runtime_kernel *k = arg;
    const char *invalid = strstr(line, "Validation error");

    if ((invalid || (invalid = strstr(line, "WebGPU error"))) && !k->invalid) {
        k->invalid = true;
        snprintf(k->invalid_words, sizeof k->invalid_words, "%.199s", invalid);
    }
    if (strstr(line, "ERROR") && k->warned++ < MOST_WARNINGS)
        delegate_warn(&k->d->base, "%s: %.300s", k->d->base.type->label, line);
}

/* Errors of validation are printed, and the run seems to succeed; so does the compilation before it. */
static enum status check_log(struct runtime_kernel *k, struct err *err)
{
    bool invalid;

    host_log(k->host, see_line, k);
    invalid = k->invalid;
    k->invalid = false;
    return invalid ? err_set(err, ST_FAILED, "%s: the results are invalid: %s", k->d->runtime->name, k->invalid_words) : ST_OK;
}

/* ---- from a partition to a model ---- */

/* The model of a kernel, while it is made. */
struct source {
    const void *data;
    size_t bytes;
    uint8_t *owned;    /* to be freed, or NULL */
    int32_t signature; /* -1: none */
};

static int32_t signature_of(const struct graph *g)
{
    for (uint32_t i = 0; i < g->model->n_signatures; i++)
        if (g->model->signatures[i].subgraph == g->subgraph)
            return (int32_t)i;
    return -1;
}

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for a model of a runtime");
}

static enum status take_whole(struct runtime_kernel *k, const struct graph *g, struct source *s, struct err *err)
{
    k->n_inputs = g->n_inputs;
    k->n_outputs = g->n_outputs;
    k->inputs = g->inputs;
    k->outputs = g->outputs;
    k->n_nodes = g->n_nodes;
    if (!(k->nodes = ARENA_ARRAY(&k->arena, g->n_nodes, const struct node *)))
        return no_memory(err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        k->nodes[g->nodes[i].index] = &g->nodes[i];
    s->signature = signature_of(g);
    s->data = model_has_external(g->model) ? NULL : g->model->file; /* a copy in memory has nothing beside it */
    s->bytes = g->model->file_bytes;
    if (s->data)
        return ST_OK;
    return model_serialize(g->model, (uint8_t **)&s->data, &s->bytes, err) ? ST_NOMEM : (s->owned = (uint8_t *)s->data, ST_OK);
}

/* The tensors of the graph that the inputs or outputs of the new model are. */
static struct tensor **map_back(const struct graph *g, const uint32_t *at, const int32_t *list, uint32_t n, struct arena *a)
{
    struct tensor **out = ARENA_ARRAY(a, n, struct tensor *);

    for (uint32_t i = 0; i < g->n_tensors && out; i++)
        for (uint32_t k = 0; k < n; k++)
            if (at[i] == (uint32_t)list[k])
                out[k] = &g->tensors[i];
    return out;
}

static enum status take_part(struct runtime_kernel *k, const struct graph *g, struct source *s, struct err *err)
{
    bool *chosen = ARENA_ARRAY(&k->arena, g->n_nodes, bool);
    const struct model_subgraph *sub;
    struct model part;
    const uint32_t *at;
    enum status st;

    k->nodes = (const struct node **)k->part->nodes;
    k->n_nodes = k->part->n_nodes;
    if (!chosen)
        return no_memory(err);
    for (uint32_t i = 0; i < k->part->n_nodes; i++)
        chosen[k->part->nodes[i] - g->nodes] = true;
    if ((st = extract_nodes_at(g, chosen, &k->arena, &part, &at, err)) || (st = model_serialize(&part, &s->owned, &s->bytes, err)))
        return st;
    sub = part.subgraphs;
    s->data = s->owned;
    s->signature = -1;
    k->n_inputs = sub->n_inputs;
    k->n_outputs = sub->n_outputs;
    k->inputs = map_back(g, at, sub->inputs, sub->n_inputs, &k->arena);
    k->outputs = map_back(g, at, sub->outputs, sub->n_outputs, &k->arena);
    return k->inputs && k->outputs ? ST_OK : no_memory(err);
}

/* The name of an input or output in the signature. */
static const char *name_of(const struct graph *g, int32_t signature, bool output, const struct tensor *t)
{
    const struct model_signature *s = signature < 0 ? NULL : &g->model->signatures[signature];

    for (uint32_t i = 0; s && i < (output ? s->n_outputs : s->n_inputs); i++)
        if ((output ? s->output_tensors : s->input_tensors)[i] == t->index)
            return (output ? s->output_names : s->input_names)[i];
    return t->name;
}

static enum status describe(const struct graph *g, const struct tensor *t, bool output, int32_t signature,
                            struct runtime_tensor *out, struct err *err)
{
    if (!t || !type_bits(t->type) || t->type == TYPE_RESOURCE || (t->is_dynamic && !output))
        return err_set(err, ST_UNSUPPORTED, "%s \"%.80s\" (%s) cannot be handed over", output ? "output" : "input",
                       t ? t->name : "", t ? TENSOR_TEXT(t) : "omitted");
    *out = (struct runtime_tensor){.type = (int32_t)t->type, .rank = t->rank, .dynamic = t->is_dynamic, .bytes = t->bytes};
    memcpy(out->dim, t->dim, (size_t)t->rank * sizeof *t->dim);
    snprintf(out->name, sizeof out->name, "%s", name_of(g, signature, output, t));
    return ST_OK;
}

/* Whether its inputs have other shapes than in the file. */
static bool is_resized(const struct runtime_kernel *k, const struct graph *g)
{
    const struct model_subgraph *s = &g->model->subgraphs[g->subgraph];

    for (uint32_t i = 0; k->part->whole && i < k->n_inputs; i++)
        if (k->inputs[i] && !tensor_same_shape(k->inputs[i], &s->tensors[k->inputs[i]->index]))
            return true;
    return false;
}

static bool keeps_state(const struct partition *p)
{
    for (uint32_t i = 0; i < p->n_nodes; i++) {
        const struct node *n = p->nodes[i];

        for (uint32_t k = 0; k < n->n_in; k++)
            if (n->in[k] && n->in[k]->is_variable)
                return true;
        if (node_is_stateful(n))
            return true;
    }
    return false;
}

/* NAME=3,7 for the nodes that are masked, in the environment of this host alone. */
static enum status add_mask(struct runtime_kernel *k, const struct graph *g, const char **environment, struct err *err)
{
    const struct partition *p = k->part;
    const size_t size = strlen(k->d->runtime->mask) + 2 + (size_t)p->n_nodes * sizeof "65536,";
    char *text = arena_alloc(&k->arena, size, 1);
    size_t at;

    if (!text)
        return no_memory(err);
    if (g->model->n_subgraphs > 1)
        return err_set(err, ST_UNSUPPORTED, "masks of nodes are for the nodes of every subgraph alike, and the model has %u",
                       g->model->n_subgraphs);
    at = (size_t)snprintf(text, size, "%s=", k->d->runtime->mask);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (p->masked[i])
            at += (size_t)snprintf(text + at, size - at, "%s%u", k->n_masked++ ? "," : "", p->nodes[i]->index);
    if (at > MOST_MASK)
        return err_set(err, ST_UNSUPPORTED, "a mask of %u nodes does not fit into the environment", k->n_masked);
    while (*environment)
        environment++;
    *environment = text;
    return ST_OK;
}

static enum status start(struct runtime_kernel *k, const struct graph *g, const struct source *s, struct err *err)
{
    struct runtime_delegate *d = k->d;
    const char *environment[sizeof d->environment / sizeof *d->environment + 1] = {d->environment[0], d->environment[1]};
    const struct host_options how = {d->runtime, d->host.deadline_s, environment};
    const uint32_t n = k->n_inputs + k->n_outputs;
    struct runtime_job *job = calloc(1, sizeof *job);
    struct runtime_tensor *tensors = calloc((size_t)n + 1, sizeof *tensors);
    enum status st = job && tensors ? ST_OK : no_memory(err);

    if (!st && k->part->masked)
        st = add_mask(k, g, environment, err);
    for (uint32_t i = 0; i < n && !st; i++)
        st = describe(g, i < k->n_inputs ? k->inputs[i] : k->outputs[i - k->n_inputs], i >= k->n_inputs, s->signature, &tensors[i],
                      err);
    if (!st) {
        k->stateful = keeps_state(k->part);
        *job = (struct runtime_job){.signature = s->signature,
                                    .resized = is_resized(k, g),
                                    .n_masked = k->n_masked,
                                    .model_bytes = s->bytes,
                                    .n_inputs = k->n_inputs,
                                    .n_outputs = k->n_outputs};
        snprintf(job->library, sizeof job->library, "%s", d->path);
        if ((size_t)snprintf(job->options, sizeof job->options, "threads=%u\nnodes=%u\nlibrary=%.16s\n%s%s",
                             d->base.threads ? d->base.threads : 1, k->n_nodes, d->sha256, k->stateful ? "stateful=1\n" : "",
                             d->options) >= sizeof job->options)
            st = err_set(err, ST_USAGE, "the options of %s are longer than %zu bytes", d->runtime->name, sizeof job->options);
    }
    st = st ? st : host_start(&how, job, tensors, s->data, &k->host, err);
    free(tensors);
    free(job);
    return st;
}

/* ---- facts ---- */

/* Whether facts, times and memory of the library are to be of this kernel: not of trials beside the model. */
static bool is_reported(const struct runtime_kernel *k)
{
    if (k->part->whole && !k->part->masked && !k->d->whole)
        k->d->whole = k;
    return !k->d->whole || k->d->whole == k;
}

static void take_facts(struct runtime_delegate *d, const struct runtime_facts *f)
{
    d->facts = *f;
    d->library.n_taken = f->n_taken;
    d->library.load_ns = f->load_ns;
    d->library.compile_ns = f->compile_ns;
    snprintf(d->device, sizeof d->device, "%.200s (%s %.60s, %s)%s%.60s", d->path, d->base.type->label, f->version, d->asked,
             *d->precision ? ", " : "", d->precision);
}

/* ---- a kernel ---- */

static void runtime_free(struct delegate_kernel *head)
{
    struct runtime_kernel *k = (struct runtime_kernel *)head;

    for (uint32_t i = 0; k->was && i < k->n_inputs + k->n_outputs; i++)
        if (k->was[i])
            (i < k->n_inputs ? k->inputs[i] : k->outputs[i - k->n_inputs])->data = k->was[i];
    if (k->d->whole == k)
        k->d->whole = NULL;
    host_free(k->host);
    free(k->rows);
    arena_free(&k->arena);
    free(k);
}

static void *in_host(const struct runtime_kernel *k, uint32_t i)
{
    return i < k->n_inputs ? host_input(k->host, i) : host_output(k->host, i - k->n_inputs);
}

static struct tensor *tensor_at(const struct runtime_kernel *k, uint32_t i)
{
    return i < k->n_inputs ? k->inputs[i] : k->outputs[i - k->n_inputs];
}

/* The session's own tensors of a whole model lie in the memory that the host sees, so that nothing is copied for it. */
static enum status lay_into_host(struct runtime_kernel *k, struct err *err)
{
    const uint32_t n = k->n_inputs + k->n_outputs;

    if (!k->part->whole)
        return ST_OK;
    if (!(k->was = ARENA_ARRAY(&k->arena, n, void *)))
        return no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        struct tensor *t = tensor_at(k, i);
        bool twice = t->is_const || t->is_dynamic || !t->data;

        for (uint32_t before = 0; before < i && !twice; before++)
            twice = tensor_at(k, before) == t;
        if (twice)
            continue;
        memcpy(in_host(k, i), t->data, t->bytes);
        k->was[i] = t->data;
        t->data = in_host(k, i);
    }
    return ST_OK;
}

static enum status fetch_output(struct runtime_kernel *k, uint32_t i, struct err *err)
{
    struct tensor *t = k->outputs[i];
    struct runtime_tensor shape;
    enum status st;

    if (t->is_const)
        return ST_OK;
    if (tensor_is_among(t, k->inputs, k->n_inputs))
        return memcmp(t->data, host_output(k->host, i), t->bytes)
                   ? err_set(err, ST_FAILED, "%s: output %u \"%.80s\" is an input, and comes out with another content",
                             k->d->runtime->name, i, t->name)
                   : ST_OK;
    if (!t->is_dynamic) {
        if (t->data != host_output(k->host, i))
            memcpy(t->data, host_output(k->host, i), t->bytes);
        return tensor_check_bools(t, err);
    }
    if ((st = host_output_shape(k->host, i, &shape, err)) || (st = tensor_set_shape(t, shape.dim, shape.rank, err)) ||
        (st = tensor_reserve(t, err)) || (st = host_output_read(k->host, i, &shape, t->data, err)))
        return st;
    return tensor_check_bools(t, err);
}

static void report_run(struct runtime_kernel *k, const struct runtime_times *t, uint64_t outside_ns)
{
    struct delegate_library *l = &k->d->library;

    if (!k->runs) {
        take_facts(k->d, host_facts(k->host));
        l->process_bytes = host_memory(k->host);
        l->process_id = host_process(k->host);
        l->first_ns = t->write_ns + t->run_ns + t->read_ns;
    }
    l->times.write_ns += t->write_ns;
    l->times.run_ns += t->run_ns;
    l->times.read_ns += t->read_ns;
    l->times.handover_ns += outside_ns;
    l->times.runs++;
}

static enum status run(struct runtime_kernel *k, bool profiled, struct err *err)
{
    const uint64_t begin = clock_ns();
    struct runtime_times t;
    uint64_t outside_ns;
    enum status st = ST_OK;

    if (k->reset && (st = host_reset(k->host, err)))
        return st;
    k->reset = false;
    for (uint32_t i = 0; i < k->n_inputs; i++)
        if (k->inputs[i]->data != host_input(k->host, i))
            memcpy(host_input(k->host, i), k->inputs[i]->data, k->inputs[i]->bytes);
    if ((st = host_run(k->host, profiled, err)) || (st = check_log(k, err)))
        return st;
    for (uint32_t i = 0; i < k->n_outputs && !st; i++)
        st = fetch_output(k, i, err);
    t = host_times(k->host);
    outside_ns = clock_ns() - begin - (t.write_ns + t.run_ns + t.read_ns);
    if (is_reported(k))
        report_run(k, &t, outside_ns);
    k->runs++;
    k->d->base.outside_ns += outside_ns;
    return st;
}

static enum status runtime_invoke(struct delegate_kernel *head, struct err *err)
{
    return run((struct runtime_kernel *)head, false, err);
}

static void runtime_reset(struct delegate_kernel *head)
{
    struct runtime_kernel *k = (struct runtime_kernel *)head;

    k->reset = k->stateful && k->runs;
}

static const char *kept(struct arena *a, const char *text)
{
    char *copy = arena_alloc(a, strlen(text) + 1, 1);

    return copy ? strcpy(copy, text) : "";
}

static enum status runtime_profile(struct delegate_kernel *head, const struct delegate_timing **rows, size_t *n,
                                   struct delegate_overhead *overhead, struct err *err)
{
    struct runtime_kernel *k = (struct runtime_kernel *)head;
    enum status st = run(k, !k->unprofiled, err);
    struct runtime_times t;

    if (st == ST_UNSUPPORTED && !k->unprofiled) {
        delegate_warn(&k->d->base, "there is no profile: %s", err->msg);
        k->unprofiled = true;
        st = run(k, false, err);
    }
    if (st)
        return st;
    t = host_times(k->host);
    *n = host_n_events(k->host);
    if (!k->rows && !(k->rows = calloc(RUNTIME_MAX_EVENTS, sizeof *k->rows)))
        return no_memory(err);
    for (uint32_t i = 0; i < *n; i++) {
        struct runtime_event e;
        const struct node **node;

        host_event(k->host, i, &e);
        node = e.node >= 0 && (uint32_t)e.node < k->n_nodes && k->nodes[e.node] ? &k->nodes[e.node] : NULL;
        k->rows[i] = (struct delegate_timing){.kind = k->rows[i].kind && !strcmp(k->rows[i].kind, e.name) ? k->rows[i].kind
                                                                                                          : kept(&k->arena, e.name),
                                              .label = "",
                                              .nodes = (const struct node *const *)node,
                                              .n_nodes = node != NULL,
                                              .ns = e.ns,
                                              .timed = true};
    }
    *rows = k->rows;
    overhead->write_ns += t.write_ns;
    overhead->read_ns += t.read_ns;
    return ST_OK;
}

/* Of memory there is what the library tells; the system knows the rest (delegate_library.process_bytes). */
static void runtime_facts(const struct delegate_kernel *head, struct delegate_facts *to)
{
    const struct runtime_kernel *k = (const struct runtime_kernel *)head;

    if (!k->host)
        return;
    FACTS(to, {"compile", "ns", host_facts(k->host)->compile_ns});
    if (host_facts(k->host)->tensor_bytes > 0)
        FACTS(to, {"memory.tensors", "bytes", (uint64_t)host_facts(k->host)->tensor_bytes});
    if (host_facts(k->host)->constant_bytes > 0)
        FACTS(to, {"memory.constants", "bytes", (uint64_t)host_facts(k->host)->constant_bytes});
}

static const struct delegate_kernel_ops kernel_ops = {
    .invoke = runtime_invoke, .profile = runtime_profile, .facts = runtime_facts, .reset = runtime_reset, .free = runtime_free};

/* ---- the delegate ---- */

/* Parts of a graph of which the whole was not refused. */
static enum status runtime_claim(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    struct runtime_delegate *d = (struct runtime_delegate *)base;

    (void)err;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (claims[i].owner || claims[i].barred)
            continue;
        else if (*d->refused)
            reason_set(&claims[i].why, REASON_DRIVER, "%s", d->refused);
        else if (g->part)
            reason_set(&claims[i].why, REASON_DYNAMIC_SHAPE, "its shapes are known only while running");
        else
            claims[i].owner = base;
    if (d->mask_refused)
        *d->refused = '\0';
    d->mask_refused = false;
    return ST_OK;
}

/* The library names operators, not nodes: "SQUEEZE: Operation is not supported." */
static bool is_left(const char *left, const char *op, char *why, size_t size)
{
    const size_t n = strlen(op);

    for (const char *line = left; *line; line += strcspn(line, "\n"), line += *line == '\n')
        if (!strncmp(line, op, n) && line[n] == ':') {
            const char *begin = line + n + 1 + strspn(line + n + 1, " ");

            snprintf(why, size, "%.*s", (int)strcspn(begin, "\r\n"), begin);
            return true;
        }
    return false;
}

/* What the library tells while it compiles; or while it runs, of operators that are not its delegate's. */
static enum status judge(struct runtime_kernel *k, const struct graph *g, struct claim *claims, struct err *err)
{
    const struct runtime_facts *f = host_facts(k->host);
    struct runtime_delegate *d = k->d;
    uint32_t taken = 0;
    bool by_run = f->n_taken < 0 && !*f->refused;
    char why[160];

    if (by_run && host_run(k->host, true, err)) {
        delegate_warn(&d->base, "%s does not tell which nodes it takes, and a run on zeros fails: %s", d->base.type->label,
                      err->msg);
        by_run = false;
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct node *n = &g->nodes[i];
        bool alone = false;

        for (uint32_t e = 0; by_run && e < host_n_events(k->host); e++) {
            struct runtime_event event;

            host_event(k->host, e, &event);
            alone |= event.node == (int32_t)n->index;
        }
        if (*f->refused)
            reason_set(&claims[i].why, REASON_DRIVER, "%.200s", f->refused);
        else if (alone)
            reason_set(&claims[i].why, REASON_DRIVER, "a kernel of %s for the CPU runs it", d->base.type->label);
        else if (is_left(f->left, n->name, why, sizeof why))
            reason_set(&claims[i].why, REASON_DRIVER, "%s", why);
        else
            claims[i].owner = &d->base;
        taken += claims[i].owner != NULL;
    }
    if (f->n_taken >= 0 && taken != (uint32_t)f->n_taken && !*f->refused)
        delegate_warn(&d->base, "%s says that %d of %u nodes run on what was asked for, and names operators, not nodes",
                      d->base.type->label, f->n_taken, g->n_nodes);
    return ST_OK;
}

static void refuse(struct runtime_delegate *d, const struct partition *p, const char *why, struct reason *refused)
{
    if (p->whole)
        snprintf(d->refused, sizeof d->refused, "%.199s", why);
    d->mask_refused = p->masked != NULL;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        reason_set(&refused[p->nodes[i]->index], REASON_DRIVER, "%.200s", why);
}

/* Once: sessions are many. */
static void tell_left(struct runtime_kernel *k, const struct runtime_facts *f)
{
    struct runtime_delegate *d = k->d;

    if (d->left_told || !strstr(d->precision, "fp16") || !strstr(d->asked, "gpu") || !k->part->whole || k->part->masked ||
        f->n_taken <= 0 || (uint32_t)f->n_taken >= k->n_nodes)
        return;
    delegate_warn(&d->base, "%u of %u nodes: %s runs them on its CPU, to which the GPU's precision %s does not apply",
                  k->n_nodes - (uint32_t)f->n_taken, k->n_nodes, d->base.type->label, d->precision);
    d->left_told = true;
}

static enum status runtime_init(struct delegate *base, const struct graph *g, const struct partition *p, struct reason *refused,
                                struct delegate_kernel **out, struct err *err)
{
    struct runtime_delegate *d = (struct runtime_delegate *)base;
    struct runtime_kernel *k = calloc(1, sizeof *k);
    const bool as_file = p->whole && (!g->subgraph || (d->takes_signatures && signature_of(g) >= 0));
    struct source s = {.signature = -1};
    enum status st;

    *out = NULL;
    if (!k)
        return no_memory(err);
    if (p->whole)
        *d->refused = '\0';
    *k = (struct runtime_kernel){.head.ops = &kernel_ops, .d = d, .part = p};
    st = as_file ? take_whole(k, g, &s, err) : take_part(k, g, &s, err);
    st = st ? st : start(k, g, &s, err);
    free(s.owned);
    if (!st) {
        host_log(k->host, see_line, k);
        if (is_reported(k))
            take_facts(d, host_facts(k->host));
        tell_left(k, host_facts(k->host));
        if (*host_facts(k->host)->refused)
            refuse(d, p, host_facts(k->host)->refused, refused);
        *out = &k->head;
        return ST_OK;
    }
    runtime_free(&k->head);
    if (st != ST_UNSUPPORTED)
        return st;
    refuse(d, p, err->msg, refused);
    return ST_OK;
}

/* Once: sessions are many. */
static void tell_useless(struct runtime_delegate *d)
{
    for (char *rest = d->useless, *line; (line = strtok_r(rest, "\n", &rest));)
        delegate_warn(&d->base, "%s", line);
    *d->useless = '\0';
}

static enum status runtime_divided(struct delegate *base, const struct graph *g, const struct partitioning *parts, struct err *err)
{
    (void)g, (void)parts, (void)err;
    tell_useless((struct runtime_delegate *)base);
    return ST_OK;
}

static enum status runtime_claim_whole(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    struct reason *refused = calloc((size_t)g->n_nodes + 1, sizeof *refused);
    struct delegate_kernel *k = NULL;
    struct partitioning parts;
    struct arena a = {0};
    enum status st;

    tell_useless((struct runtime_delegate *)base);
    st = refused ? partition_whole(g, base, &(struct partition_options){0}, &a, &parts, err) : no_memory(err);

    if (!st && !(st = runtime_init(base, g, parts.parts, refused, &k, err)) && k)
        st = judge((struct runtime_kernel *)k, g, claims, err);
    for (uint32_t i = 0; i < g->n_nodes && !st && !k; i++)
        claims[i].why = refused[g->nodes[i].index];
    if (k)
        runtime_free(k);
    free(refused);
    arena_free(&a);
    return st;
}

static enum status runtime_prepare(struct delegate *base, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    (void)base;
    for (uint32_t i = 0; i < n && !st; i++)
        st = lay_into_host((struct runtime_kernel *)kernels[i], err);
    return st;
}

static void runtime_close(struct delegate *base)
{
    struct runtime_delegate *d = (struct runtime_delegate *)base;

    free(d->path);
    free(d->asked);
    free(d->precision);
    free(d->options);
    free(d->useless);
    free(d);
}

static const struct delegate_ops delegate_ops = {.claim = runtime_claim,
                                                 .claim_whole = runtime_claim_whole,
                                                 .init = runtime_init,
                                                 .prepare = runtime_prepare,
                                                 .divided = runtime_divided,
                                                 .close = runtime_close};

/* Opens the library once, without a model. */
static enum status probe(struct runtime_delegate *d, struct err *err)
{
    struct runtime_job *job = calloc(1, sizeof *job);
    struct host *h = NULL;
    enum status st;

    if (!job)
        return no_memory(err);
    snprintf(job->library, sizeof job->library, "%s", d->path);
    snprintf(job->options, sizeof job->options, "%s", d->options);
    if (!(st = host_start(&d->host, job, NULL, NULL, &h, err)))
        take_facts(d, host_facts(h));
    host_free(h);
    free(job);
    return st;
}

/* A library looks for others beside it, and those of an NPU's vendor for code that the NPU runs. */
static void set_search(struct runtime_delegate *d)
{
    static const char *const names[] = {"LD_LIBRARY_PATH", "ADSP_LIBRARY_PATH"};
    const char *slash = strrchr(d->path, '/');

    for (size_t i = 0; i < 2 && slash; i++) {
        const char *old = getenv(names[i]);

        snprintf(d->search[i], sizeof d->search[i], "%s=%.*s%s%s", names[i], (int)(slash - d->path), d->path,
                 old && *old ? (i ? ";" : ":") : "", old ? old : "");
        d->environment[i] = d->search[i];
    }
    d->host.environment = d->environment;
}

enum status runtime_delegate_open(const struct runtime_delegate_options *o, struct delegate **out, struct err *err)
{
    struct runtime_delegate *d = calloc(1, sizeof *d);
    enum status st;

    *out = NULL;
    if (!d)
        return no_memory(err);
    *d = (struct runtime_delegate){.base = {.type = o->type,
                                            .ops = &delegate_ops,
                                            .device = d->device,
                                            .whole_model = true,
                                            .masks = o->runtime->mask && strstr(o->asked, "gpu"),
                                            .library = &d->library},
                                   .runtime = o->runtime,
                                   .host = {o->runtime, o->deadline_s, NULL},
                                   .takes_signatures = o->takes_signatures,
                                   .path = strdup(o->library),
                                   .asked = strdup(o->asked),
                                   .precision = strdup(o->precision),
                                   .options = strdup(o->options),
                                   .useless = strdup(o->useless ? o->useless : "")};
    d->library = (struct delegate_library){.path = d->path,
                                           .sha256 = d->sha256,
                                           .version = d->facts.version,
                                           .offered = d->facts.accelerators,
                                           .asked = d->asked,
                                           .used = d->facts.used,
                                           .precision = d->precision,
                                           .options = d->options,
                                           .left = d->facts.left,
                                           .cache = d->facts.cache,
                                           .n_taken = -1};
    if (!d->path || !d->asked || !d->precision || !d->options || !d->useless)
        st = no_memory(err);
    else if (!*d->path)
        st = err_set(err, ST_USAGE, "--%s=PATH is needed: the library of %s", o->flag, o->type->label);
    else if (strlen(d->path) >= sizeof((struct runtime_job *)0)->library)
        st = err_set(err, ST_USAGE, "--%s: the path is too long", o->flag);
    else if (!(st = host_check_library(o->flag, d->path, d->sha256, err))) {
        set_search(d);
        st = probe(d, err);
    }
    if (st)
        runtime_close(&d->base);
    else
        *out = &d->base;
    return st;
}
