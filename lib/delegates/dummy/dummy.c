/* SPDX-License-Identifier: Apache-2.0 */
/* dummy.c - a delegate without a device: it runs the CPU's fast kernels, and fails or errs where it is told to.
 *
 *   --use_dummy_delegate --dummy_delegate_options='ops:CONV_2D,ADD;fail:invoke;plant:nan@17;plant:offset=0.5@ADD;times:us.txt'
 *
 * For trying out what watches delegates: does a gate fail, does a search find the operator? What is planted stands in the
 * delegate's name, so that no report of it passes for another's. Like a delegate of a shared library it shows nothing of what lies
 * inside its partitions. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/aligned.h"
#include "lib/base/clock.h"
#include "lib/delegate/delegate.h"
#include "lib/delegate/inner_values.h"
#include "lib/delegates/dummy/dummy_fault.h"
#include "lib/delegates/dummy/dummy_times.h"
#include "lib/graph/op_list.h"

#define MAX_FAULTS 16

struct dummy_options {
    const char *options;
};

enum stage { STAGE_NEVER, STAGE_INIT, STAGE_PREPARE, STAGE_INVOKE };
static const char *const stages[] = {"never", "init", "prepare", "invoke"};

struct dummy {
    struct delegate base;
    char ops[512];    /* those that it takes; "": all */
    char refuse[64];  /* of these the driver refuses the programs; "": of none */
    enum stage fails; /* on purpose, an invocation */
    int64_t after;    /* so many that did not */
    int64_t leaked;   /* bytes that each invocation keeps for ever */
    struct dummy_times times;
    struct dummy_fault faults[MAX_FAULTS];
    uint32_t n_faults;
    char device[1024];
};

struct dummy_kernel {
    struct delegate_kernel head;
    struct dummy *owner;
    const struct partition *part;
    struct threads *threads;
    struct cpu_call *calls; /* [part->n_nodes] */
    void **kept;            /* [n_nodes] of faults that remember */
    void *scratch;          /* of the node that needs most */
    struct inner_values inner;
    struct delegate_timing *timings;
    uint64_t packed_bytes;
    int64_t invoked; /* so often */
};

/* ---- options ---- */

/* "prepare", "invoke", "invoke@4": the fourth time and from then on. */
static enum status read_stage(struct dummy *d, const char *text, struct err *err)
{
    const char *time = strchr(text, '@');

    if (time && !strncmp(text, "invoke", (size_t)(time - text)) && flag_read_int(time + 1, 1, INT32_MAX, &d->after)) {
        d->after--;
        d->fails = STAGE_INVOKE;
        return ST_OK;
    }
    for (size_t i = 1; i < sizeof stages / sizeof *stages; i++)
        if (!strcmp(stages[i], text)) {
            d->fails = (enum stage)i;
            return ST_OK;
        }
    return err_set(err, ST_USAGE, "fail:%.40s: it can fail at init, prepare, invoke or, the fourth time, invoke@4", text);
}

static enum status read_fault(struct dummy *d, const char *text, struct err *err)
{
    if (d->n_faults == MAX_FAULTS)
        return err_set(err, ST_USAGE, "at most %d faults can be planted", MAX_FAULTS);
    return dummy_fault_read(text, strlen(text), &d->faults[d->n_faults++], err);
}

/* `item` is "key:value" or "key=value". */
static enum status read_item(struct dummy *d, char *item, struct err *err)
{
    char *value = item + strcspn(item, ":=");

    if (*value)
        *value++ = '\0';
    if (!strcmp(item, "plant"))
        return read_fault(d, value, err);
    if (!strcmp(item, "fail"))
        return read_stage(d, value, err);
    if (!strcmp(item, "ops") && *value && strlen(value) < sizeof d->ops) {
        snprintf(d->ops, sizeof d->ops, "%s", value);
        return ST_OK;
    }
    if (!strcmp(item, "leak") && flag_read_int(value, (int64_t)sizeof(void *), 1 << 20, &d->leaked))
        return ST_OK;
    if (!strcmp(item, "times"))
        return dummy_times_read(value, &d->times, err);
    if (!strcmp(item, "refuse") && *value && strlen(value) < sizeof d->refuse) {
        snprintf(d->refuse, sizeof d->refuse, "%s", value);
        return ST_OK;
    }
    return err_set(err, ST_USAGE,
                   "%.40s:%.40s: known are ops:NAME,NAME, fail:init, fail:prepare, fail:invoke, refuse:NAME, "
                   "leak:BYTES, times:FILE and plant:FAULT@NODE",
                   item, value);
}

