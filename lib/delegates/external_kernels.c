/* SPDX-License-Identifier: Apache-2.0 */
/* external_kernels.c - running the kernels that a delegate of TFLite's C ABI made of a partition. */
#include <stdlib.h>
#include <string.h>

#include "external_host.h"

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the kernels of the external delegate");
}

/* ---- their order ---- */

static bool reads_later(const struct external_host *h, const struct external_subset *s, const bool *done)
{
    for (int i = 0; i < s->node.inputs->size; i++)
        for (uint32_t k = 0; k < h->n_subsets; k++)
            for (int o = 0; &h->subsets[k] != s && !done[k] && o < h->subsets[k].node.outputs->size; o++)
                if (h->subsets[k].node.outputs->data[o] == s->node.inputs->data[i])
                    return true;
    return false;
}

/* A delegate may replace a graph's end before its beginning. */
enum status external_host_order(struct external_host *h, struct err *err)
{
    struct external_subset *in_order = ARENA_ARRAY(&h->arena, h->n_subsets, struct external_subset);
    bool *done = ARENA_ARRAY(&h->arena, h->n_subsets, bool);
    uint32_t n = 0, before;

    if (!in_order || !done)
        return no_memory(err);
    do {
        before = n;
        for (uint32_t i = 0; i < h->n_subsets; i++)
            if (!done[i] && !reads_later(h, &h->subsets[i], done)) {
                in_order[n++] = h->subsets[i];
                done[i] = true;
            }
    } while (n < h->n_subsets && n > before);
    if (n < h->n_subsets)
        return err_set(err, ST_FAILED, "the nodes that the delegate replaced wait for each other");
    memcpy(h->subsets, in_order, n * sizeof *in_order);
    for (uint32_t s = 0; s < n; s++)
        for (int i = 0; i < h->subsets[s].params->nodes_to_replace->size; i++)
            h->subset_of[h->position[h->subsets[s].params->nodes_to_replace->data[i]]] = (int32_t)s;
    return ST_OK;
}

bool external_host_assign(struct external_host *h, const struct partition *part)
{
    uint32_t *left = calloc((size_t)h->n_subsets + 1, sizeof *left); /* nodes that the partition has of each */
    bool whole = left;

    for (uint32_t i = 0; i < part->n_nodes && whole; i++) {
        const int32_t s = h->subset_of[part->nodes[i] - h->g->nodes];

        whole = s >= 0 && !h->subsets[s].part;
        if (whole)
            left[s]++;
    }
    for (uint32_t s = 0; s < h->n_subsets && whole; s++)
        whole = !left[s] || left[s] == (uint32_t)h->subsets[s].params->nodes_to_replace->size;
    for (uint32_t s = 0; s < h->n_subsets && whole; s++)
        if (left[s])
            h->subsets[s].part = part;
    free(left);
    return whole;
}

bool external_host_counts_in(const struct external_host *h, const struct partition *part)
{
    uint32_t s = 0;

    while (s < h->n_subsets && !h->subsets[s].part)
        s++;
    return s < h->n_subsets && h->subsets[s].part == part;
}

/* ---- kernels ---- */

bool external_host_own(struct external_host *h, size_t i)
{
    struct tflite_tensor *t = &h->c.tensors[i];
    void *room = realloc(h->own[i], t->bytes + 16);

    if (!room) {
        external_report(h, "out of memory for the %zu bytes of tensor %zu", t->bytes, i);
        return false;
    }
    if (!h->own[i])
        h->own_bytes += t->bytes;
    t->data = h->own[i] = room;
    return true;
}

/* Where the borders of the partition are now. */
static void lend_memory(struct external_host *h, const struct partition *part)
{
    for (uint32_t i = 0; i < part->n_inputs + part->n_outputs; i++) {
        const struct tensor *t = i < part->n_inputs ? part->inputs[i] : part->outputs[i - part->n_inputs];
        struct tflite_tensor *to = &h->c.tensors[t->index];

        to->data_is_stale = false;
        if (to->allocation_type != TFLITE_DYNAMIC && !h->own[t->index])
            to->data = t->data;
    }
}

