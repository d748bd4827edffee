/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - AVERAGE_POOL_2D, MAX_POOL_2D. */
#include "pool.h"

static void emit(struct gl_shader *p, const struct ir_op *op, bool max)
{
    gl_source(p, pool_comp);
    gl_params_window(p, op->attr);
    gl_define(p, "MAX", max);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    if (op->out2) {
        gl_define(p, "ARGMAX", 1);
        gl_output(p, "index", op->out2);
    }
    gl_grid(p, op->out->shape);
}

static void emit_max(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, true);
}

static void emit_average(struct gl_shader *p, const struct ir_op *op)
{
    emit(p, op, false);
}

static uint64_t lesser(int32_t a, int32_t b)
{
    return (uint64_t)(a < b ? a : b);
}

static uint64_t iterations(const struct ir_op *op)
{
    const struct ir_window *w = op->attr;
    struct ir_shape x = op->in[0]->shape;

    return GL_PASSES(lesser(w->kernel_h, x.h), lesser(w->kernel_w, x.w));
}

static const struct gl_variant max_variants[] = {{"window", NULL, emit_max, iterations}, {NULL}};
static const struct gl_variant average_variants[] = {{"window", NULL, emit_average, iterations}, {NULL}};

static const struct ir_kind kind_max_pool = {.name = "max_pool", .variants = max_variants};
static const struct ir_kind kind_average_pool = {.name = "average_pool", .variants = average_variants};

struct ir_op *ir_pool(struct ir *ir, struct ir_value *x, const struct ir_window *window, bool max, struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, max ? &kind_max_pool : &kind_average_pool, IR_INS(x), y, sizeof *window);

    if (op)
        *(struct ir_window *)op->attr = *window;
    return op;
}

enum status pool_window(const struct node *n, const struct opt_pool_2d *o, struct ir_window *window, struct err *err)
{
    const int32_t *x = n->in[0]->dim;
    int32_t length;
    enum status st;

    *window = (struct ir_window){.kernel_h = o->filter_height,
                                 .kernel_w = o->filter_width,
                                 .stride_h = o->stride_height,
                                 .stride_w = o->stride_width,
                                 .dilation_h = 1,
                                 .dilation_w = 1};
    st = shape_window(x[1], window->kernel_h, window->stride_h, 1, o->padding, &length, &window->pad_h, err);
    return st ? st : shape_window(x[2], window->kernel_w, window->stride_w, 1, o->padding, &length, &window->pad_w, err);
}

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) &&
           gl_activation(((const struct opt_pool_2d *)n->opt)->activation, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    struct ir_window w;
    enum status st = pool_window(n, o, &w, err);

    if (st)
        return st;
    return ir_activation(ir, ir_pool(ir, ir_in(ir, n, 0), &w, n->op->gl->arg != NULL, ir_out(ir, n, 0)), o->activation)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_average_pool_2d = {.max_version = 3, .accept = accept, .lower = lower};
const struct gl_kernel gl_max_pool_2d = {.max_version = 3, .accept = accept, .lower = lower, .arg = &kind_max_pool};
