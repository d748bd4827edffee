/* SPDX-License-Identifier: Apache-2.0 */
/* sample.c - a delegate to copy: it runs ADD and SUB of float32 tensors of one shape.
 *
 * lib/delegates/README.md goes through it, part by part. Without a row in lib/delegate/delegates.def no tool has its flags. */
#include <stdlib.h>

#include "lib/delegate/inner_values.h"

struct sample_options {
    int32_t ops; /* 0: both, 1: ADD alone, 2: SUB alone */
};

struct sample {
    struct delegate base; /* first, so that a struct delegate * is one of these */
    int32_t ops;
};

struct sample_kernel {
    struct delegate_kernel head; /* first, too */
    const struct partition *part;
    struct inner_values inner;
};

/* ---- which nodes ---- */

static bool takes(const struct sample *d, const struct node *n, struct reason *why)
{
    const bool sub = n->builtin == BUILTIN_SUB;
    enum activation act;

    if ((n->builtin != BUILTIN_ADD && !sub) || d->ops == (sub ? 1 : 2))
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR, "not among --sample_delegate_ops");
    for (uint32_t i = 0; i < 2; i++)
        if (n->in[i]->type != TYPE_FLOAT32 || !tensor_same_shape(n->in[i], n->out[0]))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u is %s, the output %s", i, TENSOR_TEXT(n->in[i]),
                              TENSOR_TEXT(n->out[0]));
    act = sub ? ((const struct opt_sub *)n->opt)->activation : ((const struct opt_add *)n->opt)->activation;
    return act == ACT_NONE || reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "fused activation %d", (int)act);
}

static enum status sample_claim(struct delegate *base, const struct graph *g, struct claim *claims, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!claims[i].owner && !claims[i].barred && takes((struct sample *)base, &g->nodes[i], &claims[i].why))
            claims[i].owner = base;
    return ST_OK;
}

/* ---- a partition ---- */

static void sample_free(struct delegate_kernel *head)
{
    struct sample_kernel *k = (struct sample_kernel *)head;

    inner_values_free(&k->inner);
    free(k);
}

static enum status sample_invoke(struct delegate_kernel *head, struct err *err)
{
    const struct sample_kernel *k = (struct sample_kernel *)head;

    (void)err;
    for (uint32_t i = 0; i < k->part->n_nodes; i++) {
        const struct node *n = k->part->nodes[i];
        const float sign = n->builtin == BUILTIN_SUB ? -1.f : 1.f, *a = n->in[0]->data, *b = n->in[1]->data;
        float *y = n->out[0]->data;

        for (size_t e = 0; e < tensor_elems(n->out[0]); e++)
            y[e] = a[e] + sign * b[e];
    }
    return ST_OK;
}

static void sample_facts(const struct delegate_kernel *head, struct delegate_facts *to)
{
    facts_add_tensors(to, ((const struct sample_kernel *)head)->inner.bytes);
}

static const struct delegate_kernel_ops kernel_ops = {.invoke = sample_invoke, .facts = sample_facts, .free = sample_free};

static enum status sample_init(struct delegate *base, const struct graph *g, const struct partition *p, struct reason *refused,
                               struct delegate_kernel **out, struct err *err)
{
    struct sample_kernel *k = calloc(1, sizeof *k);

    (void)base, (void)g, (void)refused;
    *out = NULL;
    if (!k)
        return err_set(err, ST_NOMEM, "out of memory");
    k->head.ops = &kernel_ops;
    k->part = p;
    *out = &k->head;
    return ST_OK;
}

/* The session has given memory to what crosses the border of a partition; the rest is the delegate's. */
static enum status sample_prepare(struct delegate *base, struct delegate_kernel *const *kernels, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    (void)base;
    for (uint32_t i = 0; i < n && !st; i++) {
        struct sample_kernel *k = (struct sample_kernel *)kernels[i];

        st = inner_values_place(&k->inner, k->part, err);
    }
    return st;
}

/* ---- the delegate ---- */

static void sample_close(struct delegate *base)
{
    free(base);
}

static const struct delegate_ops sample_ops = {
    .claim = sample_claim, .init = sample_init, .prepare = sample_prepare, .close = sample_close};

extern const struct delegate_type delegate_sample;

static enum status sample_open(const void *options, struct delegate **out, struct err *err)
{
    struct sample *d = calloc(1, sizeof *d);

    *out = NULL;
    if (!d)
        return err_set(err, ST_NOMEM, "out of memory");
    d->base = (struct delegate){.type = &delegate_sample, .ops = &sample_ops, .device = "plain loops"};
    d->ops = ((const struct sample_options *)options)->ops;
    *out = &d->base;
    return ST_OK;
}

static const struct flag sample_flags[] = {
    {.name = "sample_delegate_ops",
     .group = GROUP_DELEGATE,
     FLAG_TAKES_WORD("both", "add", "sub"),
     .offset = offsetof(struct sample_options, ops),
     .value = "both",
     .help = "Choose the operators that it takes."},
    {0},
};

const struct delegate_type delegate_sample = {
    .name = "sample",
    .label = "sample",
    .use_flag = "use_sample_delegate",
    .kernel = "SampleDelegate",
    .options_size = sizeof(struct sample_options),
    .flags = sample_flags,
    .open = sample_open,
    .open_static = sample_open,
};
