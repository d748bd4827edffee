/* SPDX-License-Identifier: Apache-2.0 */
/* storage.c - in what each value is stored: what the device reads best, as far as every shader that binds the value can bind that.
 *
 * Constants of kernels (gl_weights, gl_table) are no values; those that an operation may bind are taken off what it has of image
 * units first. */
#include "passes.h"

/* Of the operation at hand. */
struct units {
    uint32_t image_reads; /* that it can still have */
    uint32_t in;          /* operands still to come that the kernel itself binds, be they scalars */
};

static enum gl_storage wish(const struct ir_value *v, const struct gl_limits *lim)
{
    return lim->image_reads && ir_vectors(v->shape) <= lim->image_vectors ? GL_STORAGE_IMAGE : GL_STORAGE_BUFFER;
}

/* Where an operation reads more than it has units for, the last of its operands do without. */
static void take_unit(void *arg, struct ir_value **operand)
{
    struct ir_value *v = (*operand)->view.of ? (*operand)->view.of : *operand;
    struct units *u = arg;
    const bool by_kernel = u->in > 0;

    u->in -= by_kernel;
    if (v->storage != GL_STORAGE_IMAGE || (!by_kernel && ir_is_scalar(v)))
        return;
    if (u->image_reads)
        u->image_reads--;
    else
        v->storage = GL_STORAGE_BUFFER;
}

static uint32_t less(uint32_t n, uint32_t by)
{
    return n > by ? n - by : 0;
}

enum status gl_choose_storage(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->storage = wish(ir->values[i], lim);
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct units u = {.image_reads = less(lim->image_reads, ir->ops[i]->kind->constants), .in = ir->ops[i]->n_in};

        ir_each_operand(ir->ops[i], take_unit, &u);
    }
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->storage = ir_root(ir->values[i])->storage;
    return ST_OK;
}
