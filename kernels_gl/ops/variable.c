/* SPDX-License-Identifier: Apache-2.0 */
/* variable.c - READ_VARIABLE, ASSIGN_VARIABLE: resource variables, which cross the partition's boundary as tensors of their own
 * (node.variable). A variable that is assigned and then read within the partition keeps its value there. */
#include "kernels_gl/common/operands.h"
#include "lib/graph/kernel.h"

static enum status read_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return ir_copy(ir, ir_of_tensor(ir, n->variable), ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

static bool assign_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    (void)lim;
    return gl_runtime(n, 1, "value", why);
}

/* The variable keeps what it is given though the tensor may be somebody else's: a copy, which goes away where it may. */
static enum status assign_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 1), *kept = x ? ir_temp(ir, x->type, x->shape) : NULL;

    if (!kept || !ir_copy(ir, x, kept))
        return ir_nomem(err);
    ir_set_variable(ir, n->variable, kept);
    return ST_OK;
}

const struct gl_kernel gl_read_variable = {.max_version = 1, MOVES_ANY, .lower = read_lower};
const struct gl_kernel gl_assign_variable = {
    .max_version = 1, .in_types = TAKES_ANY, .quantized = TAKES_QUANTIZED, .accept = assign_accept, .lower = assign_lower};
