/* SPDX-License-Identifier: Apache-2.0 */
/* external_kernels.c - running the kernels that a delegate of TFLite's C ABI made of a partition. */
#include <stdlib.h>
#include <string.h>

#include "lib/delegates/external/external_host.h"

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

/* TFLite prepares a node anew after each run of another that gave what it reads a new shape. */
static bool is_outdated(const struct external_host *h, const struct external_subset *s)
{
    bool outdated = !s->prepared_at;

    for (int i = 0; i < s->node.inputs->size; i++)
        outdated |= s->node.inputs->data[i] >= 0 && h->changed[s->node.inputs->data[i]] > s->prepared_at;
    return outdated;
}

/* It reads a shape that is known only while running. */
static bool waits(const struct external_host *h, const struct external_subset *s)
{
    for (int i = 0; i < s->node.inputs->size; i++)
        if (s->node.inputs->data[i] >= 0 && h->open[s->node.inputs->data[i]])
            return true;
    return false;
}

static enum status prepare_subset(struct external_host *h, struct external_subset *s, struct err *err)
{
    enum tflite_status code = TFLITE_OK;

    s->prepared_at = ++h->clock;
    if (s->kernel.prepare) {
        external_host_enter(h, EXTERNAL_KERNEL_PREPARE);
        code = s->kernel.prepare(&h->c, &s->node);
        external_host_leave(h, EXTERNAL_OUTSIDE);
    }
    if (code) {
        s->prepared_at = 0;
        return external_failed(h, external_phase_name(EXTERNAL_KERNEL_PREPARE), code, err);
    }
    return own_added(h, err);
}

enum status external_host_prepare(struct external_host *h, const struct partition *part, struct err *err)
{
    enum status st = external_host_lend_memory(h, part, err);

    if (st || (st = own_between(h, part, err)))
        return st;
    for (uint32_t i = 0; i < h->n_subsets && !st; i++)
        if (h->subsets[i].part == part && !waits(h, &h->subsets[i]))
            st = prepare_subset(h, &h->subsets[i], err);
    if (!st)
        external_host_pass_on(h);
    return st;
}

static enum status invoke_subset(struct external_host *h, struct external_subset *s, struct err *err)
{
    enum status st = is_outdated(h, s) ? prepare_subset(h, s, err) : ST_OK;
    enum tflite_status code;

    if (st)
        return st;
    if (!external_host_give_room(h, s->node.outputs))
        return no_memory(err);
    external_host_enter(h, EXTERNAL_KERNEL_INVOKE);
    code = s->kernel.invoke(&h->c, &s->node);
    external_host_leave(h, EXTERNAL_OUTSIDE);
    return code ? external_failed(h, external_phase_name(EXTERNAL_KERNEL_INVOKE), code, err) : ST_OK;
}

enum status external_host_invoke(struct external_host *h, const struct partition *part, struct err *err)
{
    enum status st = external_host_lend_memory(h, part, err);

    for (uint32_t i = 0; i < h->n_subsets && !st; i++)
        if (h->subsets[i].part == part)
            st = invoke_subset(h, &h->subsets[i], err);
    for (uint32_t i = 0; i < part->n_outputs && !st; i++)
        st = external_host_fetch(h, part->outputs[i], err);
    if (!st)
        external_host_pass_on(h);
    return st;
}
