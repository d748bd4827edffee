/* SPDX-License-Identifier: Apache-2.0 */
/* direct.c - which inputs and outputs of a partition could lie in buffers of the caller's, in place of the values that they become.
 *
 * Values are placed root by root, and a view of a root is bound as all of it (memory.c): so a buffer can take a root's place
 * wherever that is bound. What is written into an input would be the caller's, so nothing may be; and of an output that is an input
 * again the transfer stays, as nothing else would copy the one to the other. */
#include "lib/gl/plan/draft.h"

/* The order of vec4 is that of elements in host memory, and each has four of them. */
static bool is_dense(const struct ir_shape s)
{
    return s.c % 4 == 0 && (s.c == 4 || (int64_t)s.h * s.w == 1);
}

static bool keeps_32_bits(const struct ir_value *v, enum tensor_type t)
{
    return (t == TYPE_FLOAT32 && v->type == IR_FLOAT && v->format == GL_FORMAT_FLOAT) ||
           ((t == TYPE_INT32 || t == TYPE_UINT32) && v->type == IR_INT && v->format == GL_FORMAT_INT);
}

/* It has the tensor's shape and order, and is no reshape of that, nor what is dealt out to that (boundary_reshapes.c). */
static bool is_shaped(const struct gl_binding *value, const struct tensor *t)
{
    const struct ir_value *v = value->value;
    struct ir_shape s;

    return !value->blocks && (ir_is_int64(t) || (ir_shape_of(t, &s) && ir_same_shape(s, v->shape)));
}

/* Whether binding j of dispatch i binds the root v and can bind something else in its place. */
static bool replaces(const struct gl_draft *draft, uint32_t i, uint32_t j, const struct ir_value *v, bool *possible)
{
    const struct gl_binding *b = &draft->dispatches[i].shader.bind[j];

    if (!b->value || b->value->data || ir_root(b->value) != v || (b->bind != GL_BIND_INPUT && b->bind != GL_BIND_OUTPUT))
        return false;
    if (b->through == GL_THROUGH_TEXTURE || b->through == GL_THROUGH_STORE)
        *possible = false;
    return true;
}

uint32_t gl_direct_bindings(const struct gl_draft *draft, uint32_t dispatch, uint32_t *bindings, bool *dense)
{
    const bool up = dispatch < draft->n_uploads;
    const struct tensor *t =
        (up ? &draft->uploads[dispatch] : &draft->downloads[dispatch + draft->n_downloads - draft->n_dispatches])->tensor;
    const struct gl_binding *bind = draft->dispatches[dispatch].shader.bind, *value = &bind[up], *host = &bind[!up];
    const struct ir_value *v = value->value;
    bool possible = v && !v->view.of && is_shaped(value, t) && !v->data && v->storage != GL_STORAGE_TEXTURE &&
                    (host->bind == GL_BIND_HOST_READ || host->bind == GL_BIND_HOST_WRITE) && keeps_32_bits(v, host->host_type);
    uint32_t index = 0, n = 0;

    for (uint32_t i = 0; i < draft->n_dispatches && possible; i++)
        for (uint32_t j = 0; j < draft->dispatches[i].shader.n_bind; j++, index++) {
            if (i == dispatch || !replaces(draft, i, j, v, &possible))
                continue;
            possible = possible && (up ? !draft->dispatches[i].ranges[j].write : i >= draft->n_uploads);
            bindings[n++] = index;
        }
    *dense = possible && n && is_dense(v->shape);
    return possible ? n : 0;
}
