/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.c - STABLEHLO_REDUCE_WINDOW and REDUCE_WINDOW: a reduction over every position of a window of any rank.
 *
 * Elements are taken in the CPU's order, from the initial value on. The op's shape function has checked all options. */
#include "kernels_gl/ops/reduce_window.h"

#include <stdlib.h>

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/int64/int64.h"

enum { X, INIT, WINDOW, STRIDES, DILATIONS, INPUTS };

const struct reduction reduce_replace = {"b", "b", .wide = "b"};
static const struct reduction reduce_add = {"(a) + (b)", "max(a, b)", "round_half((a) + (b))", .wide = "int64_sum(a, b)"},
                              reduce_mul = {"(a) * (b)", "min(a, b)", "round_half((a) * (b))", .wide = "int64_product(a, b)"},
                              reduce_min = {"((b) < (a) ? (b) : (a))", "min(a, b)",
                                            .without_sign = "(uint(b) < uint(a) ? (b) : (a))",
                                            .wide = "int64_pick(a, b, int64_less(b, a))",
                                            .int64_without_sign = "int64_pick(a, b, int64_below(b, a))"},
                              reduce_max = {"((a) < (b) ? (b) : (a))", "max(a, b)",
                                            .without_sign = "(uint(a) < uint(b) ? (b) : (a))",
                                            .wide = "int64_pick(a, b, int64_less(a, b))",
                                            .int64_without_sign = "int64_pick(a, b, int64_below(a, b))"},
                              reduce_all = {NULL, "min(a, b)"}, reduce_any = {NULL, "max(a, b)"};

/* One axis, from the innermost: as the shader has it. */
struct sliding {
    int32_t y, size, stride, dilation, x, base, low, step;
};

struct windows {
    struct turns turns; /* of a window's elements */
    const char *combine;
    bool wide; /* of 64 bits: int64_value.h */
    int32_t rank;
    struct sliding axis[TENSOR_MAX_RANK];
};

static void define_axes(struct gl_shader *p, const struct windows *w)
{
    struct gl_row rows[TENSOR_MAX_RANK];

    for (int32_t i = 0; i < w->rank; i++) {
        const struct sliding *s = &w->axis[i];

        rows[i] = (struct gl_row){{s->y, s->size, s->stride, s->dilation, s->x, s->base, s->low, s->step}};
    }
    gl_define_rows(p, "EACH_AXIS", 'A', rows, w->rank, 8);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct windows *w = op->attr;

    gl_source_with(p, w->wide ? int64_value_comp : round_half_comp, reduce_window_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "TWO_WORDS", w->wide);
    gl_define_text(p, "COMBINE(a, b)", w->combine);
    define_axes(p, w);
    GL_PARAMS(p, "FIRST END", w->turns.first, w->turns.end);
    gl_operands(p, "x init before");
    if (op->n_in > 2)
        gl_define(p, "CONTINUED", 1);
    gl_grid(p, w->wide ? int64_half_shape(op->out->shape) : op->out->shape);
}

static const struct gl_variant variants[] = {
    {"turns", turns_are_many, .expand = turns_take},
    {"elements", turns_are_over, emit, .iterations = turns_passes},
};
const struct ir_kind gl_kind_reduce_window = {.name = "reduce_window", GL_VARIANTS(variants)};

static const struct reduction *of_operator(int32_t builtin)
{
    switch (builtin) {
    case BUILTIN_ADD:
    case BUILTIN_STABLEHLO_ADD: return &reduce_add;
    case BUILTIN_MUL:
    case BUILTIN_STABLEHLO_MULTIPLY: return &reduce_mul;
    case BUILTIN_MINIMUM:
    case BUILTIN_STABLEHLO_MINIMUM: return &reduce_min;
    case BUILTIN_MAXIMUM:
    case BUILTIN_STABLEHLO_MAXIMUM: return &reduce_max;
    case BUILTIN_LOGICAL_AND:
    case BUILTIN_STABLEHLO_AND: return &reduce_all;
    case BUILTIN_LOGICAL_OR:
    case BUILTIN_STABLEHLO_OR: return &reduce_any;
    default: return NULL;
    }
}

