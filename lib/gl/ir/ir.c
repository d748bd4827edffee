/* SPDX-License-Identifier: Apache-2.0 */
/* ir.c - building and editing the operations of a partition. */
#include "lib/gl/ir/ir.h"
#include "lib/gl/ir/fold.h"
#include "lib/graph/whole_floats.h"

#include <string.h>

enum status ir_nomem(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory while compiling for the GPU");
}

/* Makes room for one more pointer in an array of the arena; the old array stays behind there. */
static bool grow(struct arena *a, void *array, uint32_t n, uint32_t *cap)
{
    void **old, **bigger;
    uint32_t more = *cap ? 2 * *cap : 64;

    if (n < *cap)
        return true;
    if (!(bigger = ARENA_ARRAY(a, more, void *)))
        return false;
    memcpy(&old, array, sizeof old);
    if (n)
        memcpy(bigger, old, n * sizeof *bigger);
    memcpy(array, &bigger, sizeof bigger);
    *cap = more;
    return true;
}

bool ir_shape_of(const struct tensor *t, struct ir_shape *out)
{
    struct ir_fold f = ir_fold_stored(t->dim, t->rank);

    *out = ir_fold_shape(&f, t->dim);
    for (int32_t i = 0; i < t->rank; i++)
        if (t->dim[i] < 1)
            return false;
    return true;
}

static struct ir_value *value_new(struct ir *ir, enum ir_type type, struct ir_shape shape)
{
    const struct node *n = ir->lowering.node;
    struct ir_value *v = ARENA_NEW(ir->arena, struct ir_value);

    if (!v || !grow(ir->arena, &ir->values, ir->n_values, &ir->cap_values))
        return NULL;
    v->id = ir->n_values;
    v->type = type;
    v->shape = shape;
    v->full = n && (ir_is_fine(n) || whole_floats_reads(n) || node_list_has(ir->full_nodes, n->index));
    ir->values[ir->n_values++] = v;
    return v;
}

void ir_set_variable(struct ir *ir, const struct tensor *variable, struct ir_value *v)
{
    struct ir_value *old = ir->by_tensor[variable->index];

    for (uint32_t i = 0; i < ir->n_outputs; i++)
        if (ir->output_tensors[i] == variable && (!ir_is_quantized(variable) || ir->exact)) {
            ir->outputs[i] = v;
            v->is_output = true;
        }
    if (old)
        old->is_output = false; /* but it may be an output by itself, too: what a cell puts out is its new state */
    for (uint32_t i = 0; old && i < ir->n_outputs; i++)
        old->is_output |= ir->outputs[i] == old;
    ir->by_tensor[variable->index] = v;
}

struct ir_value *ir_temp(struct ir *ir, enum ir_type type, struct ir_shape shape)
{
    return value_new(ir, type, shape);
}

struct ir_value *ir_const(struct ir *ir, enum ir_type type, struct ir_shape shape, const void *data)
{
    struct ir_value *v = data ? value_new(ir, type, shape) : NULL;

    if (v)
        v->data = data;
    return v;
}

/* Blocks lie along the last axis, one scale each. */
static float block_scale(const struct ir *ir, const struct tensor *t, size_t i)
{
    const struct tensor *scales = &ir->graph->tensors[t->quant.block_scales];
    const size_t k = i / (size_t)t->quant.block_size;

    return scales->type == TYPE_FLOAT16 ? half_to_float(((const uint16_t *)scales->data)[k]) : ((const float *)scales->data)[k];
}

/* UINT8 beside float activations has the bits of INT8, as old converters wrote it. */
static bool is_unsigned(const struct ir *ir)
{
    const struct node *n = ir->lowering.node;

    for (uint32_t i = 0; n && i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type == TYPE_UINT8 && !n->in[i]->is_const)
            return true;
    return n && n->n_out && n->out[0] && n->out[0]->type == TYPE_UINT8;
}