static enum status read_options(struct dummy *d, const char *text, struct err *err)
{
    char *copy = strdup(text), *rest = copy, *item;
    enum status st = copy ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    while (!st && (item = strtok_r(rest, ";", &rest)))
        st = read_item(d, item, err);
    free(copy);
    return st ? err_prefix(err, st, "--dummy_delegate_options") : ST_OK;
}

/* What a report shows of it. */
static void describe(struct dummy *d, const char *options)
{
    if (*options)
        snprintf(d->device, sizeof d->device, "the CPU's kernels, as told by --dummy_delegate_options: %s", options);
    else
        snprintf(d->device, sizeof d->device, "the CPU's kernels, nothing planted");
    d->base.device = d->device;
}

/* ---- claim ---- */

static const struct tensor *odd_operand(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (t && (!type_bits(t->type) || t->is_dynamic || (i >= n->n_in && !t->bytes)))
            return t;
    }
    return NULL;
}

static bool takes(const struct dummy *d, const struct node *n, struct reason *why)
{
    const struct tensor *odd = odd_operand(n);

    if (*d->ops && !op_list_has(d->ops, n->name))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR, "not among ops of --dummy_delegate_options");
    if (!n->op)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR, "no CPU kernel");
    if (n->version > n->op->max_version)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VERSION, "version %d, the newest known is %d", n->version,
                          n->op->max_version);
    if (n->called)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "it calls another subgraph");
    if (node_is_stateful(n))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "it keeps state");
    if (!n->n_out || !n->out[0])
        return reason_set(why, REASON_MISSING_REQUIRED_OPERAND, "no output");
    if (odd)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%s is of no fixed size above 0", TENSOR_TEXT(odd));
    return true;
}

/* A fault that spoils nothing is an error of the command line: a gate that passes would prove nothing. Of other subgraphs than the
 * primary one nobody knows which the nodes were meant for. */
static enum status check_fault(struct dummy *d, const struct dummy_fault *f, const struct graph *g, const struct claim *claims,
                               struct err *err)
{
    bool found = false;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        enum status st;

        if (claims[i].owner != &d->base || !dummy_fault_is_at(f, &g->nodes[i]))
            continue;
        found = true;
        if ((st = dummy_fault_check(f, g, &g->nodes[i], err)))
            return st;
    }
    if (!found && g->subgraph == 0)
        return err_set(err, ST_USAGE, "nothing to plant: the delegate takes no node %s", f->at);
    if (!found)
        delegate_warn(&d->base, "dummy delegate: nothing planted in subgraph %u, which has no node %s for it", g->subgraph, f->at);
    return ST_OK;
}

static enum status dummy_claim(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    struct dummy *d = (struct dummy *)base;
    enum status st = op_list_check("ops", d->ops, g, err);

    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!claims[i].owner && !claims[i].barred && takes(d, &g->nodes[i], &claims[i].why))
            claims[i].owner = base;
    for (uint32_t i = 0; i < d->n_faults && !st; i++)
        st = check_fault(d, &d->faults[i], g, claims, err);
    return st ? err_prefix(err, st, "--dummy_delegate_options") : ST_OK;
}

/* ---- kernels ---- */

static enum status told_to_fail(const struct dummy *d, enum stage stage, struct err *err)
{
    return d->fails == stage ? err_set(err, ST_FAILED, "dummy delegate: %s fails, as --dummy_delegate_options asks", stages[stage])
                             : ST_OK;
}

static void dummy_free(struct delegate_kernel *head)
{
    struct dummy_kernel *k = (struct dummy_kernel *)head;

    inner_values_free(&k->inner);
    for (uint32_t i = 0; i < k->part->n_nodes; i++) {
        if (k->calls)
            free(k->calls[i].packed);
        if (k->kept)
            free(k->kept[i]);
    }
    threads_free(k->threads);
    free(k->calls);
    free(k->kept);
    free(k->scratch);
    free(k->timings);
    free(k);
}

static enum status run_node(struct dummy_kernel *k, uint32_t i, struct err *err)
{
    struct cpu_call *c = &k->calls[i];
    const struct dummy_fault *found = NULL;

    for (uint32_t f = 0; f < k->owner->n_faults && !found; f++)
        if (dummy_fault_is_at(&k->owner->faults[f], c->node))
            found = &k->owner->faults[f];
    c->scratch = k->scratch;
    return node_err_if(c->node, found ? dummy_fault_run(found, c, &k->kept[i], err) : cpu_run(c, err), err);
}

static enum status count_invocation(struct dummy_kernel *k, struct err *err)
{
    return k->invoked++ < k->owner->after ? ST_OK : told_to_fail(k->owner, STAGE_INVOKE, err);
}

