/* SPDX-License-Identifier: Apache-2.0 */
/* external_host.c - lending a graph to a delegate of TFLite's C ABI, and running the kernels that it makes. */
#include "lib/delegates/external/external_host.h"

#include <stdlib.h>
#include <string.h>

#include "lib/delegate/partition.h"
#include "lib/model/tflite_options.h"

/* TfLiteKernelInitFailed() of newer delegates. */
#define INIT_FAILED ((void *)-1)

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for what is lent to the external delegate");
}

struct tflite_int_array *external_int_array(const int32_t *data, int32_t n)
{
    struct tflite_int_array *a = malloc(sizeof *a + (size_t)n * sizeof a->data[0]);

    if (!a)
        return NULL;
    a->size = n;
    if (n)
        memcpy(a->data, data, (size_t)n * sizeof a->data[0]);
    return a;
}

/* The indices, -1 for what is omitted. */
static struct tflite_int_array *tensor_list(struct arena *a, struct tensor *const *list, uint32_t n)
{
    struct tflite_int_array *out = arena_alloc(a, 1, sizeof *out + n * sizeof out->data[0]);

    if (!out)
        return NULL;
    out->size = (int)n;
    for (uint32_t i = 0; i < n; i++)
        out->data[i] = list[i] ? (int)list[i]->index : TFLITE_OPTIONAL;
    return out;
}

/* ---- what can be said ---- */

static bool is_plain(const struct tensor *t, bool dynamic)
{
    return (type_bits(t->type) || (t->type == TYPE_STRING && (dynamic || t->is_const))) && t->type != TYPE_RESOURCE &&
           !t->is_resource && !t->quant.n_block_shape && !t->quant.n_axes;
}

bool external_host_can_say(const struct node *n, bool dynamic, struct reason *why)
{
    if (!tflite_same_options(n->builtin) || n->variable || n->called)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "its options cannot be said in TFLite's C structs");
    for (uint32_t i = 0; i < n->n_in + n->n_out + n->n_mid; i++) {
        const struct tensor *t = i < n->n_in              ? n->in[i]
                                 : i < n->n_in + n->n_out ? n->out[i - n->n_in]
                                                          : n->mid[i - n->n_in - n->n_out];

        if (t && t->is_dynamic && !dynamic)
            return reason_set(why, REASON_DYNAMIC_SHAPE,
                              "tensor %u has a shape that is known only while running, which the delegate's flags do not allow",
                              t->index);
        if (t && !is_plain(t, dynamic))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE,
                              "tensor %u, %s, is not of a plain form that TFLite's C structs say", t->index, TENSOR_TEXT(t));
    }
    return true;
}

/* ---- lending ---- */

static bool lend_blocks(struct external_host *h, const struct quant *q, struct tflite_tensor *to)
{
    struct tflite_blockwise_quantization *b = ARENA_NEW(&h->arena, struct tflite_blockwise_quantization);

    if (!b)
        return false;
    *b = (struct tflite_blockwise_quantization){q->block_scales, q->block_zero_points, q->block_size, q->dim};
    to->quantization = (struct tflite_quantization){TFLITE_BLOCKWISE_QUANTIZATION, b};
    return true;
}

static bool lend_quant(struct external_host *h, const struct tensor *t, struct tflite_tensor *to)
{
    const uint32_t n = t->quant.n;
    struct tflite_affine_quantization *q;

    if (t->quant.block_size)
        return lend_blocks(h, &t->quant, to);
    if (!n || !t->quant.scale || !t->quant.zero_point)
        return true;
    if (n == 1)
        to->params = (struct tflite_quantization_params){t->quant.scale[0], (int32_t)t->quant.zero_point[0]};
    if (!(q = ARENA_NEW(&h->arena, struct tflite_affine_quantization)) ||
        !(q->scale = arena_alloc(&h->arena, 1, sizeof *q->scale + n * sizeof q->scale->data[0])) ||
        !(q->zero_point = arena_alloc(&h->arena, 1, sizeof *q->zero_point + n * sizeof q->zero_point->data[0])))
        return false;
    q->scale->size = q->zero_point->size = (int)n;
    q->quantized_dimension = t->quant.dim;
    for (uint32_t i = 0; i < n; i++) {
        q->scale->data[i] = t->quant.scale[i];
        q->zero_point->data[i] = (int32_t)t->quant.zero_point[i];
    }
    to->quantization = (struct tflite_quantization){TFLITE_AFFINE_QUANTIZATION, q};
    return true;
}