/* Elements from `first` to `end`, which share a scale and a zero point. Most weights are bytes, millions of them. */
static void dequantize(const struct tensor *t, bool is_signed, size_t first, size_t end, float scale, int64_t zero, float *to)
{
    const bool bytes = t->type == TYPE_INT8 || t->type == TYPE_UINT8;
    const int8_t *s = t->data;
    const uint8_t *u = t->data;

    if (!bytes)
        for (size_t i = first; i < end; i++)
            to[i] = scale * (float)(tensor_int(t, i) - zero);
    else if (is_signed)
        for (size_t i = first; i < end; i++)
            to[i] = scale * (float)(s[i] - zero);
    else
        for (size_t i = first; i < end; i++)
            to[i] = scale * (float)(u[i] - zero);
}

/* Without the scales where only the counts of steps are asked for. */
static void dequantize_all(const struct ir *ir, const struct tensor *t, bool counts, size_t n, float *to)
{
    const struct quant *q = &t->quant;
    const bool is_signed = t->type != TYPE_UINT8 || !is_unsigned(ir);
    size_t run = q->n > 1 ? shape_count(t->dim, q->dim + 1, t->rank) : n, k = 0;

    for (size_t i = 0; i < n; i += run, k = k + 1 < q->n ? k + 1 : 0) {
        const int64_t zero = q->n && q->zero_point ? q->zero_point[k] : 0;

        dequantize(t, is_signed, i, i + run, q->n && !counts ? q->scale[k] : 1, zero, to);
    }
}

/* Of a type that is not dequantized with one scale for a stretch. */
static float element(const struct ir *ir, const struct tensor *t, size_t i)
{
    switch (t->type) {
    case TYPE_FLOAT16: return half_to_float(((const uint16_t *)t->data)[i]);
    case TYPE_BFLOAT16: return bfloat_to_float(((const uint16_t *)t->data)[i]);
    case TYPE_BOOL: return ((const uint8_t *)t->data)[i] ? 1 : 0;
    default: return block_scale(ir, t, i) * (float)tensor_int(t, i);
    }
}

static const float *converted(struct ir *ir, const struct tensor *t, bool counts)
{
    const bool single = t->type == TYPE_FLOAT16 || t->type == TYPE_BFLOAT16 || t->type == TYPE_BOOL || t->quant.block_size > 0;
    const size_t n = tensor_elems(t);
    float *f = ARENA_ARRAY(ir->arena, n, float);

    if (f && !single)
        dequantize_all(ir, t, counts, n, f);
    for (size_t i = 0; f && single && i < n; i++)
        f[i] = element(ir, t, i);
    return f;
}

const float *ir_floats(struct ir *ir, const struct tensor *t)
{
    return t->type == TYPE_FLOAT32 ? t->data : converted(ir, t, false);
}

const float *ir_counts(struct ir *ir, const struct tensor *t)
{
    return converted(ir, t, true);
}

static const int32_t *ints_of(struct ir *ir, const struct tensor *t)
{
    size_t n = tensor_elems(t);
    int32_t *out = ARENA_ARRAY(ir->arena, n, int32_t);

    for (size_t i = 0; out && i < n; i++) {
        int64_t v = t->type == TYPE_UINT32 ? (int32_t)(uint32_t)tensor_int(t, i) : tensor_int(t, i);

        out[i] = v < INT32_MIN ? INT32_MIN : v > INT32_MAX ? INT32_MAX : (int32_t)v;
    }
    return out;
}

/* Beside tensors of plain integers constants are such, too. */
static bool is_plain_constant(const struct ir *ir, const struct tensor *t)
{
    const struct node *n = t->is_const && tensor_is_plain(t) ? ir->lowering.node : NULL;

    for (uint32_t i = 0; n && i < n->n_in; i++)
        if (n->in[i] && !n->in[i]->is_const && n->in[i]->type == t->type)
            return tensor_is_plain(n->in[i]);
    return n && n->n_out && n->out[0] && n->out[0]->type == t->type && tensor_is_plain(n->out[0]);
}