/* What one subset makes for another is the host's to keep. */
static enum status own_between(struct external_host *h, const struct partition *part, struct err *err)
{
    for (uint32_t s = 0; s < h->n_subsets; s++)
        for (int i = 0; h->subsets[s].part == part && i < h->subsets[s].node.outputs->size; i++) {
            const int t = h->subsets[s].node.outputs->data[i];

            if (!h->c.tensors[t].data && h->c.tensors[t].allocation_type == TFLITE_ARENA_RW && !external_host_own(h, (size_t)t))
                return no_memory(err);
        }
    return ST_OK;
}

static enum status own_added(struct external_host *h, struct err *err)
{
    for (size_t i = h->g->n_tensors; i < h->c.tensors_size; i++) {
        const struct tflite_tensor *t = &h->c.tensors[i];

        if (t->bytes && !h->own[i] && (t->allocation_type == TFLITE_ARENA_RW || t->allocation_type == TFLITE_ARENA_RW_PERSISTENT) &&
            !external_host_own(h, i))
            return no_memory(err);
    }
    return ST_OK;
}

enum status external_host_prepare(struct external_host *h, const struct partition *part, struct err *err)
{
    enum status st;

    lend_memory(h, part);
    if ((st = own_between(h, part, err)))
        return st;
    for (uint32_t i = 0; i < h->n_subsets; i++) {
        struct external_subset *s = &h->subsets[i];
        enum tflite_status code;

        if (s->part != part || !s->kernel.prepare)
            continue;
        external_host_enter(h, EXTERNAL_KERNEL_PREPARE);
        code = s->kernel.prepare(&h->c, &s->node);
        external_host_leave(h, EXTERNAL_OUTSIDE);
        if (code)
            return external_failed(h, external_phase_name(EXTERNAL_KERNEL_PREPARE), code, err);
    }
    external_host_pass_on(h);
    return own_added(h, err);
}

/* Brings an output to where the session reads it: from the delegate's buffer, or from memory of the delegate's own choice. */
static enum status fetch(struct external_host *h, const struct tensor *t, struct err *err)
{
    struct tflite_tensor *from = &h->c.tensors[t->index];
    struct tflite_delegate *d = from->delegate;
    enum tflite_status code;

    if (from->data_is_stale && from->buffer_handle != TFLITE_NO_BUFFER) {
        if (!d || !d->copy_from_buffer_handle)
            return err_set(err, ST_FAILED, "external delegate %.80s: tensor %u is in a buffer that it cannot copy from",
                           h->library->path, t->index);
        external_host_enter(h, EXTERNAL_BUFFERS);
        code = d->copy_from_buffer_handle(&h->c, d, from->buffer_handle, from);
        external_host_leave(h, EXTERNAL_OUTSIDE);
        if (code)
            return external_failed(h, "CopyFromBufferHandle", code, err);
        from->data_is_stale = false;
    }
    if (from->bytes != t->bytes || (!from->data && t->bytes))
        return err_set(err, ST_FAILED, "external delegate %.80s: tensor %u has %zu bytes%s, its shape needs %zu", h->library->path,
                       t->index, from->bytes, from->data ? "" : " and no data", t->bytes);
    if (from->data != t->data && t->bytes)
        memcpy(t->data, from->data, t->bytes);
    return ST_OK;
}

enum status external_host_invoke(struct external_host *h, const struct partition *part, struct err *err)
{
    enum status st = ST_OK;

    lend_memory(h, part);
    for (uint32_t i = 0; i < h->n_subsets; i++) {
        struct external_subset *s = &h->subsets[i];
        enum tflite_status code;

        if (s->part != part)
            continue;
        external_host_enter(h, EXTERNAL_KERNEL_INVOKE);
        code = s->kernel.invoke(&h->c, &s->node);
        external_host_leave(h, EXTERNAL_OUTSIDE);
        if (code)
            return external_failed(h, external_phase_name(EXTERNAL_KERNEL_INVOKE), code, err);
    }
    for (uint32_t i = 0; i < part->n_outputs && !st; i++)
        st = fetch(h, part->outputs[i], err);
    external_host_pass_on(h);
    return st;
}
