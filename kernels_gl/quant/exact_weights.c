/* SPDX-License-Identifier: Apache-2.0 */
/* exact_weights.c - see exact_weights.h */
#include "kernels_gl/quant/exact_weights.h"

#include <stdlib.h>

#include "kernels_cpu/quant/packed_int.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/quant/requantize.h"
#include "lib/gl/codegen/shader.h"
#include "lib/gl/lower/exact.h"

static int32_t element(const struct exact_weights *f, size_t o, size_t tap, size_t i)
{
    int32_t v;

    if (o >= f->n_out || tap >= f->taps || i >= f->n_in)
        return f->zero;
    packed_int_load(f->type, f->data, (f->first + o) * f->step_o + tap * f->step_t + i, 1, &v);
    return v;
}

static int32_t word(const int32_t v[4])
{
    uint32_t bits = 0;

    for (int i = 0; i < 4; i++)
        bits |= ((uint32_t)v[i] & 255) << 8 * i;
    return (int32_t)bits;
}

static size_t slices(size_t channels)
{
    return (channels + 3) / 4;
}

static void dense_vector(const struct exact_weights *f, size_t i, int32_t to[4])
{
    const size_t z = i % slices(f->n_in), tap = i / slices(f->n_in) % f->taps, s = i / slices(f->n_in) / f->taps;

    for (size_t o = 0; o < 4; o++) {
        int32_t v[4];

        for (size_t k = 0; k < 4; k++)
            v[k] = element(f, 4 * s + o, tap, 4 * z + k);
        to[o] = word(v);
    }
}

static void depthwise_vector(const struct exact_weights *f, size_t i, int32_t to[4])
{
    const size_t first = 4 * (i % slices(f->taps)), s = i / slices(f->taps);

    for (size_t tap = 0; tap < 4; tap++) {
        int32_t v[4];

        for (size_t k = 0; k < 4; k++)
            v[k] = element(f, 4 * s + k, first + tap, 0);
        to[tap] = word(v);
    }
}

static void pack(const struct exact_weights *f, size_t first, size_t n, int32_t *to,
                 void (*vector)(const struct exact_weights *f, size_t i, int32_t to[4]))
{
    const size_t head = exact_requant_vectors(f->q);

    for (size_t i = first; i < first + n; i++, to += 4)
        if (i < head)
            exact_requant_pack(f->q, i, to);
        else
            vector(f, i - head, to);
}

static void pack_dense(const void *arg, size_t first, size_t n, void *to)
{
    pack(arg, first, n, to, dense_vector);
}

static void pack_depthwise(const void *arg, size_t first, size_t n, void *to)
{
    pack(arg, first, n, to, depthwise_vector);
}

static void bind(struct gl_shader *p, const struct exact_weights *f, size_t vectors, gl_packer packer)
{
    const size_t head = exact_requant_vectors(f->q);

    if (!f->data)
        vectors = 0;
    if (head + vectors)
        gl_table_packed(p, "w", head + vectors, vectors, packer, f, sizeof *f);
    gl_define(p, "SIGNED_WEIGHTS", f->type != TYPE_UINT8);
    gl_param(p, "WEIGHT_ZERO", f->zero);
}

struct exact_weights exact_weights_of_rows(const void *data, enum tensor_type type, size_t rows, size_t cols)
{
    return (struct exact_weights){.data = data, .type = type, .n_out = rows, .taps = 1, .n_in = cols, .step_o = cols};
}

void exact_weights_dense(struct gl_shader *p, const struct exact_weights *f)
{
    bind(p, f, slices(f->n_out) * f->taps * slices(f->n_in), pack_dense);
}

void exact_weights_depthwise(struct gl_shader *p, const struct exact_weights *f)
{
    bind(p, f, slices(f->n_out) * slices(f->taps), pack_depthwise);
}

uint64_t exact_weights_most(const struct exact_weights *f, uint64_t x)
{
    uint64_t most = 0;

    if (!f->data)
        return f->taps * f->n_in * 255 * x;
    for (size_t o = 0; o < f->n_out; o++) {
        uint64_t sum = 0;

        for (size_t tap = 0; tap < f->taps; tap++)
            for (size_t i = 0; i < f->n_in; i++)
                sum += (uint64_t)abs(element(f, o, tap, i) - f->zero);
        most = sum > most ? sum : most;
    }
    return most * x;
}

/* ---- what is made at run time ---- */

