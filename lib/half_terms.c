/* SPDX-License-Identifier: Apache-2.0 */
/* half_terms.c - a node run again on its operands as they are, and on their absolute values. */
#include "half_terms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_ACTIVATION SIZE_MAX
#define ROW(op, type)                                                                                                              \
    {                                                                                                                              \
        BUILTIN_##op, sizeof(struct type), offsetof(struct type, activation), false                                                \
    }

/* Operators whose result is a sum over products or elements. */
static const struct summing {
    int32_t builtin;
    size_t opt_bytes, activation; /* size of the options; where the fused activation is in them */
    bool subtracts;               /* operand 1 is a term with its sign turned */
} summings[] = {
    ROW(CONV_2D, opt_conv_2d),
    ROW(DEPTHWISE_CONV_2D, opt_depthwise_conv_2d),
    ROW(TRANSPOSE_CONV, opt_transpose_conv),
    ROW(FULLY_CONNECTED, opt_fully_connected),
    ROW(AVERAGE_POOL_2D, opt_pool_2d),
    ROW(ADD, opt_add),
    {BUILTIN_SUB, sizeof(struct opt_sub), offsetof(struct opt_sub, activation), true},
    {BUILTIN_BATCH_MATMUL, sizeof(struct opt_batch_matmul), NO_ACTIVATION, false},
    {BUILTIN_SUM, sizeof(struct opt_reducer), NO_ACTIVATION, false},
    {BUILTIN_MEAN, sizeof(struct opt_reducer), NO_ACTIVATION, false},
};

enum { MAX_OPERANDS = 4 };

/* A node that stands beside the other's: it reads copies and writes memory of its own. */
struct beside {
    struct node node;
    struct tensor in[MAX_OPERANDS], out;
    struct tensor *in_list[MAX_OPERANDS], *out_list[1];
    union {
        struct opt_conv_2d conv;
        struct opt_depthwise_conv_2d depthwise;
        struct opt_transpose_conv transposed;
        struct opt_fully_connected full;
        struct opt_pool_2d pool;
        struct opt_add add;
        struct opt_sub sub;
        struct opt_batch_matmul matrices;
        struct opt_reducer reducer;
    } opt;
    float *owned[MAX_OPERANDS + 1];
};

static const struct summing *find(const struct node *n)
{
    for (size_t i = 0; i < sizeof summings / sizeof *summings; i++)
        if (n->op && summings[i].builtin == n->builtin)
            return &summings[i];
    return NULL;
}

bool half_terms_known(const struct node *n)
{
    const bool operands = n->n_in > 0 && n->n_in <= MAX_OPERANDS && n->n_out == 1 && n->out[0] && n->out[0]->type == TYPE_FLOAT32;

    for (uint32_t i = 0; operands && i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type != TYPE_FLOAT32 && n->in[i]->type != TYPE_INT32)
            return false;
    return operands && find(n);
}

static void beside_free(struct beside *b)
{
    for (int i = 0; i <= MAX_OPERANDS; i++)
        free(b->owned[i]);
}

static float *floats(struct beside *b, int at, size_t n)
{
    return b->owned[at] = malloc((n ? n : 1) * sizeof(float));
}

static enum status beside_init(struct beside *b, const struct node *n, bool absolute, struct err *err)
{
    const struct summing *s = find(n);

    *b = (struct beside){.node = *n, .out = *n->out[0]};
    memcpy(&b->opt, n->opt, s->opt_bytes);
    if (s->activation != NO_ACTIVATION)
        memcpy((char *)&b->opt + s->activation, &(enum activation){ACT_NONE}, sizeof(enum activation));
    b->node.opt = &b->opt;
    b->node.in = b->in_list;
    b->node.out = b->out_list;
    b->out_list[0] = &b->out;
    if (!(b->out.data = floats(b, MAX_OPERANDS, tensor_elems(&b->out))))
        return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(&b->out));
    for (uint32_t i = 0; i < n->n_in; i++) {
        const float sign = s->subtracts && i == 1 ? -1.0f : 1.0f;
        const float *from = n->in[i] ? n->in[i]->data : NULL;
        const size_t elems = n->in[i] ? tensor_elems(n->in[i]) : 0;
        float *to;

        if (!n->in[i])
            continue;
        b->in[i] = *n->in[i];
        b->in_list[i] = &b->in[i];
        if (!absolute || n->in[i]->type != TYPE_FLOAT32)
            continue;
        if (!(to = b->in[i].data = floats(b, (int)i, elems)))
            return err_set(err, ST_NOMEM, "out of memory for %s", TENSOR_TEXT(n->in[i]));
        for (size_t k = 0; k < elems; k++)
            to[k] = sign * fabsf(from[k]);
    }
    return ST_OK;
}

static enum status beside_run(struct beside *b, struct threads *threads, struct err *err)
{
    struct cpu_call call = {.node = &b->node, .threads = threads, .mode = CPU_REFERENCE, .double_sums = true};
    const struct cpu_kernel *k = b->node.op->cpu;
    enum status st = k->prepare ? k->prepare(&call, err) : ST_OK;

    if (!st && !(call.scratch = aligned_alloc(64, (call.scratch_bytes + 64) & ~(size_t)63)))
        st = err_set(err, ST_NOMEM, "out of memory for %zu bytes of scratch", call.scratch_bytes);
    if (!st)
        st = k->run(&call, err);
    free(call.packed);
    free(call.scratch);
    return st;
}

static enum status largest(const struct node *n, struct threads *threads, bool absolute, double *max, struct err *err)
{
    struct beside b;
    enum status st = beside_init(&b, n, absolute, err);

    *max = 0;
    if (!st)
        st = beside_run(&b, threads, err);
    for (size_t i = 0; !st && i < tensor_elems(&b.out); i++) {
        const double v = fabs((double)((const float *)b.out.data)[i]);

        *max = v > *max || isnan(v) ? v : *max;
    }
    beside_free(&b);
    return node_err_if(n, st, err);
}

enum status half_terms(const struct node *n, struct threads *threads, double *sum, double *terms, struct err *err)
{
    enum status st = largest(n, threads, false, sum, err);

    return st ? st : largest(n, threads, true, terms, err);
}