/* Elements of 1, 2 or 4 bytes as ints. */
static struct tflite_int_array *widened(struct arena *a, const void *list, uint32_t n, uint8_t bytes)
{
    struct tflite_int_array *out = arena_alloc(a, 1, sizeof *out + n * sizeof out->data[0]);

    if (!out)
        return NULL;
    out->size = (int)n;
    for (uint32_t i = 0; i < n; i++)
        out->data[i] = bytes == 1   ? ((const uint8_t *)list)[i]
                       : bytes == 2 ? ((const uint16_t *)list)[i]
                                    : ((const int32_t *)list)[i];
    return out;
}

/* The content is what the file has: the elements that are there. */
static bool lend_sparsity(struct external_host *h, const struct tensor *t, struct tflite_tensor *to)
{
    const struct sparsity *s = t->sparsity;
    struct tflite_sparsity *out = ARENA_NEW(&h->arena, struct tflite_sparsity);

    if (!out || !(out->dims = ARENA_ARRAY(&h->arena, s->n_dims, struct tflite_dim_metadata)) ||
        !(out->traversal_order = widened(&h->arena, s->traversal_order, s->n_traversal_order, 4)) ||
        !(out->block_map = widened(&h->arena, s->block_map, s->n_block_map, 4)))
        return false;
    out->n_dims = (int)s->n_dims;
    for (uint32_t i = 0; i < s->n_dims; i++) {
        const struct sparse_dim *d = &s->dims[i];

        out->dims[i] = (struct tflite_dim_metadata){.format = d->csr, .dense_size = d->dense_size};
        if (d->csr && (!(out->dims[i].segments = widened(&h->arena, d->segments, d->n_segments, d->segments_bytes)) ||
                       !(out->dims[i].indices = widened(&h->arena, d->indices, d->n_indices, d->indices_bytes))))
            return false;
    }
    to->sparsity = out;
    to->bytes = h->g->model->buffers[t->buffer].bytes;
    return true;
}

static bool lend_tensor(struct external_host *h, const struct tensor *t, struct tflite_tensor *to)
{
    struct tflite_int_array *open = NULL;

    *to = (struct tflite_tensor){.type = (int)t->type,
                                 .data = t->is_const ? t->data : NULL,
                                 .dims = external_int_array(t->dim, t->rank),
                                 .bytes = t->bytes,
                                 .name = t->name,
                                 .buffer_handle = TFLITE_NO_BUFFER,
                                 .is_variable = t->is_variable};
    to->allocation_type = t->is_const      ? TFLITE_MMAP_RO
                          : t->is_variable ? TFLITE_ARENA_RW_PERSISTENT
                          : t->is_dynamic  ? TFLITE_DYNAMIC
                                           : TFLITE_ARENA_RW;
    if (t->signature && t->n_signature == (uint32_t)t->rank) {
        if (!(open = external_int_array(t->signature, t->rank)))
            return false;
        to->dims_signature = open;
    }
    return to->dims && lend_quant(h, t, to) && (!t->sparsity || lend_sparsity(h, t, to));
}

static bool lend_node(struct external_host *h, const struct node *n)
{
    struct tflite_node *to = &h->nodes[n->index];

    h->kinds[n->index] = (struct tflite_registration){
        .builtin_code = n->builtin, .version = n->version, .custom_name = n->builtin == BUILTIN_CUSTOM ? n->name : NULL};
    to->inputs = tensor_list(&h->arena, n->in, n->n_in);
    to->outputs = tensor_list(&h->arena, n->out, n->n_out);
    to->intermediates = tensor_list(&h->arena, n->mid, n->n_mid);
    to->temporaries = tensor_list(&h->arena, NULL, 0);
    if (n->builtin != BUILTIN_CUSTOM && builtin_options(n->builtin) != OPTIONS_NONE)
        to->builtin_data = (void *)n->opt;
    to->custom_initial_data = n->custom;
    to->custom_initial_data_size = (int)n->n_custom;
    return to->inputs && to->outputs && to->intermediates && to->temporaries;
}