/* Memory that is never given back. It can be found, so that no sanitizer takes it for a mistake. */
static enum status leak(const struct dummy *d, struct err *err)
{
    static void **last;
    void **block = d->leaked ? malloc((size_t)d->leaked) : NULL;

    if (!d->leaked)
        return ST_OK;
    if (!block)
        return err_set(err, ST_NOMEM, "out of memory for what the dummy delegate leaks");
    *block = last;
    last = block;
    return ST_OK;
}

static enum status dummy_invoke(struct delegate_kernel *head, struct err *err)
{
    struct dummy_kernel *k = (struct dummy_kernel *)head;
    const uint64_t begin = clock_ns();
    enum status st = count_invocation(k, err);

    st = st ? st : leak(k->owner, err);

    for (uint32_t i = 0; i < k->part->n_nodes && !st; i++)
        st = run_node(k, i, err);
    if (k->owner->times.n)
        k->owner->base.outside_ns += clock_ns() - begin - dummy_times_next(&k->owner->times);
    return st;
}

static enum status dummy_profile(struct delegate_kernel *head, const struct delegate_timing **rows, size_t *n,
                                 struct delegate_overhead *overhead, struct err *err)
{
    struct dummy_kernel *k = (struct dummy_kernel *)head;
    enum status st = count_invocation(k, err);

    (void)overhead;
    for (uint32_t i = 0; i < k->part->n_nodes && !st; i++) {
        const uint64_t start = clock_ns();

        st = run_node(k, i, err);
        k->timings[i].ns = clock_ns() - start;
        k->timings[i].begin_ns = start;
    }
    *rows = k->timings;
    *n = k->part->n_nodes;
    return st;
}

static void dummy_facts(const struct delegate_kernel *head, struct delegate_facts *to)
{
    const struct dummy_kernel *k = (const struct dummy_kernel *)head;

    facts_add_tensors(to, k->inner.bytes);
    FACTS(to, {"memory.constants", "bytes", k->packed_bytes}, {"memory.weights.float32", "bytes", k->packed_bytes});
}

static const struct delegate_kernel_ops kernel_ops = {
    .invoke = dummy_invoke, .profile = dummy_profile, .facts = dummy_facts, .free = dummy_free};

static void fill_timings(struct dummy_kernel *k)
{
    for (uint32_t i = 0; i < k->part->n_nodes; i++)
        k->timings[i] = (struct delegate_timing){.kind = k->part->nodes[i]->name,
                                                 .label = "dummy",
                                                 .nodes = (const struct node *const *)&k->part->nodes[i],
                                                 .n_nodes = 1,
                                                 .timed = true};
}

static enum status dummy_init(struct delegate *base, const struct graph *g, const struct partition *p, struct reason *refused,
                              struct delegate_kernel **out, struct err *err)
{
    struct dummy *d = (struct dummy *)base;
    struct dummy_kernel *k;
    enum status st;

    (void)g;
    *out = NULL;
    if ((st = told_to_fail(d, STAGE_INIT, err)))
        return st;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        if (!strcmp(d->refuse, p->nodes[i]->name))
            reason_set(&refused[p->nodes[i]->index], REASON_DRIVER, "refused, as --dummy_delegate_options asks");
    if (!(k = calloc(1, sizeof *k)))
        return err_set(err, ST_NOMEM, "out of memory");
    k->head.ops = &kernel_ops;
    k->owner = d;
    k->part = p;
    k->calls = calloc(p->n_nodes + 1, sizeof *k->calls);
    k->kept = calloc(p->n_nodes + 1, sizeof *k->kept);
    k->timings = calloc(p->n_nodes + 1, sizeof *k->timings);
    st = k->calls && k->kept && k->timings ? threads_new(1, &k->threads, err)
                                           : err_set(err, ST_NOMEM, "out of memory for %u nodes", p->n_nodes);
    if (st)
        dummy_free(&k->head);
    else
        fill_timings(k);
    *out = st ? NULL : &k->head;
    return st;
}

static enum status prepare_kernel(struct dummy_kernel *k, struct err *err)
{
    size_t scratch = 0;
    enum status st = inner_values_place(&k->inner, k->part, err);

