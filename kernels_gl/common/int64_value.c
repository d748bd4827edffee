/* SPDX-License-Identifier: Apache-2.0 */
/* int64_value.c - see int64_value.h */
#include "kernels_gl/common/int64_value.h"

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

struct wide {
    const char *fn;
};

static bool is_one(const struct ir_value *z)
{
    return ir_elems(z->shape) == 2;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    gl_source_with(p, int64_value_comp, int64_map_comp);
    gl_define_text(p, "FN(a, b)", ((const struct wide *)op->attr)->fn);
    gl_define(p, "ONE", is_one(op->in[1]));
    gl_operands(p, "x z");
    gl_grid(p, int64_half_shape(op->out->shape));
}

/* A division finds a bit each time. */
static uint64_t iterations(const struct ir_op *op)
{
    (void)op;
    return GL_PASSES(64);
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_wide = {.name = "wide", GL_VARIANTS(variants)};

struct ir_value *int64_join(struct ir *ir, struct ir_value *low, struct ir_value *high)
{
    struct ir_value *y = low && high ? ir_temp(ir, IR_INT, int64_shape(low->shape)) : NULL;

    return y && ir_concatenate(ir, (struct ir_value *[]){low, high}, 2, 0, y) ? y : NULL;
}

struct ir_value *int64_take_half(struct ir *ir, struct ir_value *x, bool high)
{
    const struct ir_shape to = int64_half_shape(x ? x->shape : (struct ir_shape){2, 1, 1, 1});
    struct axis_gather gather = axis_gather_of(4, (const int32_t[]){2 * to.b, to.h, to.w, to.c},
                                               (const int32_t[]){to.b, to.h, to.w, to.c});
    struct ir_value *y = ir_temp(ir, IR_INT, to);

    gather.at[0] = ir_range(ir, high ? to.b : 0, 1, to.b);
    return x && y && gather.at[0] && ir_axis_gather(ir, x, &gather, y) ? y : NULL;
}

struct ir_value *int64_map(struct ir *ir, const char *fn, struct ir_value *x, struct ir_value *z)
{
    struct ir_value *y = x && z ? ir_temp(ir, IR_INT, x->shape) : NULL;

    return y && ir_op_with(ir, &gl_kind_wide, IR_INS(x, z), y, IR_ATTR(struct wide, fn)) ? y : NULL;
}

struct ir_value *int64_constant(struct ir *ir, int64_t v)
{
    int32_t *words = ARENA_ARRAY(ir->arena, 2, int32_t);

    if (!words)
        return NULL;
    words[0] = (int32_t)(uint32_t)((uint64_t)v & UINT32_MAX);
    words[1] = (int32_t)(uint32_t)((uint64_t)v >> 32);
    return ir_const(ir, IR_INT, (struct ir_shape){2, 1, 1, 1}, words);
}