static enum status lend(struct external_host *h, struct err *err)
{
    const struct graph *g = h->g;

    for (uint32_t i = 0; i < h->n_numbers; i++)
        h->position[i] = -1;
    for (uint32_t i = 0; i < g->n_tensors; i++, h->c.tensors_size++) {
        h->open[i] = g->tensors[i].is_dynamic;
        if (!lend_tensor(h, &g->tensors[i], &h->c.tensors[i]))
            return h->c.tensors_size++, no_memory(err);
    }
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        h->subset_of[i] = -1;
        h->position[g->nodes[i].index] = (int32_t)i;
        if (h->offered[i] && !lend_node(h, &g->nodes[i]))
            return no_memory(err);
    }
    return ST_OK;
}

static enum status init(struct external_host *h, const struct external_library *l, const struct graph *g, const bool *offered,
                        struct err *err)
{
    *h = (struct external_host){.library = l, .g = g, .users = 1, .n_nodes = g->n_nodes, .n_tensors = g->n_tensors};
    external_context_init(&h->c);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        h->n_numbers = g->nodes[i].index >= h->n_numbers ? g->nodes[i].index + 1 : h->n_numbers;
    h->offered = ARENA_ARRAY(&h->arena, g->n_nodes, bool);
    h->subset_of = ARENA_ARRAY(&h->arena, g->n_nodes, int32_t);
    h->position = ARENA_ARRAY(&h->arena, h->n_numbers, int32_t);
    h->nodes = ARENA_ARRAY(&h->arena, h->n_numbers, struct tflite_node);
    h->kinds = ARENA_ARRAY(&h->arena, h->n_numbers, struct tflite_registration);
    h->plan = arena_alloc(&h->arena, 1, sizeof *h->plan + g->n_nodes * sizeof h->plan->data[0]);
    h->subsets = ARENA_ARRAY(&h->arena, g->n_nodes, struct external_subset);
    h->lent = ARENA_ARRAY(&h->arena, g->n_tensors, void *);
    h->made = ARENA_ARRAY(&h->arena, g->n_tensors, bool);
    h->open = ARENA_ARRAY(&h->arena, g->n_tensors, bool);
    h->changed = ARENA_ARRAY(&h->arena, g->n_tensors, uint64_t);
    h->c.tensors = calloc((size_t)g->n_tensors + 1, sizeof *h->c.tensors);
    h->own = calloc((size_t)g->n_tensors + 1, sizeof *h->own);
    if (!h->offered || !h->subset_of || !h->position || !h->nodes || !h->kinds || !h->plan || !h->subsets || !h->c.tensors ||
        !h->own || !h->lent || !h->made || !h->open || !h->changed)
        return no_memory(err);
    memcpy(h->offered, offered, g->n_nodes * sizeof *offered);
    return lend(h, err);
}

enum status external_host_new(const struct external_library *l, const struct graph *g, const bool *offered,
                              struct external_host **out, struct err *err)
{
    struct external_host *h = malloc(sizeof *h);
    enum status st = h ? init(h, l, g, offered, err) : no_memory(err);

    *out = h;
    if (st && h) {
        external_host_unref(h);
        *out = NULL;
    }
    return st;
}

void external_host_set_plan(struct external_host *h)
{
    h->plan->size = 0;
    for (uint32_t i = 0; i < h->g->n_nodes; i++)
        if (h->offered[i] && h->subset_of[i] < 0)
            h->plan->data[h->plan->size++] = (int)h->g->nodes[i].index;
}

/* ---- the delegate's Prepare ---- */

/* Marks the nodes as somebody's. False where one is not to be had. */
static bool mark_nodes(struct external_host *h, const struct tflite_int_array *nodes, struct delegate *whose, struct claim *claims)
{
    for (int i = 0; nodes && i < nodes->size; i++) {
        const int n = nodes->data[i], at = n >= 0 && (uint32_t)n < h->n_numbers ? h->position[n] : -1;

        if (at < 0 || !h->offered[at] || h->subset_of[at] >= 0) {
            external_report(h, "node %d is not in the execution plan", n);
            return false;
        }
        claims[at].owner = whose;
    }
    return nodes;
}