struct ir_op *exact_op_new(struct ir *ir, const struct ir_kind *kind, struct ir_value *x, const struct exact_values *v,
                           struct ir_value *y, size_t attr_bytes)
{
    struct ir_value *in[4] = {x}, *const more[] = {v->steps, v->filter, v->bias};
    uint32_t n = 1;

    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        if (more[i])
            in[n++] = more[i];
    return ir_op_new(ir, kind, in, n, y, attr_bytes);
}

void exact_source_of(struct gl_shader *p, const struct exact_weights *f, const char *template)
{
    struct text t = {.arena = p->arena};

    if (!f->data)
        text_add(&t, "%s", exact_filter_comp);
    text_add(&t, "%s", template);
    p->failed |= t.failed;
    exact_source(p, f->q, t.failed ? template : t.s);
    gl_define(p, "FILTER_VALUE", !f->data);
    if (!f->data)
        gl_define(p, "FILTER_IS_GROUPED", f->is_grouped);
}

void exact_inputs(struct gl_shader *p, const struct ir_op *op, const struct exact_weights *f)
{
    uint32_t i = 1;

    if (f->q->scale)
        gl_input(p, "m", op->in[i++]);
    if (!f->data)
        gl_input(p, "f", op->in[i++]);
    if (f->q->bias_value)
        gl_input(p, "e", op->in[i++]);
    if (!f->data)
        gl_param(p, "FILTER_FIRST", (int32_t)f->first);
}

bool exact_has_values(const struct node *n, uint32_t filter, uint32_t bias)
{
    const struct tensor *w = node_in(n, filter), *b = node_in(n, bias);

    return (w && !w->is_const) || (b && !b->is_const);
}

/* Input 1 is the filter, input 2 the bias: what is made at run time is multiplied as integers. */
bool gl_reals_product(const struct node *n)
{
    return !exact_has_values(n, 1, 2) && requantize_is_exact(n->in[0], n->in[1], n->out[0]);
}

static struct ir_value *row_of(struct ir *ir, const struct tensor *t)
{
    return ir_reshaped(ir, ir_of_tensor(ir, t), (struct ir_shape){1, 1, 1, (int32_t)tensor_elems(t)});
}

struct ir_value *exact_filter_of(struct ir *ir, const struct tensor *w)
{
    struct ir_value *v = ir_of_tensor(ir, w);

    return v && w->rank == 2 ? ir_reshaped(ir, v, (struct ir_shape){w->dim[0], 1, 1, w->dim[1]}) : v;
}

bool exact_values_of(struct ir *ir, const struct node *n, uint32_t filter, uint32_t bias, struct exact_values *out)
{
    const struct tensor *w = n->in[filter], *b = node_in(n, bias);

    out->filter = w->is_const ? NULL : exact_filter_of(ir, w);
    if (b && (b->is_const || b->type == TYPE_FLOAT32))
        b = NULL;
    out->bias = b ? row_of(ir, b) : NULL;
    return !out->filter == w->is_const && !out->bias == !b;
}

const struct tensor *exact_bias_behind(const struct node *n, uint32_t filter, uint32_t bias)
{
    const struct tensor *b = node_in(n, bias);

    return b && b->type == TYPE_FLOAT32 && exact_has_values(n, filter, bias) ? b : NULL;
}

struct ir_value *exact_without_bias(struct ir *ir, const struct tensor *behind, struct ir_value *y)
{
    return behind && y ? ir_temp_full(ir, y->type, y->shape) : y;
}

struct ir_op *exact_add_bias(struct ir *ir, const struct tensor *behind, struct ir_op *op, struct ir_value *y)
{
    return behind && op ? ir_map(ir, &fn_add, (struct ir_value *[3]){op->out, row_of(ir, behind)}, NULL, y) : op;
}

bool exact_values_fit(const struct node *n, uint32_t x, uint32_t filter, uint32_t bias, size_t channels, struct reason *why)
{
    const struct tensor *w = node_in(n, filter), *b = node_in(n, bias);
    const enum tensor_type b_type = n->in[x]->type == TYPE_FLOAT32 ? TYPE_FLOAT32 : TYPE_INT32;

    if (!w->is_const && !(TAKES_8BIT >> w->type & 1))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "a filter of %s that is computed at run time", type_name(w->type));
    if (!b || b->is_const)
        return true;
    if (b->type != b_type)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "a bias of %s that is computed at run time", type_name(b->type));
    return tensor_elems(b) == channels ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "the bias is %s, of %zu channels", TENSOR_TEXT(b), channels);
}
