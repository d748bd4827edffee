/* SPDX-License-Identifier: Apache-2.0 */
/* reshape.c - RESHAPE and its kin on GL: the same elements under another shape.
 *
 * The pass "drop identities" removes a reshape that only adds or drops dimensions of 1 at the front. */
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"

/* The batch is among the channels of one of them. */
static bool is_vector(const struct ir_op *op)
{
    const struct tensor *x = op->in[0]->tensor, *y = op->out->tensor;

    return (x && x->rank < 2) || (y && y->rank < 2);
}

static bool keeps_slices(const struct ir_op *op, const struct gl_limits *lim)
{
    int32_t x = op->in[0]->shape.c, y = op->out->shape.c;

    return (x == y && !(lim->policy.any_batch && is_vector(op))) || (x % 4 == 0 && y % 4 == 0);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    bool ints = op->stores == IR_INT;

    gl_source(p, reshape_comp);
    gl_operands(p, "x");
    GL_DEFINES(p, "VECTORS SINGLE", op->variant->fits == keeps_slices, op->in[0]->shape.c == 1);
    gl_define_text(p, "ELEMENT", ints ? "int" : "float");
    gl_define_text(p, "VEC4", ints ? "ivec4" : "vec4");
}

static const struct gl_variant variants[] = {
    {"by slices", keeps_slices, emit},
    {"by elements", NULL, emit},
};

const struct ir_kind gl_kind_reshape = {.name = "reshape", .role = IR_RESHAPE, .moves = true, GL_VARIANTS(variants)};

struct ir_op *ir_reshape(struct ir *ir, struct ir_value *x, struct ir_value *y)
{
    return ir_op_new(ir, &gl_kind_reshape, IR_INS(x), y, 0);
}

bool ir_moves_batch(const struct ir *ir, const struct tensor *a, const struct tensor *b)
{
    return ir->limits->policy.any_batch && a->rank != b->rank;
}

static bool reshape_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 0, "input", why);
}

static enum status reshape_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_op *op = ir_reshape(ir, ir_in(ir, n, 0), ir_out(ir, n, 0));

    if (!op)
        return ir_nomem(err);
    op->moves_batch = ir_moves_batch(ir, n->in[0], n->out[0]);
    return ST_OK;
}

const struct gl_kernel gl_reshape = {.max_version = 2, MOVES_ANY, .accept = reshape_accept, .lower = reshape_lower};
