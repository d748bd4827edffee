/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.c - STABLEHLO_REDUCE_WINDOW and REDUCE_WINDOW: a reduction over every position of a window of any rank.
 *
 * Elements are taken in the CPU's order, from the initial value on. The op's shape function has checked all options. */
#include "reduce_window.h"

#include <stdlib.h>

#include "data_movement.h"

enum { X, INIT, WINDOW, STRIDES, DILATIONS, INPUTS };

const struct reduction reduce_replace = {"b", "b"};
static const struct reduction reduce_add = {"(a) + (b)", "max(a, b)", "round_half((a) + (b))"},
                              reduce_mul = {"(a) * (b)", "min(a, b)", "round_half((a) * (b))"},
                              reduce_min = {"((b) < (a) ? (b) : (a))", "min(a, b)", .compares = true},
                              reduce_max = {"((a) < (b) ? (b) : (a))", "max(a, b)", .compares = true},
                              reduce_all = {NULL, "min(a, b)"}, reduce_any = {NULL, "max(a, b)"};

/* One axis, from the innermost: as the shader's table has it. */
struct sliding {
    int32_t y, size, stride, dilation, x, base, low, step;
};

struct windows {
    const char *combine;
    int32_t rank, taps;
    struct sliding axis[TENSOR_MAX_RANK];
};

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct windows *w = arg;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++) {
        const struct sliding *s = &w->axis[i / 2];
        const int32_t window[] = {s->y, s->size, s->stride, s->dilation}, seen[] = {s->x, s->base, s->low, s->step};

        for (int k = 0; k < 4; k++)
            *out++ = i % 2 ? seen[k] : window[k];
    }
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct windows *w = op->attr;

    gl_source_with(p, round_half_comp, reduce_window_comp);
    gl_define_types(p, op->stores);
    gl_define_text(p, "COMBINE(a, b)", w->combine);
    gl_define(p, "AXES", w->rank);
    gl_param(p, "TAPS", w->taps);
    gl_input(p, "x", op->in[0]);
    gl_input(p, "init", op->in[1]);
    gl_table(p, "axes", 2 * (size_t)w->rank, pack, w, sizeof *w);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct windows *w = op->attr;

    return GL_PASSES(4, (uint64_t)w->taps, (uint64_t)w->rank);
}

static const struct gl_variant variants[] = {{"elements", NULL, emit, iterations}};
const struct ir_kind gl_kind_reduce_window = {.name = "reduce_window", .constants = 1, GL_VARIANTS(variants)};

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

const char *reduction_of_type(const struct reduction *r, enum tensor_type type, struct reason *why)
{
    const bool words = IR_TAKES_WORDS >> type & 1, none = type == TYPE_COMPLEX64 || type == TYPE_BFLOAT16; /* as on the CPU */
    const char *text = !r ? NULL : type == TYPE_BOOL ? r->bools : type == TYPE_FLOAT16 && r->halves ? r->halves : r->numbers;

    if (text && !none && (r == &reduce_replace || (!words && !(type == TYPE_UINT32 && r->compares))))
        return text;
    reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the computation is none that reduces %s", type_name(type));
    return NULL;
}

bool reduction_ends(uint64_t elements, const char *what, struct reason *why)
{
    return elements <= REDUCTION_MOST ||
           reason_set(why, REASON_DEVICE_LIMIT, "%llu %s are more than %d, the most that one invocation takes",
                      (unsigned long long)elements, what, REDUCTION_MOST);
}

/* An option, or the only operator of a subgraph. */
static const struct reduction *reduction_of(const struct graph *g, const struct node *n)
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
    r = reduction_of_subgraph(g, ((const struct opt_stablehlo_reduce_window *)n->opt)->body_subgraph_index);
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
    w->taps = (int32_t)taps;
    return true;
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const uint32_t inputs = n->builtin == BUILTIN_REDUCE_WINDOW ? INPUTS : WINDOW;
    struct windows w;

    if (!gl_arity(n, inputs, inputs, 1, why) || !gl_one_type(n, X, WINDOW, why) || !gl_stored(lim, n, X, WINDOW, why))
        return false;
    for (uint32_t i = WINDOW; i < inputs; i++)
        if (!gl_constant(n, i, "window", why))
            return false;
    if (!reduction_of_type(reduction_of(g, n), n->in[X]->type, why))
        return false;
    if (!windows_of(n, &w))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "what windows see is longer than 2147483647");
    return reduction_ends((uint64_t)w.taps, "elements of a window", why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *init = ir_reshaped(ir, ir_in(ir, n, INIT), (struct ir_shape){1, 1, 1, 1});
    struct ir_op *op = ir_op_new(ir, &gl_kind_reduce_window, IR_INS(ir_in(ir, n, X), init), ir_out(ir, n, 0),
                                 sizeof(struct windows));
    struct reason why;
    struct windows *w;

    if (!op)
        return ir_nomem(err);
    w = op->attr;
    windows_of(n, w);
    w->combine = reduction_of_type(reduction_of(ir->graph, n), n->in[X]->type, &why);
    return w->combine ? ST_OK : err_set(err, ST_UNSUPPORTED, "%s", why.text);
}

const struct gl_kernel gl_reduce_window = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};
const struct gl_kernel gl_stablehlo_reduce_window = {
    .max_version = 1, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = lower};