const struct reduction *reduction_of_subgraph(const struct graph *g, int64_t subgraph)
{
    const struct model_subgraph *s;

    if (subgraph < 0 || subgraph >= g->model->n_subgraphs)
        return NULL;
    s = &g->model->subgraphs[subgraph];
    if (s->n_ops == 0)
        return &reduce_replace;
    return s->n_ops == 1 ? of_operator(g->model->opcodes[s->ops[0].opcode].builtin) : NULL;
}

static const char *text_of(const struct reduction *r, enum tensor_type type)
{
    switch (type) {
    case TYPE_BOOL: return r->bools;
    case TYPE_FLOAT16: return r->halves ? r->halves : r->numbers;
    case TYPE_UINT32: return r->without_sign ? r->without_sign : r->numbers;
    case TYPE_UINT64: return r->int64_without_sign ? r->int64_without_sign : r->wide;
    case TYPE_INT64: return r->wide;
    case TYPE_FLOAT64: return r == &reduce_replace ? r->wide : NULL;
    case TYPE_COMPLEX64:
    case TYPE_BFLOAT16: return NULL; /* as on the CPU */
    default: return r->numbers;
    }
}

const char *reduction_of_type(const struct reduction *r, enum tensor_type type, struct reason *why)
{
    const char *text = r ? text_of(r, type) : NULL;

    if (!text)
        reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces %s", type_name(type));
    return text;
}

bool reduction_ends(uint64_t elements, const char *what, struct reason *why)
{
    return elements <= REDUCTION_MOST ||
           reason_set(why, REASON_DEVICE_LIMIT, "%llu %s are more than %d, the most that are taken one after the other",
                      (unsigned long long)elements, what, REDUCTION_MOST);
}

/* An option, or the only operator of a subgraph. */
static const struct reduction *reduction_of(const struct node *n)
{
    static const struct reduction *const by_option[] = {
        [REDUCE_WINDOW_ADD] = &reduce_add, [REDUCE_WINDOW_MUL] = &reduce_mul, [REDUCE_WINDOW_MIN] = &reduce_min,
        [REDUCE_WINDOW_MAX] = &reduce_max, [REDUCE_WINDOW_ALL] = &reduce_all, [REDUCE_WINDOW_ANY] = &reduce_any,
    };
    const struct reduction *r;
    int how;

    if (n->builtin == BUILTIN_REDUCE_WINDOW) {
        how = ((const struct opt_reduce_window *)n->opt)->reduce_function;
        return how > REDUCE_WINDOW_UNSUPPORTED && how <= REDUCE_WINDOW_ANY ? by_option[how] : NULL;
    }
    r = reduction_of_subgraph(n->graph, ((const struct opt_stablehlo_reduce_window *)n->opt)->body_subgraph_index);
    return r == &reduce_replace ? NULL : r;
}

static struct sliding sliding_of(const struct node *n, int32_t i)
{
    const struct opt_stablehlo_reduce_window *o = n->opt;
    const size_t k = (size_t)i;

    if (n->builtin == BUILTIN_REDUCE_WINDOW)
        return (struct sliding){.size = (int32_t)tensor_int(n->in[WINDOW], k),
                                .stride = (int32_t)tensor_int(n->in[STRIDES], k),
                                .dilation = (int32_t)tensor_int(n->in[DILATIONS], k),
                                .base = 1};
    return (struct sliding){.size = (int32_t)o->window_dimensions[i],
                            .stride = (int32_t)o->window_strides[i],
                            .dilation = (int32_t)o->window_dilations[i],
                            .base = (int32_t)o->base_dilations[i],
                            .low = (int32_t)o->padding[2 * k]};
}

