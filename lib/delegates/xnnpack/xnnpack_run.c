/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_run.c - the delegate "xnnpack" in a build with the library: a partition is an XNNPACK subgraph and its runtime. */
#include "lib/delegates/xnnpack/xnnpack_delegate.h"

#include <malloc.h>
#include <stdlib.h>

#include "lib/delegates/xnnpack/xnnpack_net.h"

#define TEXT(word)  TEXT_(word)
#define TEXT_(word) #word

struct xnnpack {
    struct delegate base;
    struct xnnpack_pool *pool; /* of the kernels that are made next; NULL: none was made yet */
};

struct xnnpack_kernel {
    struct delegate_kernel head;
    const struct partition *part;
    struct xnnpack_pool *pool;
    struct xnnpack_net net;
    xnn_runtime_t runtime;
    size_t fixed, workspace;             /* bytes that the library has for it: made with the runtime, and when memory was lent */
    struct xnn_external_value *external; /* [part->n_inputs + part->n_outputs], inputs first */
};

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for XNNPACK");
}

/* ---- memory ---- */

/* What the calls that are under way on this thread allocate, less what they give back. The library asks one allocator for all that
 * it keeps, from the first of its delegates in the process on. */
static _Thread_local size_t held;

static void *counted(void *p)
{
    held += malloc_usable_size(p);
    return p;
}

static void *allocate(void *context, size_t size)
{
    (void)context;
    return counted(malloc(size));
}

static void give_back(void *context, void *p)
{
    (void)context;
    held -= malloc_usable_size(p);
    free(p);
}

static void *reallocate(void *context, void *p, size_t size)
{
    const size_t before = malloc_usable_size(p);
    void *now = realloc(p, size);

    (void)context;
    if (!now)
        return NULL;
    held -= before;
    return counted(now);
}

static void *allocate_aligned(void *context, size_t alignment, size_t size)
{
    void *p;

    (void)context;
    return posix_memalign(&p, alignment < sizeof p ? sizeof p : alignment, size) ? NULL : counted(p);
}

static const struct xnn_allocator allocator = {NULL, allocate, reallocate, give_back, allocate_aligned, give_back};

/* ---- threads ---- */

static void pool_unref(struct xnnpack_pool *p)
{
    if (!p || --p->users)
        return;
    if (p->threads)
        pthreadpool_destroy(p->threads);
    free(p);
}

/* d->pool then has as many threads as the session. */
static enum status take_pool(struct xnnpack *d, struct err *err)
{
    const uint32_t n = d->base.threads > 1 ? d->base.threads : 1;

    if (!d->pool || d->pool->n != n) {
        struct xnnpack_pool *p = calloc(1, sizeof *p);

        if (!p || (n > 1 && !(p->threads = pthreadpool_create(n)))) {
            free(p);
            return err_set(err, ST_NOMEM, "XNNPACK's %u threads cannot be started", n);
        }
        p->n = n;
        p->users = 1;
        pool_unref(d->pool);
        d->pool = p;
    }
    return ST_OK;
}

/* ---- which nodes ---- */

/* Whether x is a subgraph of that node alone, and can be run. */
static bool add_alone(struct xnnpack_net *x, const struct node *n, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && !n->in[i]->is_const && x->id[n->in[i]->index] == XNN_INVALID_VALUE_ID &&
            !xnnpack_net_external(x, n->in[i], XNN_VALUE_FLAG_EXTERNAL_INPUT, why))
            return false;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !xnnpack_net_external(x, n->out[i], XNN_VALUE_FLAG_EXTERNAL_OUTPUT, why))
            return false;
    return xnnpack_net_add(x, n, why);
}

/* Marks the tensors that a node or the graph reads. The library gives the others no memory, and its assertions end the process. */
static bool *list_read(const struct graph *g, struct arena *a)
{
    bool *read = ARENA_ARRAY(a, g->n_tensors, bool);

    for (uint32_t i = 0; i < g->n_nodes && read; i++)
        for (uint32_t k = 0; k < g->nodes[i].n_in; k++)
            if (g->nodes[i].in[k])
                read[g->nodes[i].in[k]->index] = true;
    for (uint32_t i = 0; i < g->n_outputs && read; i++)
        if (g->outputs[i])
            read[g->outputs[i]->index] = true;
    return read;
}

static bool are_read(const struct node *n, const bool *read, struct reason *why)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && !read[n->out[i]->index])
            return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "nothing reads its output, tensor %u", n->out[i]->index);
    return true;
}

