/* SPDX-License-Identifier: Apache-2.0 */
/* external_context.c - the functions of a TfLiteContext that a delegate calls. */
#include <stdlib.h>
#include <string.h>

#include "lib/delegates/external/external_host.h"

static struct external_host *host_of(const struct tflite_context *c)
{
    return (struct external_host *)c;
}

void external_report(struct external_host *h, const char *fmt, ...)
{
    char text[sizeof h->said];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    external_host_pass_on(h);
    snprintf(h->said, sizeof h->said, "%.*s", (int)strcspn(text, "\n"), text);
    h->pending = true;
}

void external_host_pass_on(struct external_host *h)
{
    if (h->pending && h->report)
        h->report(h->report_arg, h->said);
    h->pending = false;
    *h->said = '\0';
}

/* Whether the delegate's Prepare runs. */
static bool preparing(struct external_host *h, const char *what)
{
    if (h->phase == EXTERNAL_PREPARE)
        return true;
    external_report(h, "%s is for the delegate's Prepare, and called in %s", what, external_phase_name(h->phase));
    return false;
}

static void report_error(struct tflite_context *c, const char *fmt, ...)
{
    char text[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    external_report(host_of(c), "%s", text);
}

/* ---- the graph ---- */

static enum tflite_status get_execution_plan(struct tflite_context *c, struct tflite_int_array **plan)
{
    struct external_host *h = host_of(c);

    if (!preparing(h, "GetExecutionPlan"))
        return TFLITE_ERROR;
    external_host_set_plan(h);
    *plan = h->plan;
    return TFLITE_OK;
}

static enum tflite_status get_node_and_registration(struct tflite_context *c, int node, struct tflite_node **n,
                                                    struct tflite_registration **r)
{
    struct external_host *h = host_of(c);

    if (!preparing(h, "GetNodeAndRegistration"))
        return TFLITE_ERROR;
    if (node < 0 || (uint32_t)node >= h->n_numbers || h->position[node] < 0 || !h->offered[h->position[node]]) {
        external_report(h, "GetNodeAndRegistration: node %d is not in the execution plan", node);
        return TFLITE_ERROR;
    }
    *n = &h->nodes[node];
    *r = &h->kinds[node];
    return TFLITE_OK;
}

static enum tflite_status preview(struct tflite_context *c, const struct tflite_int_array *nodes,
                                  struct tflite_delegate_params **parts, int *n)
{
    struct external_host *h = host_of(c);

    return preparing(h, "PreviewDelegatePartitioning") ? external_host_preview(h, nodes, h->library->delegate, parts, n)
                                                       : TFLITE_ERROR;
}

/* What an older delegate passes is shorter than `r`: nothing is read behind its end. */
static enum tflite_status replace(struct tflite_context *c, struct tflite_registration r, const struct tflite_int_array *nodes,
                                  struct tflite_delegate *d)
{
    struct external_host *h = host_of(c);
    struct tflite_registration kernel = {0};

    memcpy(&kernel, &r, TFLITE_REGISTRATION_OLDEST_BYTES);
    return preparing(h, "ReplaceNodeSubsetsWithDelegateKernels") ? external_host_replace(h, &kernel, nodes, d) : TFLITE_ERROR;
}

static enum tflite_status acquire_subgraph(struct tflite_context *c, int subgraph, struct tflite_context **out)
{
    (void)out;
    external_report(host_of(c), "AcquireSubgraphContext: subgraph %d is not lent, each is offered alone", subgraph);
    return TFLITE_ERROR;
}

static enum tflite_status release_subgraph(struct tflite_context *c, int subgraph)
{
    external_report(host_of(c), "ReleaseSubgraphContext: subgraph %d is not lent", subgraph);
    return TFLITE_ERROR;
}

static enum tflite_status get_metadata(const struct tflite_context *c, const char *name, const char **data, size_t *bytes)
{
    const struct external_host *h = host_of(c);
    const struct model *m = h->phase == EXTERNAL_KERNEL_FREE || h->phase == EXTERNAL_BUFFERS ? NULL : h->g->model;

    for (uint32_t i = 0; m && i < m->n_metadata; i++) /* NULL: it may be gone by then */
        if (!strcmp(m->metadata[i].name, name)) {
            *data = (const char *)m->buffers[m->metadata[i].buffer].data;
            *bytes = m->buffers[m->metadata[i].buffer].bytes;
            return TFLITE_OK;
        }
    return TFLITE_ERROR;
}

/* ---- tensors ---- */

static bool same_dims(const struct tflite_int_array *a, const struct tflite_int_array *b)
{
    return a && b && a->size == b->size && !memcmp(a->data, b->data, (size_t)a->size * sizeof a->data[0]);
}

/* Shapes of the graph are settled; a kernel may say once more what they are. */
static enum tflite_status confirm_shape(struct external_host *h, size_t i, const struct tflite_int_array *dims)
{
    struct tflite_tensor *t = &h->c.tensors[i];
    char is[96], to[96];

    if (same_dims(t->dims, dims)) {
        if (t->allocation_type == TFLITE_DYNAMIC && !t->data && !external_host_own(h, i))
            return TFLITE_ERROR;
        return TFLITE_OK;
    }
    external_report(h, "ResizeTensor: tensor %zu '%.40s' is %s in this graph, and cannot become %s", i, t->name,
                    shape_text(t->dims->data, t->dims->size, is, sizeof is), shape_text(dims->data, dims->size, to, sizeof to));
    return TFLITE_ERROR;
}

static enum tflite_status set_shape(struct external_host *h, size_t i, struct tflite_int_array *dims)
{
    struct tflite_tensor *t = &h->c.tensors[i];
    struct err err;
    char to[96];
    size_t elems;

    if (shape_elems(dims->data, dims->size, &elems, &err) || t->type <= TYPE_NONE || t->type >= TYPE_COUNT) {
        external_report(h, "ResizeTensor: tensor %zu cannot be %s of %s", i, shape_text(dims->data, dims->size, to, sizeof to),
                        type_name((enum tensor_type)t->type));
        free(dims);
        return TFLITE_ERROR;
    }
    external_host_set_dims(h, i, dims);
    if (t->type == TYPE_STRING)
        return TFLITE_OK; /* what has no size before it is there */
    t->bytes = type_bytes((enum tensor_type)t->type, elems);
    if ((t->allocation_type == TFLITE_DYNAMIC || t->allocation_type == TFLITE_PERSISTENT_RO || h->own[i] ||
         h->phase == EXTERNAL_KERNEL_INVOKE) &&
        !external_host_own(h, i))
        return TFLITE_ERROR;
    return TFLITE_OK;
}

static enum tflite_status resize_tensor(struct tflite_context *c, struct tflite_tensor *t, struct tflite_int_array *dims)
{
    struct external_host *h = host_of(c);
    const size_t i = t >= c->tensors && t < c->tensors + c->tensors_size ? (size_t)(t - c->tensors) : c->tensors_size;
    enum tflite_status st;

    if (!dims)
        return TFLITE_ERROR;
    if (i < c->tensors_size && external_host_sets_shape(h, i))
        return set_shape(h, i, dims);
    if (i < c->tensors_size) {
        st = confirm_shape(h, i, dims);
    } else {
        external_report(h, "ResizeTensor: that tensor is none of the graph's");
        st = TFLITE_ERROR;
    }
    free(dims);
    return st;
}

static enum tflite_status add_tensors(struct tflite_context *c, int n, int *first)
{
    struct external_host *h = host_of(c);
    const size_t was = c->tensors_size;
    struct tflite_tensor *tensors;
    void **own;

    if (n < 0 || n > 1 << 20 || h->phase == EXTERNAL_KERNEL_INVOKE || h->phase == EXTERNAL_OUTSIDE) {
        external_report(h, "AddTensors of %d tensors in %s", n, external_phase_name(h->phase));
        return TFLITE_ERROR;
    }
    if ((tensors = realloc(c->tensors, (was + (size_t)n + 1) * sizeof *tensors)))
        c->tensors = tensors;
    if ((own = realloc(h->own, (was + (size_t)n + 1) * sizeof *own)))
        h->own = own;
    if (!tensors || !own)
        return TFLITE_ERROR;
    for (size_t i = was; i < was + (size_t)n; i++) {
        own[i] = NULL;
        tensors[i] = (struct tflite_tensor){
            .name = "", .buffer_handle = TFLITE_NO_BUFFER, .dims = external_int_array(NULL, 0), .allocation_type = TFLITE_ARENA_RW};
        if (!tensors[i].dims)
            return TFLITE_ERROR;
        c->tensors_size++;
    }
    if (first)
        *first = (int)was;
    return TFLITE_OK;
}

static struct tflite_tensor *get_tensor(const struct tflite_context *c, int i)
{
    return i >= 0 && (size_t)i < c->tensors_size ? &c->tensors[i] : NULL;
}

/* ---- what there is not ---- */

static void *get_external(struct tflite_context *c, int type)
{
    (void)c, (void)type;
    return NULL;
}

static void set_external(struct tflite_context *c, int type, void *external)
{
    (void)external;
    external_report(host_of(c), "SetExternalContext(%d): no external contexts are kept", type);
}

/* The rest is of TFLite for microcontrollers, and NULL in TFLite as well. */
void external_context_init(struct tflite_context *c)
{
    c->get_execution_plan = get_execution_plan;
    c->resize_tensor = resize_tensor;
    c->report_error = report_error;
    c->add_tensors = add_tensors;
    c->get_node_and_registration = get_node_and_registration;
    c->replace_node_subsets = replace;
    c->recommended_num_threads = -1;
    c->get_external_context = get_external;
    c->set_external_context = set_external;
    c->preview_delegate_partitioning = preview;
    c->get_tensor = get_tensor;
    c->get_model_metadata = get_metadata;
    c->acquire_subgraph_context = acquire_subgraph;
    c->release_subgraph_context = release_subgraph;
}
