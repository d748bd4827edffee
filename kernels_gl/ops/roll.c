/* SPDX-License-Identifier: Apache-2.0 */
/* roll.c - Roll: elements move along axes, and those that leave at one end come in at the other. */
#include "kernels_gl/ops/roll.h"

#include <stdio.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

enum { X, SHIFTS, AXES };

/* ---- along axes that are named at run time ---- */

struct roll {
    int32_t rank, dim[TENSOR_MAX_RANK], named;
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct roll *r = op->attr;
    char all[TENSOR_MAX_RANK * 24] = "", name[24];
    int used = 0;

    gl_source(p, roll_at_comp);
    gl_define_types(p, op->stores);
    GL_DEFINES(p, "NAMED RANK MOVES", r->named, r->rank, op->n_in > 2);
    for (int32_t i = r->rank; i-- > 0;) {
        snprintf(name, sizeof name, "EXTENT%d", i);
        gl_param(p, name, r->dim[i]);
        used += snprintf(all + used, sizeof all - (size_t)used, " F(%d, %s)", i, name);
    }
    gl_define_text(p, "EACH_AXIS(F)", all);
    gl_operands(p, "x axes shifts");
}

static const struct gl_variant variants[] = {{"", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_roll_at = {.name = "roll_at", GL_VARIANTS(variants)};

bool roll_at_fits(const struct gl_limits *lim, const struct node *n, uint32_t end, struct reason *why)
{
    for (uint32_t i = 1; i < end; i++) {
        if (ir_type_of(n->in[i]) != IR_INT)
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
        if (tensor_elems(n->in[i]) > TENSOR_MAX_RANK)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%zu axes are named", tensor_elems(n->in[i]));
    }
    return gl_storable(lim, n, X, end, why);
}

enum status roll_at_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X];
    const int32_t named = (int32_t)tensor_elems(n->in[1]);
    const struct ir_shape row = {1, 1, 1, named};
    struct ir_value *last = ir_reshaped(ir, ir_in(ir, n, n->n_in - 1), row);
    struct ir_value *in[] = {ir_in(ir, n, X), last, n->n_in > 2 ? ir_reshaped(ir, ir_in(ir, n, SHIFTS), row) : NULL};
    struct ir_op *op = ir_op_new(ir, &gl_kind_roll_at, in, n->n_in, ir_out(ir, n, 0), sizeof(struct roll));
    struct roll *r;

    if (!op)
        return ir_nomem(err);
    r = op->attr;
    *r = (struct roll){.rank = x->rank, .named = named};
    for (int32_t i = 0; i < x->rank; i++)
        r->dim[i] = x->dim[i];
    return ST_OK;
}

/* ---- the op ---- */

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    int32_t by[TENSOR_MAX_RANK], axes[TENSOR_MAX_RANK];
    uint32_t shifts, count;

    if (!gl_one_type(n, X, 1, why))
        return false;
    if (!n->in[SHIFTS]->is_const || !n->in[AXES]->is_const)
        return roll_at_fits(lim, n, 3, why);
    if (!gl_runtime(n, X, "input", why) || !gl_ints(n, SHIFTS, "shifts", by, TENSOR_MAX_RANK, &shifts, why) ||
        !gl_ints(n, AXES, "axes", axes, TENSOR_MAX_RANK, &count, why))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (axes[i] < -n->in[X]->rank || axes[i] >= n->in[X]->rank)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of a tensor of rank %d", axes[i], n->in[X]->rank);
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, x->dim);
    int32_t shift[TENSOR_MAX_RANK] = {0};

    if (!n->in[SHIFTS]->is_const || !n->in[AXES]->is_const)
        return roll_at_lower(ir, n, err);
    for (size_t i = 0; i < tensor_elems(n->in[AXES]); i++) {
        const int32_t axis = (int32_t)tensor_int(n->in[AXES], i), at = axis < 0 ? axis + x->rank : axis;
        const int64_t by = (shift[at] + tensor_int(n->in[SHIFTS], i)) % x->dim[at];

        shift[at] = (int32_t)(by < 0 ? by + x->dim[at] : by);
    }
    for (int32_t i = 0; i < x->rank; i++) {
        int32_t *at = shift[i] ? ARENA_ARRAY(ir->arena, (size_t)x->dim[i], int32_t) : NULL;

        if (shift[i] && !at)
            return ir_nomem(err);
        for (int32_t k = 0; at && k < x->dim[i]; k++)
            at[k] = k < shift[i] ? x->dim[i] - shift[i] + k : k - shift[i];
        gather.at[i] = at;
    }
    return ir_axis_gather(ir, ir_in(ir, n, X), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_roll = {.max_version = 1, MOVES_ANY, .same_steps = true, .accept = accept, .lower = lower};
