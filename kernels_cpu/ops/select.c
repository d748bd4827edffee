/* SPDX-License-Identifier: Apache-2.0 */
/* select.c - SELECT and SELECT_V2: of two tensors, the element that the condition picks.
 *
 * SELECT_V2 broadcasts all three; SELECT takes a condition of the same shape, a scalar, or one value per index of the first
 * dimension. */
#include "kernels_cpu/common/broadcast.h"

/* Only the size of an element matters. */
#define SELECT_ROW(name, t)                                                                                                        \
    static void name(const void *arg, void *out, const void *const *x, const size_t *step, size_t n)                               \
    {                                                                                                                              \
        const uint8_t *condition = x[0];                                                                                           \
        const t *a = x[1], *b = x[2];                                                                                              \
        t *y = out;                                                                                                                \
                                                                                                                                   \
        (void)arg;                                                                                                                 \
        if (step[0] && step[1] && step[2])                                                                                         \
            for (size_t i = 0; i < n; i++)                                                                                         \
                y[i] = condition[i] ? a[i] : b[i];                                                                                 \
        else                                                                                                                       \
            for (size_t i = 0; i < n; i++)                                                                                         \
                y[i] = condition[i * step[0]] ? a[i * step[1]] : b[i * step[2]];                                                   \
    }

SELECT_ROW(select_8, uint8_t)
SELECT_ROW(select_16, uint16_t)
SELECT_ROW(select_32, uint32_t)
SELECT_ROW(select_64, uint64_t)

static enum status check_types(struct node *n, struct err *err)
{
    const enum status st = shape_arity(n, 3, 3, 1, err);

    if (st)
        return st;
    if (n->in[0]->type != TYPE_BOOL)
        return err_set(err, ST_BAD_MODEL, "the condition %s is not BOOL", TENSOR_TEXT(n->in[0]));
    if (n->in[1]->type != n->in[2]->type)
        return err_set(err, ST_BAD_MODEL, "the choices have types %s and %s", type_name(n->in[1]->type), type_name(n->in[2]->type));
    n->out[0]->type = n->in[1]->type;
    return ST_OK;
}

/* As in TFLite, one value chosen from two keeps the shape that the file gives it, be that [] or [1,1]. */
static bool keeps_shape(const struct node *n)
{
    for (uint32_t i = 0; i < 3; i++)
        if (tensor_elems(n->in[i]) != 1)
            return false;
    return tensor_elems(n->out[0]) == 1;
}

static enum status select_v2_shape(struct node *n, struct err *err)
{
    struct tensor both = {.name = ""};
    int32_t dim[TENSOR_MAX_RANK], rank;
    enum status st = check_types(n, err);

    if (st || keeps_shape(n) || (st = shape_broadcast(n->in[1], n->in[2], both.dim, &both.rank, err)) ||
        (st = shape_broadcast(n->in[0], &both, dim, &rank, err)))
        return st;
    return shape_set(n, 0, dim, rank, err);
}

static enum status select_shape(struct node *n, struct err *err)
{
    const struct tensor *condition = n->in[0], *a = n->in[1], *b = n->in[2];
    const enum status st = check_types(n, err);

    if (st || keeps_shape(n))
        return st;
    if (!tensor_same_shape(a, b))
        return err_set(err, ST_BAD_MODEL, "the choices differ: %s and %s", TENSOR_TEXT(a), TENSOR_TEXT(b));
    if (condition->rank != 0 && !tensor_same_shape(condition, a) &&
        (condition->rank != 1 || a->rank == 0 || condition->dim[0] != a->dim[0]))
        return err_set(err, ST_BAD_MODEL, "the condition %s fits neither %s nor its first dimension", TENSOR_TEXT(condition),
                       TENSOR_TEXT(a));
    return shape_like(n, 0, a, err);
}

static enum status select_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *a = c->node->in[1];

    switch (type_bits(a->type)) {
    case 8: return broadcast_plan(c, select_8, sizeof(struct broadcast_plan), err);
    case 16: return broadcast_plan(c, select_16, sizeof(struct broadcast_plan), err);
    case 32: return broadcast_plan(c, select_32, sizeof(struct broadcast_plan), err);
    case 64: return broadcast_plan(c, select_64, sizeof(struct broadcast_plan), err);
    default: return cpu_bad_type(c->node, a, err);
    }
}

static enum status select_v2_run(struct cpu_call *c, struct err *err)
{
    (void)err;
    broadcast_run(c, 3, ((const struct broadcast_plan *)c->packed)->row, NULL);
    return ST_OK;
}

/* A condition for the first dimension becomes [n,1,...,1], which broadcasts to that. */
static enum status select_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *a = c->node->in[1];
    struct tensor condition = *c->node->in[0];
    struct tensor *in[] = {&condition, c->node->in[1], c->node->in[2]};
    struct node node = *c->node;
    struct cpu_call call = *c;

    if (condition.rank == 1)
        while (condition.rank < a->rank)
            condition.dim[condition.rank++] = 1;
    node.in = in;
    call.node = &node;
    return select_v2_run(&call, err);
}

const struct cpu_kernel cpu_select = {.shape = select_shape, .prepare = select_prepare, .run = select_run};
const struct cpu_kernel cpu_select_v2 = {.shape = select_v2_shape, .prepare = select_prepare, .run = select_v2_run};
