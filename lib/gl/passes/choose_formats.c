/* SPDX-License-Identifier: Apache-2.0 */
/* choose_formats.c - the pass "choose formats": how each value is stored. */
#include "lib/gl/passes/passes.h"

/* The tensor whose type the elements of v have, also where v holds nothing but elements of others that were put elsewhere. NULL:
 * they may be any. */
static const struct tensor *elements_of(const struct ir_value *v)
{
    while (!v->tensor && v->producer && v->producer->kind->moves && v->producer->n_in == 1 && !v->producer->epilogue)
        v = v->producer->in[0];
    return v->data ? NULL : v->tensor;
}

/* Constants of bytes are dequantized when they are read (ir_in), so that only what is made at run time is stored as such. */
static enum gl_format format_of(const struct ir *ir, const struct ir_value *v)
{
    if (v->type == IR_INT) {
        const struct tensor *t = ir->exact ? elements_of(v) : v->data ? NULL : v->tensor;

        return !t ? GL_FORMAT_INT : t->type == TYPE_INT8 ? GL_FORMAT_INT8 : t->type == TYPE_UINT8 ? GL_FORMAT_UINT8 : GL_FORMAT_INT;
    }
    return ir->half && !v->full && (!v->data || gl_fits_half(v->data, ir_elems(v->shape))) ? GL_FORMAT_HALF : GL_FORMAT_FLOAT;
}

enum status gl_choose_formats(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim, (void)err;
    for (uint32_t i = 0; i < ir->n_values; i++)
        ir->values[i]->format = format_of(ir, ir->values[i]);
    return ST_OK;
}
