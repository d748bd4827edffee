/* SPDX-License-Identifier: Apache-2.0 */
/* plugin_buffers.c - buffer handles of the ABI, which are names of GL buffers: a tensor with a handle stays on the GPU until the
 * host asks for its content.
 *
 * It does not matter to a run if the host set the handle (SetBufferHandle) or the option outputs=buffer did: the tensor is read or
 * written there, laid out as in host memory (DELEGATE_DENSE). A host's buffer belongs to the context that ours shares or adopts. */
#include "lib/tflite/plugin.h"

#include <stdlib.h>

/* ---- buffers of our own ---- */

static enum status note_made(struct plugin *p, uint32_t id, struct err *err)
{
    uint32_t *made = realloc(p->made, ((size_t)p->n_made + 1) * sizeof *made);

    if (!made)
        return err_set(err, ST_NOMEM, "out of memory for the names of %u buffers", p->n_made + 1);
    p->made = made;
    p->made[p->n_made++] = id;
    return ST_OK;
}

/* The host's buffers are his. */
static void free_if_made(struct plugin *p, uint32_t id)
{
    for (uint32_t i = 0; i < p->n_made; i++)
        if (p->made[i] == id) {
            p->gpu->ops->buffer_free(p->gpu, id);
            p->made[i] = p->made[--p->n_made];
            return;
        }
}

/* In a context that nobody else knows any other name would be of what the delegate keeps for itself. */
static enum status check_handle(const struct plugin *p, int handle, struct err *err)
{
    bool known = p->knows_others && handle > 0;

    for (uint32_t i = 0; i < p->n_made; i++)
        known |= (uint32_t)handle == p->made[i];
    return known ? ST_OK
                 : err_set(err, ST_FAILED,
                           "buffer handle %d is no buffer of this delegate's; those of the program are known with "
                           "gpu_context=share or adopt",
                           handle);
}

static enum status make_one(struct plugin_kernel *k, uint32_t i, struct tflite_tensor *host, struct err *err)
{
    struct plugin *p = k->owner;
    uint32_t id;
    enum status st = p->gpu->ops->buffer_new(p->gpu, delegate_dense_bytes(k->part->outputs[i]), &id, err);

    if (st)
        return st;
    if ((st = note_made(p, id, err))) {
        p->gpu->ops->buffer_free(p->gpu, id);
        return st;
    }
    k->made[i] = id;
    host->delegate = &p->head;
    host->buffer_handle = (int)id;
    return ST_OK;
}

enum status plugin_buffers_make(struct plugin_kernel *k, struct tflite_context *c, struct err *err)
{
    enum status st = ST_OK;

    if (!k->owner->outputs || !k->kernel)
        return ST_OK;
    if (!k->made && !(k->made = calloc((size_t)k->part->n_outputs + 1, sizeof *k->made)))
        return err_set(err, ST_NOMEM, "out of memory for the names of %u buffers", k->part->n_outputs);
    for (uint32_t i = 0; i < k->part->n_outputs && !st; i++) {
        const struct tensor *t = k->part->outputs[i];
        struct tflite_tensor *host = &c->tensors[t->index];

        if (!k->made[i] && t->bytes && !t->is_variable && host->buffer_handle == TFLITE_NO_BUFFER)
            st = make_one(k, i, host, err);
    }
    return st;
}

void plugin_buffers_free(struct plugin_kernel *k, struct tflite_context *c)
{
    for (uint32_t i = 0; k->made && i < k->part->n_outputs; i++) {
        struct tflite_tensor *host = c ? &c->tensors[k->part->outputs[i]->index] : NULL;

        /* Else the host has freed it, when it gave the tensor another, and its name may be that of another buffer by now. */
        if (k->made[i] && host && host->buffer_handle == (int)k->made[i]) {
            free_if_made(k->owner, k->made[i]);
            host->buffer_handle = TFLITE_NO_BUFFER;
            host->data_is_stale = false;
        }
        k->made[i] = 0;
    }
}

/* ---- runs ---- */