/* What the nodes read that none of them makes, constants too; TFLite's lists of a partition have them. */
static struct tflite_int_array *list_inputs(struct external_host *h, const struct partition *p)
{
    bool *seen = ARENA_ARRAY(&h->arena, h->g->n_tensors, bool);
    size_t most = 0;
    struct tflite_int_array *out;

    for (uint32_t i = 0; i < p->n_nodes; i++)
        most += p->nodes[i]->n_in;
    if (!seen || !(out = arena_alloc(&h->arena, 1, sizeof *out + most * sizeof out->data[0])))
        return NULL;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        for (uint32_t k = 0; k < p->nodes[i]->n_out; k++)
            if (p->nodes[i]->out[k])
                seen[p->nodes[i]->out[k]->index] = true;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        for (uint32_t k = 0; k < p->nodes[i]->n_in; k++) {
            const struct tensor *t = p->nodes[i]->in[k];

            if (t && !seen[t->index]) {
                seen[t->index] = true;
                out->data[out->size++] = (int)t->index;
            }
        }
    return out;
}

static bool fill_params(struct external_host *h, const struct partition *p, struct tflite_delegate *d,
                        struct tflite_delegate_params *to)
{
    struct tflite_int_array *out = arena_alloc(&h->arena, 1, sizeof *out + p->n_outputs * sizeof out->data[0]);
    struct tflite_int_array *nodes = arena_alloc(&h->arena, 1, sizeof *nodes + p->n_nodes * sizeof nodes->data[0]);

    *to = (struct tflite_delegate_params){d, nodes, list_inputs(h, p), out};
    if (!out || !nodes || !to->input_tensors)
        return false;
    for (uint32_t i = 0; i < p->n_nodes; i++)
        nodes->data[nodes->size++] = (int)p->nodes[i]->index;
    for (uint32_t i = 0; i < p->n_outputs; i++)
        if (!p->outputs[i]->is_variable)
            out->data[out->size++] = (int)p->outputs[i]->index;
    return true;
}

enum tflite_status external_host_preview(struct external_host *h, const struct tflite_int_array *nodes, struct tflite_delegate *d,
                                         struct tflite_delegate_params **parts, int *n)
{
    const struct partition_options as_tflite = {.as_tflite = true};
    struct claim *claims = ARENA_ARRAY(&h->arena, h->g->n_nodes, struct claim);
    struct delegate somebody = {0};
    struct partitioning found;
    struct err err;

    *parts = NULL;
    *n = 0;
    if (!claims || !mark_nodes(h, nodes, &somebody, claims))
        return TFLITE_ERROR;
    if (!nodes->size)
        return TFLITE_OK;
    if (partition_claimed(h->g, claims, &as_tflite, &h->arena, &found, &err) ||
        !(*parts = ARENA_ARRAY(&h->arena, found.n_parts, struct tflite_delegate_params))) {
        external_report(h, "the graph cannot be partitioned: out of memory");
        return TFLITE_ERROR;
    }
    for (uint32_t i = 0; i < found.n_parts; i++)
        if (!fill_params(h, &found.parts[i], d, &(*parts)[i]))
            return TFLITE_ERROR;
    *n = (int)found.n_parts;
    return TFLITE_OK;
}

void external_host_enter(struct external_host *h, enum external_phase phase)
{
    external_host_pass_on(h);
    h->phase = phase;
    external_enter(h->library, phase);
}

void external_host_leave(struct external_host *h, enum external_phase back)
{
    h->phase = back;
    if (back == EXTERNAL_OUTSIDE)
        external_leave();
    else
        external_enter(h->library, back);
}

static void note_replaced(struct external_host *h, int32_t at)
{
    const struct node *n = &h->g->nodes[at];

    h->subset_of[at] = (int32_t)h->n_subsets;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i])
            h->made[n->out[i]->index] = true;
}

static enum tflite_status add_subset(struct external_host *h, const struct tflite_registration *kernel,
                                     struct tflite_delegate_params *params)
{
    struct external_subset *s = &h->subsets[h->n_subsets];
    struct tflite_int_array *none = external_int_array(NULL, 0);

