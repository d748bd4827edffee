/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - Table: a function given by its values, 256 of them for INT8, 513 to interpolate between for INT16. */
#include "kernels_cpu/quant/lut.h"
#include "kernels_cpu/quant/quant_check.h"

enum { X, TABLE };

static enum status table_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[X], *table = n->in[TABLE], *y = n->out[0];
    const int32_t points = x->type == TYPE_INT8 ? 256 : LUT16_POINTS;

    if (x->type != TYPE_INT8 && x->type != TYPE_INT16)
        return cpu_bad_type(n, x, err);
    if (y->type != x->type)
        return cpu_bad_type(n, y, err);
    if (table->type != x->type || table->rank != 1 || table->dim[0] != points)
        return err_set(err, ST_BAD_MODEL, "the table is %s, expected %s[%d]", TENSOR_TEXT(table), type_name(x->type), points);
    if (x->type == TYPE_INT16 && (quant_zero(x) || quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "zero points of 16-bit tensors must be 0, not %d and %d", quant_zero(x), quant_zero(y));
    return ST_OK;
}

static void row_8(const void *arg, void *out, const void *in, size_t n)
{
    const int8_t *table = arg, *x = in;
    int8_t *y = out;

    for (size_t i = 0; i < n; i++)
        y[i] = table[x[i] + 128];
}

static void row_16(const void *arg, void *out, const void *in, size_t n)
{
    const int16_t *x = in;
    int16_t *y = out;

    for (size_t i = 0; i < n; i++)
        y[i] = lut16_at(arg, x[i]);
}

static void table_run(struct cpu_call *c)
{
    const struct node *n = c->node;

    map_run(c, n->in[X]->type == TYPE_INT8 ? row_8 : row_16, n->in[TABLE]->data);
}

const struct cpu_kernel cpu_table = {.arity = {2, 2, 1}, .shape = shape_same, .prepare = table_prepare, .compute = table_run};