static bool in_buffer(const struct plugin *p, const struct tflite_tensor *host)
{
    return host->delegate == &p->head && host->buffer_handle != TFLITE_NO_BUFFER;
}

static enum status bind_one(struct plugin_kernel *k, uint32_t *bound, const struct tensor *t, bool output,
                            const struct tflite_tensor *host, struct err *err)
{
    const struct delegate_buffer b = {.id = in_buffer(k->owner, host) ? (uint32_t)host->buffer_handle : 0,
                                      .bytes = delegate_dense_bytes(t),
                                      .layout = DELEGATE_DENSE};
    enum status st;

    if (b.id == *bound)
        return ST_OK;
    if ((b.id && (st = check_handle(k->owner, host->buffer_handle, err))) ||
        (st = k->kernel->ops->bind(k->kernel, t, output, b.id ? &b : NULL, err)))
        return err_prefix(err, st, "tensor %u in buffer %u", t->index, b.id);
    *bound = b.id;
    return ST_OK;
}

enum status plugin_buffers_bind(struct plugin_kernel *k, const struct tflite_context *c, struct err *err)
{
    const uint32_t n_in = k->part->n_inputs, n = n_in + k->part->n_outputs;
    enum status st = ST_OK;

    if (!k->bound && !(k->bound = calloc((size_t)n + 1, sizeof *k->bound)))
        return err_set(err, ST_NOMEM, "out of memory for the names of %u buffers", n);
    for (uint32_t i = 0; i < n && !st; i++) {
        const struct tensor *t = i < n_in ? k->part->inputs[i] : k->part->outputs[i - n_in];

        if (!t->is_variable)
            st = bind_one(k, &k->bound[i], t, i >= n_in, &c->tensors[t->index], err);
    }
    return st;
}

enum status plugin_buffers_fetch(const struct plugin_kernel *k, const struct tflite_context *c, struct err *err)
{
    struct plugin *p = k->owner;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < k->part->n_inputs && !st; i++) {
        struct tflite_tensor *host = &c->tensors[k->part->inputs[i]->index];

        if (in_buffer(p, host) && host->data_is_stale && host->data)
            st = p->gpu->ops->buffer_read(p->gpu, (uint32_t)host->buffer_handle, host->data, host->bytes, err);
    }
    return st;
}

void plugin_buffers_written(const struct plugin_kernel *k, const struct tflite_context *c)
{
    for (uint32_t i = 0; i < k->part->n_outputs; i++)
        if (k->bound[k->part->n_inputs + i])
            c->tensors[k->part->outputs[i]->index].data_is_stale = true;
}

/* ---- what the host calls ---- */

static enum tflite_status copy(struct tflite_context *c, struct tflite_delegate *d, int handle, struct tflite_tensor *t, bool from)
{
    struct plugin *p = d->data_;
    const struct delegate_ops *ops = p->gpu->ops;
    struct err err;
    enum status st;

    plugin_enter(p, c);
    if (!t || (!t->data && t->bytes))
        st = err_set(&err, ST_FAILED, "buffer handle %d: the tensor has no memory", handle);
    else if (!(st = check_handle(p, handle, &err)))
        st = from ? ops->buffer_read(p->gpu, (uint32_t)handle, t->data, t->bytes, &err)
                  : ops->buffer_write(p->gpu, (uint32_t)handle, t->data, t->bytes, &err);
    plugin_leave(p);
    return plugin_fail(c, st, &err);
}

enum tflite_status plugin_copy_from_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle, struct tflite_tensor *t)
{
    return copy(c, d, handle, t, true);
}

enum tflite_status plugin_copy_to_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle, struct tflite_tensor *t)
{
    return copy(c, d, handle, t, false);
}

void plugin_free_buffer(struct tflite_context *c, struct tflite_delegate *d, int *handle)
{
    struct plugin *p = d->data_;

    plugin_enter(p, c);
    if (*handle > 0)
        free_if_made(p, (uint32_t)*handle);
    *handle = TFLITE_NO_BUFFER;
    plugin_leave(p);
}