static enum status takes(struct xnnpack_net *x, const struct graph *g, const struct node *n, bool *taken, struct reason *why,
                         struct err *err)
{
    enum status st = xnnpack_net_begin(x, g, n->n_in + n->n_out, err);

    if (!st)
        *taken = add_alone(x, n, why);
    xnnpack_net_end(x);
    return st;
}

static enum status xnnpack_claim(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    struct xnnpack *d = (struct xnnpack *)base;
    enum status st = take_pool(d, err);
    struct xnnpack_net x = {.trial = true, .pool = d->pool};
    const bool *read = list_read(g, &x.arena);

    if (!st && !read)
        st = no_memory(err);
    for (uint32_t i = 0; i < g->n_nodes && !st; i++) {
        bool taken = false;

        if (claims[i].owner || claims[i].barred || !are_read(&g->nodes[i], read, &claims[i].why))
            continue;
        st = takes(&x, g, &g->nodes[i], &taken, &claims[i].why, err);
        if (taken)
            claims[i].owner = base;
    }
    xnnpack_net_free(&x);
    return st;
}

/* ---- a partition ---- */

static void xnnpack_kernel_free(struct delegate_kernel *head)
{
    struct xnnpack_kernel *k = (struct xnnpack_kernel *)head;

    if (k->runtime)
        xnn_delete_runtime(k->runtime);
    xnnpack_net_free(&k->net);
    pool_unref(k->pool);
    free(k->external);
    free(k);
}

/* Tensors may have moved since the last run; the first has none yet. */
static enum status lend(struct xnnpack_kernel *k, struct err *err)
{
    const uint32_t n = k->part->n_inputs + k->part->n_outputs;
    bool moved = false;
    enum xnn_status s;

    for (uint32_t i = 0; i < n; i++) {
        void *data = i < k->part->n_inputs ? k->part->inputs[i]->data : k->part->outputs[i - k->part->n_inputs]->data;

        moved |= k->external[i].data != data;
        k->external[i] = (struct xnn_external_value){i, data};
    }
    if (!moved)
        return ST_OK;
    held = 0;
    s = xnn_setup_runtime(k->runtime, n, k->external);
    k->workspace += held; /* which was less where it gave back more */
    if (s == xnn_status_success)
        return ST_OK;
    memset(k->external, 0, n * sizeof *k->external); /* the next run lends them again */
    return err_set(err, ST_FAILED, "XNNPACK: xnn_setup_runtime gives status %d", (int)s);
}

static enum status xnnpack_invoke(struct delegate_kernel *head, struct err *err)
{
    struct xnnpack_kernel *k = (struct xnnpack_kernel *)head;
    enum status st = lend(k, err);
    enum xnn_status s = st ? xnn_status_success : xnn_invoke_runtime(k->runtime);

    return s == xnn_status_success ? st : err_set(err, ST_FAILED, "XNNPACK: xnn_invoke_runtime gives status %d", (int)s);
}

/* What the library allocated, and copies of constants that are no weights. It does not say what of the workspace is alive when. */
static void xnnpack_facts(const struct delegate_kernel *head, struct delegate_facts *to)
{
    const struct xnnpack_kernel *k = (const struct xnnpack_kernel *)head;

    facts_add_tensors(to, k->workspace);
    FACTS(to, {"memory.constants", "bytes", k->fixed + k->net.copied});
}

static const struct delegate_kernel_ops kernel_ops = {
    .invoke = xnnpack_invoke, .facts = xnnpack_facts, .free = xnnpack_kernel_free};

/* Fills refused[] for the first node that it does not take. */
static void fill(struct xnnpack_net *x, const struct partition *p, struct reason *refused)
{
    struct reason why = {0};
    bool good = true;

    for (uint32_t i = 0; i < p->n_inputs && good; i++)
        good = xnnpack_net_external(x, p->inputs[i], XNN_VALUE_FLAG_EXTERNAL_INPUT, &why);
    for (uint32_t i = 0; i < p->n_outputs && good; i++)
        good = xnnpack_net_external(x, p->outputs[i], XNN_VALUE_FLAG_EXTERNAL_OUTPUT, &why);
    if (!good)
        refused[p->nodes[0]->index] = why;
    for (uint32_t i = 0; i < p->n_nodes && good; i++)
        good = xnnpack_net_add(x, p->nodes[i], &refused[p->nodes[i]->index]);
}