    for (uint32_t i = 0; i < k->part->n_nodes && !st; i++) {
        struct node *n = k->part->nodes[i];
        struct cpu_call *c = &k->calls[i];

        *c = (struct cpu_call){.node = n, .threads = k->threads, .mode = CPU_FAST};
        st = node_err_if(n, cpu_prepare(c, err), err);
        k->packed_bytes += c->packed_bytes;
        scratch = c->scratch_bytes > scratch ? c->scratch_bytes : scratch;
    }
    if (!st && !(k->scratch = aligned_new(VECTOR_ALIGN, scratch + 1)))
        st = err_set(err, ST_NOMEM, "out of memory for %zu bytes", scratch);
    return st;
}

static enum status dummy_prepare(struct delegate *base, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    enum status st = told_to_fail((const struct dummy *)base, STAGE_PREPARE, err);

    for (uint32_t i = 0; i < n && !st; i++)
        st = prepare_kernel((struct dummy_kernel *)kernels[i], err);
    return st;
}

static void dummy_close(struct delegate *base)
{
    dummy_times_free(&((struct dummy *)base)->times);
    free(base);
}

static const struct delegate_ops dummy_ops = {
    .claim = dummy_claim, .init = dummy_init, .prepare = dummy_prepare, .close = dummy_close};

extern const struct delegate_type delegate_dummy;

static enum status dummy_open(const void *options, struct delegate **out, struct err *err)
{
    const struct dummy_options *o = options;
    struct dummy *d = calloc(1, sizeof *d);
    enum status st;

    *out = NULL;
    if (!d)
        return err_set(err, ST_NOMEM, "out of memory");
    d->base = (struct delegate){.type = &delegate_dummy, .ops = &dummy_ops};
    describe(d, o->options);
    if ((st = read_options(d, o->options, err)))
        dummy_close(&d->base);
    else
        *out = &d->base;
    return st;
}

/* ---- a part of a model ---- */

/* Return what the item says of the part: NULL: nothing, or memory has run out. The latter is in *st. */
static const char *item_of_part(const char *item, const struct graph *g, const uint32_t *numbers, struct arena *a, enum status *st,
                                struct err *err)
{
    const char *value = item + strcspn(item, ":="), *at = strchr(value, '@'), *text;
    struct dummy_fault f;
    int64_t index;
    uint32_t i = 0;

    if (value - item != 5 || strncmp(item, "plant", 5) != 0)
        return item;
    if ((*st = dummy_fault_read(value + 1, strlen(value + 1), &f, err)))
        return NULL;
    while (i < g->n_nodes && (numbers[i] == UINT32_MAX || !dummy_fault_is_at(&f, &g->nodes[i])))
        i++;
    if (i == g->n_nodes)
        return NULL;
    if (!flag_read_int(f.at, 0, UINT32_MAX, &index))
        return item;
    if (!(text = arena_printf(a, "%.*s@%u", (int)(at - item), item, numbers[i])))
        *st = err_set(err, ST_NOMEM, "out of memory for the options of a part");
    return text;
}

static enum status dummy_options_of_part(void *options, const struct graph *g, const uint32_t *numbers, struct arena *a,
                                         struct err *err)
{
    struct dummy_options *o = options;
    char *rest = arena_strdup(a, o->options), *item;
    const char *kept, *text = "";
    enum status st = ST_OK;

    if (!strstr(o->options, "plant"))
        return ST_OK;
    while (rest && text && !st && (item = strtok_r(rest, ";", &rest)))
        if ((kept = item_of_part(item, g, numbers, a, &st, err)))
            text = *text ? arena_printf(a, "%s;%s", text, kept) : kept;
    if (!st && (!rest || !text))
        st = err_set(err, ST_NOMEM, "out of memory for the options of a part");
    o->options = text;
    return st;
}

static const struct flag dummy_flags[] = {
    {.name = "dummy_delegate_options",
     .group = GROUP_DEBUG,
     FLAG_TAKES_TEXT,
     .offset = offsetof(struct dummy_options, options),
     .value = "",
     .label = "Dummy delegate options",
     .help = "Set what it does, with ';' between. ops:NAME,NAME takes these operators alone; fail:init, fail:prepare, fail:invoke "
             "or fail:invoke@4 fails there. refuse:NAME claims these operators and refuses to compile them. leak:BYTES loses "
             "memory in each run. times:FILE tells microseconds in the place of the invocations' own, a number a line. "
             "plant:FAULT@NODE computes wrong numbers (lib/delegates/README.md): plant:nan@17."},
    {0},
};

const struct delegate_type delegate_dummy = {
    .name = "dummy",
    .label = "dummy",
    .use_flag = "use_dummy_delegate",
    .kernel = "TfLiteDummyDelegate",
    .options_size = sizeof(struct dummy_options),
    .flags = dummy_flags,
    .open = dummy_open,
    .open_static = dummy_open,
    .options_of_part = dummy_options_of_part,
};