static enum ir_type type_of(const struct ir *ir, const struct tensor *t)
{
    const bool integers = t->is_const ? ir->lowering.raw : ir->lowering.exact;

    return (integers && tensor_is_quantized(t)) || is_plain_constant(ir, t) ? IR_INT : ir_type_of(t);
}

struct ir_value *ir_of_tensor(struct ir *ir, const struct tensor *t)
{
    struct ir_value *v = ir->by_tensor[t->index];
    struct ir_shape shape;

    /* A constant may be integers to one node and reals to another. */
    if (v && (!t->is_const || v->type == type_of(ir, t)))
        return v;
    if (!ir_shape_of(t, &shape) || !(v = value_new(ir, type_of(ir, t), shape)))
        return NULL;
    v->tensor = t;
    v->full = t->type == TYPE_INT16 || t->type == TYPE_BFLOAT16 || t->stays_float32 || (t->is_const && v->full) ||
              (ir->full_tensors && ir->full_tensors[t->index]);
    if (t->is_const) {
        v->data = v->type == IR_INT ? (const void *)ints_of(ir, t) : ir_floats(ir, t);
        if (!v->data)
            return NULL;
    }
    ir->by_tensor[t->index] = v;
    return v;
}

bool ir_has_in(const struct node *n, uint32_t i)
{
    return node_in(n, i) != NULL;
}

struct ir_value *ir_in(struct ir *ir, const struct node *n, uint32_t i)
{
    return ir_has_in(n, i) ? ir_of_tensor(ir, n->in[i]) : NULL;
}

struct ir_value *ir_out(struct ir *ir, const struct node *n, uint32_t i)
{
    return node_out(n, i) ? ir_of_tensor(ir, n->out[i]) : NULL;
}

/* What crosses the border: of quantized tensors the integers, while lowering sees the reals; of 64 bits that come in, both words.
 */
static struct ir_value *border_value(struct ir *ir, const struct tensor *t, bool in)
{
    const bool words = in && ir_is_int64(t);
    struct ir_value *v;
    struct ir_shape shape;

    if (!ir_is_quantized(t) && !words)
        return ir_of_tensor(ir, t);
    if (!ir_shape_of(t, &shape) || (words && __builtin_mul_overflow(shape.c, 2, &shape.c)) || !(v = value_new(ir, IR_INT, shape)))
        return NULL;
    v->tensor = t;
    return v;
}

static bool border(struct ir *ir, struct tensor *const *tensors, uint32_t n, bool in, struct ir_value ***out)
{
    *out = ARENA_ARRAY(ir->arena, n, struct ir_value *);
    for (uint32_t i = 0; *out && i < n; i++)
        if (!((*out)[i] = border_value(ir, tensors[i], in)))
            return false;
    return *out != NULL;
}

enum status ir_new(struct arena *a, const struct graph *g, struct tensor *const *inputs, uint32_t n_inputs,
                   struct tensor *const *outputs, uint32_t n_outputs, struct ir **out, struct err *err)
{
    struct ir *ir = *out = ARENA_NEW(a, struct ir);

    if (!ir || !(ir->by_tensor = ARENA_ARRAY(a, g->n_tensors, struct ir_value *)) ||
        !(ir->high = ARENA_ARRAY(a, g->n_tensors, struct ir_value *)))
        return ir_nomem(err);
    ir->arena = a;
    ir->graph = g;
    ir->n_inputs = n_inputs;
    ir->n_outputs = n_outputs;
    ir->output_tensors = outputs;
    if (!border(ir, inputs, n_inputs, true, &ir->inputs) || !border(ir, outputs, n_outputs, false, &ir->outputs))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n_inputs; i++)
        ir->inputs[i]->is_input = true;
    for (uint32_t i = 0; i < n_outputs; i++)
        ir->outputs[i]->is_output = true;
    return ST_OK;
}

