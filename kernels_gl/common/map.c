/* SPDX-License-Identifier: Apache-2.0 */
/* map.c - elementwise operations on GL: one shader that copies, and functions applied on the way to memory.
 *
 * So an elementwise operation is fused into the operation before it by handing its functions over (lib/gl/passes/passes.c). */
#include "kernels_gl/common/kinds.h"

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    (void)op;
    gl_source(p, map_comp);
    gl_operands(p, "x");
}

static const struct gl_variant variants[] = {{"", NULL, emit}};
const struct ir_kind gl_kind_map = {.name = "map", .role = IR_MAP, GL_VARIANTS(variants), .halves = true};

struct ir_op *ir_map(struct ir *ir, const struct ir_fn *fn, struct ir_value *const operand[3], const float p[4], struct ir_value *y)
{
    struct ir_value *rest[3] = {NULL, NULL, NULL}, *x = NULL;
    struct ir_op *op;

    for (uint32_t i = 0; i < fn->arity; i++)
        if (!operand[i])
            return NULL;
        else if (!x || (x->data && !operand[i]->data))
            x = operand[i];
    for (uint32_t i = 0; i < fn->arity; i++)
        rest[i] = operand[i] == x ? NULL : operand[i];
    if (!(op = ir_copy(ir, x, y)))
        return NULL;
    op->stores = x->type;
    return ir_apply(ir, op, fn, rest, p, y->type) ? op : NULL;
}