    *s = (struct external_subset){.kernel = *kernel, .params = params};
    s->node = (struct tflite_node){.inputs = params->input_tensors,
                                   .outputs = params->output_tensors,
                                   .intermediates = tensor_list(&h->arena, NULL, 0),
                                   .temporaries = none,
                                   .builtin_data = params,
                                   .custom_initial_data = params,
                                   .delegate = params->delegate};
    if (!none || !s->node.intermediates) {
        free(none);
        return TFLITE_ERROR;
    }
    for (int i = 0; i < params->nodes_to_replace->size; i++)
        note_replaced(h, h->position[params->nodes_to_replace->data[i]]);
    for (int i = 0; i < params->output_tensors->size; i++)
        h->c.tensors[params->output_tensors->data[i]].delegate = params->delegate;
    h->n_subsets++;
    if (!kernel->init)
        return TFLITE_OK;
    external_host_enter(h, EXTERNAL_KERNEL_INIT);
    s->node.user_data = kernel->init(&h->c, (const char *)params, 0);
    external_host_leave(h, EXTERNAL_PREPARE);
    if (s->node.user_data != INIT_FAILED)
        return TFLITE_OK;
    s->node.user_data = NULL;
    external_report(h, "a kernel's init failed%s%s", *h->said ? ": " : "", h->said);
    return TFLITE_DELEGATE_ERROR;
}

enum tflite_status external_host_replace(struct external_host *h, const struct tflite_registration *kernel,
                                         const struct tflite_int_array *nodes, struct tflite_delegate *d)
{
    struct tflite_delegate_params *parts;
    enum tflite_status st;
    int n;

    if (!kernel->invoke) {
        external_report(h, "its kernels have no invoke: they are of the opaque kind, or of another layout than this host knows");
        return TFLITE_ERROR;
    }
    if ((st = external_host_preview(h, nodes, d, &parts, &n)))
        return st;
    for (int i = 0; i < n && !st; i++)
        st = add_subset(h, kernel, &parts[i]);
    return st;
}

/* ---- taking ---- */

/* What a function of the delegate's gave back, in words. */
enum status external_failed(struct external_host *h, const char *what, enum tflite_status st, struct err *err)
{
    h->pending = false;
    return err_set(err, ST_FAILED, "external delegate %.80s: %s fails with status %d%s%s", h->library->path, what, (int)st,
                   *h->said ? ": " : "", h->said);
}

static void free_kernels(struct external_host *h)
{
    for (uint32_t i = 0; i < h->n_subsets; i++) {
        struct external_subset *s = &h->subsets[i];

        if (s->node.user_data && s->kernel.free) {
            external_host_enter(h, EXTERNAL_KERNEL_FREE);
            s->kernel.free(&h->c, s->node.user_data);
            external_host_leave(h, EXTERNAL_OUTSIDE);
        }
        free(s->node.temporaries);
    }
    h->n_subsets = 0;
    for (uint32_t i = 0; h->subset_of && i < h->n_nodes; i++)
        h->subset_of[i] = -1;
}

enum status external_host_take(struct external_host *h, struct err *err)
{
    struct tflite_delegate *d = h->library->delegate;
    enum tflite_status code;
    enum status st;

    external_host_enter(h, EXTERNAL_PREPARE);
    code = d->prepare(&h->c, d);
    external_host_leave(h, EXTERNAL_OUTSIDE);
    st = code ? external_failed(h, external_phase_name(EXTERNAL_PREPARE), code, err) : external_host_order(h, err);
    if (st)
        free_kernels(h);
    external_host_pass_on(h);
    return st;
}

/* ---- the end ---- */

static void free_buffers(struct external_host *h)
{
    struct tflite_delegate *d = h->library->delegate;

    for (size_t i = 0; i < h->c.tensors_size; i++)
        if (h->c.tensors[i].buffer_handle != TFLITE_NO_BUFFER && h->c.tensors[i].delegate && d->free_buffer_handle) {
            external_host_enter(h, EXTERNAL_BUFFERS);
            d->free_buffer_handle(&h->c, d, &h->c.tensors[i].buffer_handle);
            external_host_leave(h, EXTERNAL_OUTSIDE);
        }
}

void external_host_unref(struct external_host *h)
{
    if (!h || --h->users)
        return;
    free_buffers(h);
    free_kernels(h);
    external_host_free_tensors(h);
    arena_free(&h->arena);
    free(h);
}
