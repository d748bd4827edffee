/* SPDX-License-Identifier: Apache-2.0 */
/* external_memory.c - memory and changing shapes of the tensors that are lent to a delegate of TFLite's C ABI.
 *
 * As in TFLite, the data of a DYNAMIC or PERSISTENT_RO tensor is malloc'ed: the delegate's own copy of TFLite's code may free or
 * reallocate it, and the rest is freed here at the end. All other memory of the host belongs to host.own. */
#include <stdlib.h>
#include <string.h>

#include "lib/delegates/external/external_host.h"

static bool on_heap(const struct tflite_tensor *t)
{
    return t->allocation_type == TFLITE_DYNAMIC || t->allocation_type == TFLITE_PERSISTENT_RO;
}

/* Who turns a tensor of another kind into one of those may have left it where it was. */
static bool is_lent(const struct external_host *h, size_t i)
{
    return h->c.tensors[i].data == h->own[i] || (i < h->n_tensors && h->c.tensors[i].data == h->lent[i]);
}

bool external_host_own(struct external_host *h, size_t i)
{
    struct tflite_tensor *t = &h->c.tensors[i];
    void *was = !on_heap(t) ? h->own[i] : is_lent(h, i) ? NULL : t->data;
    void *room = t->bytes < SIZE_MAX / 2 ? realloc(was, t->bytes + 16) : NULL; /* kernels read some bytes behind the end */

    if (!room) {
        external_report(h, "out of memory for the %zu bytes of tensor %zu", t->bytes, i);
        return false;
    }
    t->data = room;
    if (!on_heap(t))
        h->own[i] = room;
    return true;
}

size_t external_host_bytes(const struct external_host *h)
{
    size_t bytes = 0;

    for (size_t i = 0; i < h->c.tensors_size; i++) {
        const struct tflite_tensor *t = &h->c.tensors[i];

        if (h->own[i] || (on_heap(t) && t->data && !is_lent(h, i)))
            bytes += t->bytes;
    }
    return bytes;
}

void external_host_free_tensors(struct external_host *h)
{
    for (size_t i = 0; i < h->c.tensors_size; i++) {
        struct tflite_tensor *t = &h->c.tensors[i];

        if (on_heap(t) && !is_lent(h, i))
            free(t->data);
        free(t->dims);
        free((void *)t->dims_signature);
        free(h->own[i]);
    }
    free(h->c.tensors);
    free(h->own);
}

/* ---- to the delegate ---- */

bool external_host_sets_shape(const struct external_host *h, size_t i)
{
    return i >= h->n_tensors || (h->made[i] && h->open[i]);
}

void external_host_set_dims(struct external_host *h, size_t i, struct tflite_int_array *dims)
{
    struct tflite_tensor *t = &h->c.tensors[i];
    const bool same = t->dims && t->dims->size == dims->size &&
                      !memcmp(t->dims->data, dims->data, (size_t)dims->size * sizeof dims->data[0]);

    free(t->dims);
    t->dims = dims;
    if (!same && i < h->n_tensors)
        h->changed[i] = ++h->clock;
}

/* What the session made, in this run's shape. */
static enum status lend_dynamic(struct external_host *h, const struct tensor *t, struct err *err)
{
    struct tflite_tensor *to = &h->c.tensors[t->index];
    struct tflite_int_array *dims = external_int_array(t->dim, t->rank);

    if (!dims)
        return err_set(err, ST_NOMEM, "out of memory for a shape");
    external_host_set_dims(h, t->index, dims);
    to->data = h->lent[t->index] = t->data;
    to->bytes = t->bytes;
    return ST_OK;
}

enum status external_host_lend_memory(struct external_host *h, const struct partition *part, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < part->n_inputs + part->n_outputs && !st; i++) {
        const struct tensor *t = i < part->n_inputs ? part->inputs[i] : part->outputs[i - part->n_inputs];
        struct tflite_tensor *to = &h->c.tensors[t->index];

        to->data_is_stale = false;
        if (t->is_dynamic && !h->made[t->index])
            st = lend_dynamic(h, t, err);
        else if (!t->is_dynamic && !on_heap(to) && !h->own[t->index])
            to->data = h->lent[t->index] = t->data;
    }
    return st;
}

bool external_host_give_room(struct external_host *h, const struct tflite_int_array *outputs)
{
    for (int i = 0; i < outputs->size; i++) {
        const struct tflite_tensor *t = &h->c.tensors[outputs->data[i]];

        if (!t->data && t->bytes && t->type != TYPE_STRING && (on_heap(t) || t->allocation_type == TFLITE_ARENA_RW) &&
            !external_host_own(h, (size_t)outputs->data[i]))
            return false;
    }
    return true;
}

/* ---- and back ---- */

/* The shape that a kernel gave a tensor. */
static enum status take_shape(const struct external_host *h, struct tensor *t, struct err *err)
{
    const struct tflite_tensor *from = &h->c.tensors[t->index];
    enum status st = from->dims ? tensor_set_shape(t, from->dims->data, from->dims->size, err)
                                : err_set(err, ST_FAILED, "it has no dimensions");

    if (st)
        return err_prefix(err, ST_FAILED, "external delegate %.80s: tensor %u", h->library->path, t->index);
    if (t->type == TYPE_STRING)
        t->bytes = from->bytes;
    if (from->bytes != t->bytes || (!from->data && t->bytes))
        return ST_OK; /* which is to be said */
    return tensor_reserve(t, err);
}

static enum status from_buffer(struct external_host *h, struct tflite_tensor *from, uint32_t i, struct err *err)
{
    struct tflite_delegate *d = from->delegate;
    enum tflite_status code;

    if (!d || !d->copy_from_buffer_handle)
        return err_set(err, ST_FAILED, "external delegate %.80s: tensor %u is in a buffer that it cannot copy from",
                       h->library->path, i);
    if (!from->data && from->bytes && !external_host_own(h, i))
        return err_set(err, ST_NOMEM, "out of memory for the %zu bytes of tensor %u", from->bytes, i);
    external_host_enter(h, EXTERNAL_BUFFERS);
    code = d->copy_from_buffer_handle(&h->c, d, from->buffer_handle, from);
    external_host_leave(h, EXTERNAL_OUTSIDE);
    from->data_is_stale = false;
    return code ? external_failed(h, "CopyFromBufferHandle", code, err) : ST_OK;
}

enum status external_host_fetch(struct external_host *h, struct tensor *t, struct err *err)
{
    struct tflite_tensor *from = &h->c.tensors[t->index];
    enum status st = ST_OK;

    if (from->data_is_stale && from->buffer_handle != TFLITE_NO_BUFFER)
        st = from_buffer(h, from, t->index, err);
    if (!st && t->is_dynamic && h->made[t->index])
        st = take_shape(h, t, err);
    if (st)
        return st;
    if (from->bytes != t->bytes || (!from->data && t->bytes))
        return err_set(err, ST_FAILED, "external delegate %.80s: tensor %u has %zu bytes%s, its shape needs %zu", h->library->path,
                       t->index, from->bytes, from->data ? "" : " and no data", t->bytes);
    if (from->data != t->data && t->bytes)
        memcpy(t->data, from->data, t->bytes);
    if (tensor_check_bools(t, err) || (t->type == TYPE_STRING && tensor_check_strings(t, t->data, t->bytes, err)))
        return err_prefix(err, ST_FAILED, "external delegate %.80s: tensor %u", h->library->path, t->index);
    return ST_OK;
}
