/* SPDX-License-Identifier: Apache-2.0 */
/* model_data.c - ties a tensor to the constant in its buffer. */
#include <string.h>

#include "lib/model/model_impl.h"

static void check_strings(struct fb *f, const struct tensor *t, const struct model_buffer *b)
{
    const size_t header = 4 * (tensor_elems(t) + 2);
    struct err err;

    if (fb_charge(f, header < b->bytes ? header : b->bytes) && tensor_check_strings(t, b->data, b->bytes, &err))
        fb_fail(f, ST_BAD_MODEL, "%s", err.msg);
}

static void check_length(struct loader *l, const struct tensor *t, const struct model_buffer *b)
{
    size_t need = t->bytes;

    if (t->sparsity) {
        model_check_sparsity(l, t, &need);
        need = type_bytes(t->type, need);
    }
    if (b->bytes < need)
        fb_fail(&l->fb, ST_BAD_MODEL, "%s needs %zu bytes, its buffer has %zu", TENSOR_TEXT(t), need, b->bytes);
}

/* Converters before 2019 did not align buffers. One copy serves all tensors of the buffer. */
static void align_buffer(struct fb *f, struct model_buffer *b, enum tensor_type type)
{
    size_t align = type == TYPE_STRING ? 4 : type_bits(type) > 64 ? 8 : (type_bits(type) + 7) / 8;
    void *copy;

    if (align > 1 && (uintptr_t)b->data % align && (copy = fb_alloc(f, b->bytes, 1)))
        b->data = memcpy(copy, b->data, b->bytes);
}

void model_attach_data(struct loader *l, struct tensor *t)
{
    struct fb *f = &l->fb;
    struct model_buffer *b;
    struct err err;

    if (!t->buffer || !l->m->buffers[t->buffer].bytes)
        return;
    b = &l->m->buffers[t->buffer];
    if (t->is_variable) {
        fb_fail(f, ST_UNSUPPORTED, "a variable with a constant of %zu bytes", b->bytes);
        return;
    }
    if (t->type == TYPE_STRING)
        check_strings(f, t, b);
    else
        check_length(l, t, b);
    align_buffer(f, b, t->type);
    if (f->st)
        return;
    t->data = (void *)b->data;
    t->is_const = t->is_known = true;
    if (!t->sparsity && tensor_check_bools(t, &err))
        fb_fail(f, ST_BAD_MODEL, "%s", err.msg);
    if (t->type == TYPE_STRING)
        t->bytes = b->bytes;
}
