/* SPDX-License-Identifier: Apache-2.0 */
/* exact_concatenation.c - CONCATENATION of integers: UINT8 inputs with steps of their own go through a table each, as on the CPU.
 */
#include "kernels_gl/quant/exact_table.h"
#include "lib/gl/lower/quantized.h"

/* The node with input i alone, along the only axis that stand-ins have. */
struct one {
    struct node node;
    struct opt_concatenation opt;
};

static void take(const struct node *n, uint32_t i, struct one *one)
{
    one->node = *n;
    one->opt = *(const struct opt_concatenation *)n->opt;
    one->opt.axis = 0;
    one->node.opt = &one->opt;
    one->node.in = &n->in[i];
    one->node.n_in = 1;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!n->op->gl->accept(lim, n, why))
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        struct err err = {""};
        struct one one;
        uint8_t x = 0, y;

        if (gl_same_steps(n->in[i], n->out[0]))
            continue;
        if (n->in[i]->type != TYPE_UINT8 || n->out[0]->type != TYPE_UINT8)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s and %s have different scales or zero points",
                              TENSOR_TEXT(n->in[i]), TENSOR_TEXT(n->out[0]));
        take(n, i, &one);
        if (exact_run(&one.node, (void *[]){&x}, 1, &y, 1, &err))
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
    }
    return true;
}

/* Gives input i the steps of the output. */
static enum status rescale(struct ir *ir, const struct node *n, uint32_t i, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, i), *y = x ? ir_temp(ir, IR_INT, x->shape) : NULL;
    struct exact_table t;
    struct one one;
    enum status st;

    take(n, i, &one);
    if ((st = exact_table_fill(&one.node, 1, ir->arena, &t, err)))
        return st;
    if (!y || !ir_exact_table(ir, &t, IR_INS(x), y))
        return ir_nomem(err);
    y->tensor = n->out[0]; /* whose elements these are: they are stored as bytes */
    ir->by_tensor[n->in[i]->index] = y;
    return ST_OK;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value **kept = ARENA_ARRAY(ir->arena, n->n_in, struct ir_value *);
    enum status st = kept ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < n->n_in && !st; i++)
        if (!(kept[i] = ir_in(ir, n, i)))
            st = ir_nomem(err);
    for (uint32_t i = 0; i < n->n_in && !st; i++)
        if (!gl_same_steps(n->in[i], n->out[0]) && ir->by_tensor[n->in[i]->index] == kept[i])
            st = rescale(ir, n, i, err);
    if (!st)
        st = n->op->gl->lower(ir, n, err);
    for (uint32_t i = 0; i < n->n_in && kept; i++)
        if (kept[i])
            ir->by_tensor[n->in[i]->index] = kept[i];
    return st;
}

const struct gl_kernel gl_exact_concatenation = {
    .max_version = 5, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED, .accept = accept, .lower = lower};