/* A subgraph of which no runtime can be made: each of its nodes is tried alone. */
static enum status find_culprits(const struct xnnpack_kernel *k, const struct graph *g, struct reason *refused, struct err *err)
{
    const struct partition *p = k->part;
    bool found = false;

    for (uint32_t i = 0; i < p->n_nodes; i++) {
        struct xnnpack_net x = {.trial = true, .pool = k->pool};
        struct reason *why = &refused[p->nodes[i]->index];
        xnn_runtime_t runtime = NULL;
        enum status st = xnnpack_net_begin(&x, g, p->nodes[i]->n_in + p->nodes[i]->n_out, err);

        if (!st && add_alone(&x, p->nodes[i], why) && !xnnpack_took(xnn_create_runtime(x.subgraph, &runtime), why))
            found = true;
        if (runtime)
            xnn_delete_runtime(runtime);
        xnnpack_net_free(&x);
        if (st)
            return st;
    }
    return found ? ST_OK : err_set(err, ST_FAILED, "XNNPACK takes each of %u nodes alone, but not all together", p->n_nodes);
}

static bool is_refused(const struct partition *p, const struct reason *refused)
{
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (refused[p->nodes[i]->index].code != REASON_NONE)
            return true;
    return false;
}

static enum status make(struct xnnpack_kernel *k, const struct graph *g, struct reason *refused, struct err *err)
{
    const struct partition *p = k->part;
    enum status st = xnnpack_net_begin(&k->net, g, p->n_inputs + p->n_outputs, err);
    struct reason why;

    if (st)
        return st;
    fill(&k->net, p, refused);
    held = 0;
    if (!is_refused(p, refused) && !xnnpack_took(xnn_create_runtime_v2(k->net.subgraph, k->pool->threads, 0, &k->runtime), &why))
        st = find_culprits(k, g, refused, err);
    k->fixed = held;
    xnnpack_net_end(&k->net);
    return st;
}

static enum status xnnpack_init(struct delegate *base, const struct graph *g, const struct partition *p, struct reason *refused,
                                struct delegate_kernel **out, struct err *err)
{
    struct xnnpack *d = (struct xnnpack *)base;
    struct xnnpack_kernel *k = calloc(1, sizeof *k);
    enum status st;

    *out = NULL;
    if (!k)
        return no_memory(err);
    k->head.ops = &kernel_ops;
    k->part = p;
    k->external = calloc((size_t)p->n_inputs + p->n_outputs + 1, sizeof *k->external);
    st = !k->external ? no_memory(err) : take_pool(d, err);
    if (!st) {
        k->pool = d->pool;
        k->pool->users++;
        k->net.pool = k->pool;
        st = make(k, g, refused, err);
    }
    if (st)
        xnnpack_kernel_free(&k->head);
    else
        *out = &k->head;
    return st;
}

static bool has_memory(const struct partition *p)
{
    for (uint32_t i = 0; i < p->n_inputs + p->n_outputs; i++)
        if (!(i < p->n_inputs ? p->inputs[i] : p->outputs[i - p->n_inputs])->data)
            return false;
    return true;
}

/* The workspace is the library's own, and made when memory is lent: not in the first run, unless the session's caller lends its
 * memory after this (session_lend_input). */
static enum status xnnpack_prepare(struct delegate *base, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    (void)base;
    for (uint32_t i = 0; i < n && !st; i++) {
        struct xnnpack_kernel *k = (struct xnnpack_kernel *)kernels[i];

        st = has_memory(k->part) ? lend(k, err) : ST_OK;
    }
    return st;
}

/* ---- the delegate ---- */

static void xnnpack_close(struct delegate *base)
{
    pool_unref(((struct xnnpack *)base)->pool);
    free(base);
}

static const struct delegate_ops xnnpack_ops = {
    .claim = xnnpack_claim, .init = xnnpack_init, .prepare = xnnpack_prepare, .close = xnnpack_close};

enum status xnnpack_open(const void *options, struct delegate **out, struct err *err)
{
    const enum xnn_status s = xnn_initialize(&allocator);
    struct xnnpack *d = s == xnn_status_success ? calloc(1, sizeof *d) : NULL;

    (void)options;
    *out = NULL;
    if (s == xnn_status_unsupported_hardware)
        return err_set(err, ST_UNSUPPORTED, "XNNPACK does not know this CPU");
    if (!d)
        return no_memory(err);
    d->base = (struct delegate){.type = &delegate_xnnpack, .ops = &xnnpack_ops, .device = "libxnnpack " TEXT(XNNPACK_VERSION)};
    *out = &d->base;
    return ST_OK;
}