/* False where the shader's integers would overflow. */
static bool windows_of(const struct node *n, struct windows *w)
{
    const struct tensor *x = n->in[X], *y = n->out[0];
    int64_t taps = 1, step = 1;

    w->rank = x->rank;
    for (int32_t i = x->rank - 1; i >= 0; i--) {
        struct sliding s = sliding_of(n, i);

        s.y = y->dim[i];
        s.x = x->dim[i];
        s.step = (int32_t)step;
        step *= x->dim[i];
        taps *= s.size;
        if (taps > INT32_MAX ||
            (int64_t)(s.y - 1) * s.stride + (int64_t)(s.size - 1) * s.dilation + llabs((long long)s.low) > INT32_MAX)
            return false;
        w->axis[x->rank - 1 - i] = s;
    }
    w->turns = (struct turns){0, (int32_t)taps, REDUCTION_TURN, 2};
    return true;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const uint32_t inputs = n->builtin == BUILTIN_REDUCE_WINDOW ? INPUTS : WINDOW;
    struct windows w;

    if (!gl_one_type(n, X, WINDOW, why) || !gl_storable(lim, n, X, WINDOW, why))
        return false;
    for (uint32_t i = WINDOW; i < inputs; i++)
        if (!gl_constant(n, i, "window", why))
            return false;
    if (!reduction_of_type(reduction_of(n), n->in[X]->type, why))
        return false;
    if (!windows_of(n, &w))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "what windows see is longer than 2147483647");
    return reduction_ends((uint64_t)w.turns.end, "elements of a window", why);
}

/* y: of the windows of x; `init` has one element. */
static bool reduce(struct ir *ir, const struct node *n, struct ir_value *x, struct ir_value *init, bool wide, struct ir_value *y)
{
    struct ir_op *op = x && init && y ? ir_op_new(ir, &gl_kind_reduce_window, IR_INS(x, init), y, sizeof(struct windows)) : NULL;
    struct reason why;
    struct windows *w;

    if (!op)
        return false;
    w = op->attr;
    windows_of(n, w);
    w->wide = wide;
    w->combine = reduction_of_type(reduction_of(n), n->in[X]->type, &why); /* accept() has found it */
    return true;
}

static const struct ir_shape one = {1, 1, 1, 1};

/* Where integers are reduced whatever they stand for, a constant beside them counts as it is. */
static struct ir_value *initial_value(struct ir *ir, const struct node *n, const struct ir_value *x)
{
    const struct tensor *t = n->in[INIT];

    if (x && x->type == IR_INT && t->is_const && 1u << t->type & TAKES_QUANTIZED)
        return ir_number(ir, (int32_t)tensor_int(t, 0));
    return ir_reshaped(ir, ir_in(ir, n, INIT), one);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, X);

    return reduce(ir, n, x, initial_value(ir, n, x), false, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

static struct ir_value *int64_window(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *x = int64_join(ir, int64_half(ir, n->in[X], false), int64_half(ir, n->in[X], true)), *init, *y;
    struct ir_shape shape;

    init = int64_join(ir, ir_reshaped(ir, int64_half(ir, n->in[INIT], false), one),
                      ir_reshaped(ir, int64_half(ir, n->in[INIT], true), one));
    if (!ir_shape_of(n->out[0], &shape))
        return NULL;
    y = ir_temp_full(ir, IR_INT, int64_shape(shape));
    if (!reduce(ir, n, x, init, true, y))
        return NULL;
    *high = int64_take_half(ir, y, true);
    return *high ? int64_take_half(ir, y, false) : NULL;
}

const struct gl_kernel gl_reduce_window = {.max_version = 1,
                                           .in_types = TAKES_BITS,
                                           .out_types = TAKES_BITS,
                                           .accept = accept,
                                           .lower = lower,
                                           .int64 = INT64_ASKS(int64_window, 1u << TYPE_INT64 | 1u << TYPE_UINT64)};
