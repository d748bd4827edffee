/* pool.c - AVERAGE_POOL_2D and MAX_POOL_2D. */
#include "moves.h"

struct pool {
    struct ir_window window;
    bool max;
};

static void emit(struct gl_pass *p, const struct ir_op *op)
{
    const struct pool *pool = op->attr;

    gl_source(p, pool_comp);
    gl_params_window(p, &pool->window);
    if (pool->max)
        gl_define(p, "MAX", 1);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {
    {"window", NULL, emit},
    {NULL},
};

static const struct ir_kind kind_avg_pool = {.name = "avg_pool", .variants = variants};
static const struct ir_kind kind_max_pool = {.name = "max_pool", .variants = variants};

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    const struct opt_pool_2d *o = n->opt;

    (void)lim;
    (void)g;
    return gl_arity(n, 1, 1, 1, why) && gl_runtime(n, 0, "input", why) && gl_activation(o->activation, why);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    const int32_t *x = n->in[0]->dim;
    bool max = n->op->gl->arg != NULL;
    struct ir_op *op = ir_op_new(ir, max ? &kind_max_pool : &kind_avg_pool, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0),
                                 sizeof(struct pool));
    struct ir_window w = {.kernel_h = o->filter_height, .kernel_w = o->filter_width, .stride_h = o->stride_height,
                          .stride_w = o->stride_width, .dilation_h = 1, .dilation_w = 1};
    int32_t length;

    if (!op)
        return ir_nomem(err);
    if (shape_window(x[1], w.kernel_h, w.stride_h, 1, o->padding, &length, &w.pad_h, err) ||
        shape_window(x[2], w.kernel_w, w.stride_w, 1, o->padding, &length, &w.pad_w, err))
        return ST_UNSUPPORTED;
    *(struct pool *)op->attr = (struct pool){w, max};
    return ir_activation(ir, op, o->activation) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_average_pool_2d = {.max_version = 3, .accept = accept, .lower = lower};
const struct gl_kernel gl_max_pool_2d = {.max_version = 3, .accept = accept, .lower = lower, .arg = &kind_max_pool};
