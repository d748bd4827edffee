/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_net.c - a subgraph of XNNPACK's, and tensors as its values. */
#include "lib/delegates/xnnpack/xnnpack_net.h"

static const char *status_text(enum xnn_status s)
{
    static const char *const texts[] = {
        [xnn_status_uninitialized] = "it is not initialized",
        [xnn_status_invalid_parameter] = "invalid parameter",
        [xnn_status_invalid_state] = "invalid state",
        [xnn_status_unsupported_parameter] = "unsupported parameter",
        [xnn_status_unsupported_hardware] = "unsupported hardware",
        [xnn_status_out_of_memory] = "out of memory",
    };

    return (size_t)s < sizeof texts / sizeof *texts && texts[s] ? texts[s] : "unknown status";
}

bool xnnpack_took(enum xnn_status s, struct reason *why)
{
    return s == xnn_status_success ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "XNNPACK does not take it: %s", status_text(s));
}

enum status xnnpack_net_begin(struct xnnpack_net *x, const struct graph *g, uint32_t max_external, struct err *err)
{
    if (!x->id) {
        x->g = g;
        x->id = ARENA_ARRAY(&x->arena, g->n_tensors, uint32_t);
        x->defined = ARENA_ARRAY(&x->arena, g->n_tensors, uint32_t);
        for (uint32_t i = 0; x->id && i < g->n_tensors; i++)
            x->id[i] = XNN_INVALID_VALUE_ID;
    }
    if (!x->id || !x->defined || xnn_create_subgraph(max_external, 0, &x->subgraph) != xnn_status_success)
        return err_set(err, ST_NOMEM, "out of memory for a subgraph of XNNPACK's");
    return ST_OK;
}

/* ---- values ---- */

static enum xnn_datatype datatype_of(const struct tensor *t, bool by_channel)
{
    switch (t->type) {
    case TYPE_FLOAT32: return xnn_datatype_fp32;
    case TYPE_INT8: return by_channel ? xnn_datatype_qcint8 : xnn_datatype_qint8;
    case TYPE_UINT8: return by_channel ? xnn_datatype_invalid : xnn_datatype_quint8;
    case TYPE_INT32: return by_channel ? xnn_datatype_qcint32 : xnn_datatype_qint32;
    default: return xnn_datatype_invalid;
    }
}

/* It reads behind the end of what is no weights, and a tensor may be both. */
static const void *with_spare_bytes(struct xnnpack_net *x, const struct tensor *t)
{
    void *copy = x->trial ? t->data : arena_alloc(&x->arena, 1, t->bytes + XNN_EXTRA_BYTES);

    if (copy && !x->trial) {
        memcpy(copy, t->data, t->bytes);
        x->copied += t->bytes;
    }
    return copy;
}

static bool fits(const struct tensor *t, struct reason *why)
{
    if (t->is_dynamic)
        return reason_set(why, REASON_DYNAMIC_SHAPE, "tensor %u has a shape that is known only while running", t->index);
    if (t->rank > XNN_MAX_TENSOR_DIMS)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "tensor %u has %d dimensions, XNNPACK at most %d", t->index,
                          t->rank, XNN_MAX_TENSOR_DIMS);
    if (!t->rank && !t->is_const)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_RANK, "tensor %u is a scalar", t->index);
    if (!t->bytes)
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "tensor %u has no elements", t->index);
    if (t->is_variable || t->sparsity || t->quant.block_size || t->quant.n_axes)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "tensor %u is a variable, sparse, or quantized by blocks",
                          t->index);
    return true;
}

static bool define(struct xnnpack_net *x, const struct tensor *t, const float *steps, uint32_t n_steps, uint32_t external,
                   uint32_t flag, struct reason *why)
{
    const enum xnn_datatype type = datatype_of(t, n_steps > 1);
    const void *data = t->is_const ? with_spare_bytes(x, t) : NULL;
    size_t dims[XNN_MAX_TENSOR_DIMS];
    uint32_t *id = &x->id[t->index];
    enum xnn_status s;

    for (int32_t i = 0; i < t->rank; i++)
        dims[i] = (size_t)t->dim[i];
    if (type == xnn_datatype_fp32)
        s = xnn_define_tensor_value(x->subgraph, type, (size_t)t->rank, dims, data, external, flag, id);
    else if (n_steps > 1)
        s = xnn_define_channelwise_quantized_tensor_value(x->subgraph, type, steps, (size_t)t->rank,
                                                          t->rank > 1 ? (size_t)t->quant.dim : 0, dims, data, external, flag, id);
    else
        s = xnn_define_quantized_tensor_value(x->subgraph, type, t->type == TYPE_INT32 ? 0 : (int32_t)t->quant.zero_point[0],
                                              steps ? steps[0] : t->quant.scale[0], (size_t)t->rank, dims, data, external, flag,
                                              id);
    if (s == xnn_status_success)
        x->defined[x->n_defined++] = t->index;
    else
        *id = XNN_INVALID_VALUE_ID;
    return xnnpack_took(s, why);
}

static bool define_checked(struct xnnpack_net *x, const struct tensor *t, const float *steps, uint32_t n_steps, uint32_t external,
                           uint32_t flag, struct reason *why)
{
    if (!fits(t, why))
        return false;
    if (datatype_of(t, n_steps > 1) == xnn_datatype_invalid || (t->type != TYPE_FLOAT32 && !steps && !t->quant.n))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "tensor %u is %s%s", t->index, type_name(t->type),
                          t->quant.n ? "" : ", and not quantized");
    if (t->type != TYPE_FLOAT32 && !steps && t->quant.n != 1)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "tensor %u has %u scales, and is no weights", t->index, t->quant.n);
    return define(x, t, steps, n_steps, external, flag, why);
}

bool xnnpack_net_external(struct xnnpack_net *x, const struct tensor *t, uint32_t flag, struct reason *why)
{
    if (x->id[t->index] != XNN_INVALID_VALUE_ID)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "tensor %u comes from outside and goes there", t->index);
    return define_checked(x, t, NULL, 0, x->n_external++, flag, why);
}

bool xnnpack_net_value(struct xnnpack_net *x, const struct tensor *t, const float *steps, uint32_t n_steps, uint32_t *id,
                       struct reason *why)
{
    if (x->id[t->index] == XNN_INVALID_VALUE_ID && !define_checked(x, t, steps, n_steps, XNN_INVALID_VALUE_ID, 0, why))
        return false;
    *id = x->id[t->index];
    return true;
}

/* ---- the end ---- */

void xnnpack_net_end(struct xnnpack_net *x)
{
    if (x->subgraph)
        xnn_delete_subgraph(x->subgraph);
    x->subgraph = NULL;
    while (x->n_defined)
        x->id[x->defined[--x->n_defined]] = XNN_INVALID_VALUE_ID;
    x->n_external = 0;
}

void xnnpack_net_free(struct xnnpack_net *x)
{
    xnnpack_net_end(x);
    arena_free(&x->arena);
    *x = (struct xnnpack_net){0};
}