struct ir_op *ir_op_new(struct ir *ir, const struct ir_kind *kind, struct ir_value *const *in, uint32_t n_in, struct ir_value *out,
                        size_t attr_size)
{
    struct ir_op *op = ARENA_NEW(ir->arena, struct ir_op);

    if (!op || !out || !grow(ir->arena, &ir->ops, ir->n_ops, &ir->cap_ops))
        return NULL;
    op->kind = kind;
    op->out = out;
    op->stores = out->type;
    op->n_in = n_in;
    op->attr_size = attr_size;
    op->attr = arena_alloc(ir->arena, 1, attr_size);
    op->in = ARENA_ARRAY(ir->arena, n_in, struct ir_value *);
    op->nodes = ARENA_ARRAY(ir->arena, 1, const struct node *);
    if (!op->attr || !op->in || !op->nodes)
        return NULL;
    for (uint32_t i = 0; i < n_in; i++)
        if (!(op->in[i] = in[i]))
            return NULL;
    if (ir->lowering.node)
        op->nodes[op->n_nodes++] = ir->lowering.node;
    ir->ops[ir->n_ops++] = op;
    return op;
}

struct ir_op *ir_op_with(struct ir *ir, const struct ir_kind *kind, struct ir_value *const *in, uint32_t n_in, struct ir_value *out,
                         const void *attr, size_t attr_size)
{
    struct ir_op *op = ir_op_new(ir, kind, in, n_in, out, attr_size);

    if (op)
        memcpy(op->attr, attr, attr_size);
    return op;
}

bool ir_apply(struct ir *ir, struct ir_op *op, const struct ir_fn *fn, struct ir_value *const operand[3], const float p[4],
              enum ir_type out)
{
    struct ir_epilogue *e = ARENA_NEW(ir->arena, struct ir_epilogue), **end;

    if (!op || !e)
        return false;
    e->in = op->stores;
    for (end = &op->epilogue; *end; end = &(*end)->next)
        e->in = (*end)->out;
    e->fn = fn;
    e->out = out;
    for (uint32_t i = 0; operand && i < fn->arity; i++)
        e->operand[i] = operand[i];
    if (p)
        memcpy(e->p, p, sizeof e->p);
    *end = e;
    return true;
}

void ir_each_operand(struct ir_op *op, void (*fn)(void *arg, struct ir_value **operand), void *arg)
{
    for (uint32_t i = 0; i < op->n_in; i++)
        fn(arg, &op->in[i]);
    for (struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i])
                fn(arg, &e->operand[i]);
}

static void count_use(void *arg, struct ir_value **operand)
{
    (void)arg;
    (*operand)->n_uses++;
}

void ir_link(struct ir *ir)
{
    for (uint32_t i = 0; i < ir->n_values; i++) {
        ir->values[i]->producer = NULL;
        ir->values[i]->n_uses = ir->values[i]->is_output;
    }
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];

        op->out->producer = op;
        if (op->out2)
            op->out2->producer = op;
        ir_each_operand(op, count_use, NULL);
    }
    for (uint32_t i = 0; i < ir->n_values; i++)
        if (ir->values[i]->view.of)
            ir->values[i]->view.of->n_uses += ir->values[i]->n_uses;
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->n_uses = ir_root(ir->values[i])->n_uses;
}

void ir_remove(struct ir *ir, struct ir_op *op)
{
    uint32_t i = 0;

    while (i < ir->n_ops && ir->ops[i] != op)
        i++;
    if (i == ir->n_ops)
        return;
    memmove(&ir->ops[i], &ir->ops[i + 1], (ir->n_ops - i - 1) * sizeof *ir->ops);
    ir->n_ops--;
}

void ir_close_gaps(struct ir *ir)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (ir->ops[i])
            ir->ops[n++] = ir->ops[i];
    ir->n_ops = n;
}

bool ir_append(struct ir *ir, struct ir_op *op)
{
    if (!grow(ir->arena, &ir->ops, ir->n_ops, &ir->cap_ops))
        return false;
    ir->ops[ir->n_ops++] = op;
    return true;
}

bool ir_reads_value(const struct ir_epilogue *e)
{
    for (uint32_t i = 0; i < e->fn->arity; i++)
        if (e->operand[i] && !ir_is_scalar(e->operand[i]))
            return true;
    return false;
}

bool ir_hand_over(const struct ir_op *op, struct ir_op *last)
{
    if (!last)
        return false;
    last->out = op->out;
    last->out2 = op->out2;
    last->stores = op->stores;
    last->epilogue = op->epilogue;
    return true;
}

struct ir_value *ir_temp_full(struct ir *ir, enum ir_type type, struct ir_shape shape)
{
    struct ir_value *v = ir_temp(ir, type, shape);

    if (v)
        v->full = true;
    return v;
}

/* Many are added one by one. */
static bool make_room_for_nodes(struct ir *ir, struct ir_op *op, uint32_t more)
{
    const uint32_t cap = 2 * (op->n_nodes + more);
    const struct node **all;

    if (op->n_nodes + more <= op->cap_nodes)
        return true;
    if (!(all = ARENA_ARRAY(ir->arena, cap, const struct node *)))
        return false;
    memcpy(all, op->nodes, op->n_nodes * sizeof *all);
    op->nodes = all;
    op->cap_nodes = cap;
    return true;
}

bool ir_merge_nodes(struct ir *ir, struct ir_op *op, const struct ir_op *from)
{
    const uint32_t n = op->n_nodes;

    if (!make_room_for_nodes(ir, op, from->n_nodes))
        return false;
    for (uint32_t i = 0; i < from->n_nodes; i++) {
        bool there = false;

        for (uint32_t k = 0; k < n; k++)
            there |= op->nodes[k] == from->nodes[i];
        if (!there)
            op->nodes[op->n_nodes++] = from->nodes[i];
    }
    return true;
}

const struct ir_traits *ir_traits(const struct ir_op *op)
{
    static const struct ir_traits none;

    return op->kind->traits ? op->kind->traits : &none;
}

uint64_t ir_vector_at(const struct ir_value *v, struct ir_shape at)
{
    const struct ir_shape from = v->view.at, pitch = v->view.of ? v->view.pitch : v->shape;
    uint64_t row = ((uint64_t)(from.b + at.b) * (uint64_t)ir_slices(pitch) + (uint64_t)((from.c + at.c) / 4)) * (uint64_t)pitch.h;

    return (row + (uint64_t)(from.h + at.h)) * (uint64_t)pitch.w + (uint64_t)(from.w + at.w);
}

static int32_t last_along(const struct ir_axis_map *m, int32_t n)
{
    return m->mirrors ? (m->length - 1) >> m->shift : ir_axis_at(m, n - 1);
}

struct ir_shape ir_last(const struct ir_value *v)
{
    const struct ir_index_map *map = v->view.map;
    const struct ir_blend *blend = v->view.blend;
    const struct ir_blocks *k = v->view.blocks;
    const struct ir_shape s = v->shape;

    if (blend)
        return (struct ir_shape){s.b - 1, blend->h.length - 1, blend->w.length - 1, s.c - 1};
    if (k)
        return (struct ir_shape){s.b - 1, s.h * k->h - 1, s.w * k->w - 1, k->channels - 1};
    return map ? (struct ir_shape){s.b - 1, last_along(&map->h, s.h), last_along(&map->w, s.w), s.c - 1}
               : (struct ir_shape){s.b - 1, s.h - 1, s.w - 1, s.c - 1};
}

bool ir_is_flat(const struct ir_value *v)
{
    const struct ir_view *w = &v->view;

    return !w->of || (!w->map && !w->blend && !w->blocks && w->pitch.h == v->shape.h && w->pitch.w == v->shape.w);
}

/* Of kernels_gl/common/map.c, found at link time: the one kind that the core makes operations of itself. */
extern const struct ir_kind gl_kind_map;

struct ir_op *ir_copy(struct ir *ir, struct ir_value *x, struct ir_value *y)
{
    return ir_op_new(ir, &gl_kind_map, IR_INS(x), y, 0);
}
