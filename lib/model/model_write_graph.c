/* SPDX-License-Identifier: Apache-2.0 */
/* model_write_graph.c - encodes subgraphs, operators and tensors. */
#include <stdlib.h>

#include "lib/model/model_impl.h"
#include "lib/model/model_write_impl.h"

fbw_ref model_put_list(struct fbw *w, const void *of, uint32_t n, put_item put)
{
    fbw_ref *refs = malloc(((size_t)n + 1) * sizeof *refs), list;

    if (!refs) {
        w->failed = true;
        return 0;
    }
    for (uint32_t i = 0; i < n; i++)
        refs[i] = put(w, of, i);
    list = fbw_tables(w, refs, n);
    free(refs);
    return list;
}

static fbw_ref put_index_vector(struct fbw *w, const void *values, uint32_t n, uint8_t bytes)
{
    fbw_ref vector = fbw_vector(w, values, n, bytes, bytes);

    if (!vector)
        return 0;
    fbw_start(w);
    fbw_table(w, INDEX_VECTOR_VALUES, vector);
    return fbw_end(w);
}

static uint8_t index_vector_type(const void *values, uint8_t bytes)
{
    if (!values)
        return INDEX_VECTOR_NONE;
    return bytes == 1 ? INDEX_VECTOR_UINT8 : bytes == 2 ? INDEX_VECTOR_UINT16 : INDEX_VECTOR_INT32;
}

static fbw_ref put_sparse_dim(struct fbw *w, const void *of, uint32_t i)
{
    const struct sparse_dim *d = (const struct sparse_dim *)of + i;
    fbw_ref segments = put_index_vector(w, d->segments, d->n_segments, d->segments_bytes);
    fbw_ref indices = put_index_vector(w, d->indices, d->n_indices, d->indices_bytes);

    fbw_start(w);
    fbw_i8(w, DIMENSION_FORMAT, d->csr ? DIMENSION_SPARSE_CSR : DIMENSION_DENSE, DIMENSION_DENSE);
    fbw_i32(w, DIMENSION_DENSE_SIZE, d->dense_size, 0);
    fbw_u8(w, DIMENSION_SEGMENTS_TYPE, index_vector_type(d->segments, d->segments_bytes), INDEX_VECTOR_NONE);
    fbw_table(w, DIMENSION_SEGMENTS, segments);
    fbw_u8(w, DIMENSION_INDICES_TYPE, index_vector_type(d->indices, d->indices_bytes), INDEX_VECTOR_NONE);
    fbw_table(w, DIMENSION_INDICES, indices);
    return fbw_end(w);
}

static fbw_ref put_sparsity(struct fbw *w, const struct sparsity *s)
{
    fbw_ref order, blocks, dims;

    if (!s)
        return 0;
    order = fbw_vector(w, s->traversal_order, s->n_traversal_order, 4, 4);
    blocks = fbw_vector(w, s->block_map, s->n_block_map, 4, 4);
    dims = model_put_list(w, s->dims, s->n_dims, put_sparse_dim);
    fbw_start(w);
    fbw_table(w, SPARSITY_TRAVERSAL_ORDER, order);
    fbw_table(w, SPARSITY_BLOCK_MAP, blocks);
    fbw_table(w, SPARSITY_DIMS, dims);
    return fbw_end(w);
}

static enum quantization_details details_of(const struct quant *q)
{
    if (q->n_axes)
        return DETAILS_MULTI_AXIS;
    return q->block_size || q->n_block_shape ? DETAILS_BLOCKWISE : DETAILS_NONE;
}

static fbw_ref put_details(struct fbw *w, const struct quant *q)
{
    fbw_ref last;

    if (details_of(q) == DETAILS_NONE)
        return 0;
    last = q->n_axes ? fbw_vector(w, q->axes, q->n_axes, 4, 4) : fbw_vector(w, q->block_shape, q->n_block_shape, 4, 4);
    fbw_start(w);
    fbw_i32(w, BLOCK_SCALES, q->block_scales, 0);
    fbw_i32(w, BLOCK_ZERO_POINTS, q->block_zero_points, 0);
    fbw_i32(w, BLOCK_SIZE, q->block_size, 0);
    fbw_table(w, BLOCK_SHAPE, last);
    return fbw_end(w);
}

static fbw_ref put_quant(struct fbw *w, const struct quant *q)
{
    fbw_ref min, max, scale, zero_point, details;

    if (!q->n && !q->n_min && !q->n_max && details_of(q) == DETAILS_NONE)
        return 0;
    min = fbw_vector(w, q->min, q->n_min, 4, 4);
    max = fbw_vector(w, q->max, q->n_max, 4, 4);
    scale = fbw_vector(w, q->scale, q->n, 4, 4);
    zero_point = fbw_vector(w, q->zero_point, q->n, 8, 8);
    details = put_details(w, q);
    fbw_start(w);
    fbw_table(w, QUANTIZATION_MIN, min);
    fbw_table(w, QUANTIZATION_MAX, max);
    fbw_table(w, QUANTIZATION_SCALE, scale);
    fbw_table(w, QUANTIZATION_ZERO_POINT, zero_point);
    fbw_u8(w, QUANTIZATION_DETAILS_TYPE, details_of(q), DETAILS_NONE);
    fbw_table(w, QUANTIZATION_DETAILS, details);
    fbw_i32(w, QUANTIZATION_DIMENSION, q->dim, 0);
    return fbw_end(w);
}

static fbw_ref put_variant(struct fbw *w, const void *of, uint32_t i)
{
    const struct tensor_variant *v = (const struct tensor_variant *)of + i;
    fbw_ref shape = fbw_vector(w, v->dim, v->rank, 4, 4);

    fbw_start(w);
    fbw_table(w, VARIANT_SHAPE, shape);
    fbw_i8(w, VARIANT_TYPE, model_type_to_file(v->type), 0);
    fbw_u8(w, VARIANT_HAS_RANK, v->has_rank, false);
    return fbw_end(w);
}

struct tensors {
    const struct model *m;
    const struct tensor *list;
};

static fbw_ref put_tensor(struct fbw *w, const void *of, uint32_t i)
{
    const struct tensors *from = of;
    const struct tensor *t = &from->list[i];
    const struct model_external *external = from->m->keep_external && t->buffer < from->m->n_buffers
                                                ? from->m->buffers[t->buffer].external
                                                : NULL;
    fbw_ref name = fbw_string(w, t->name), shape = fbw_vector(w, t->dim, (size_t)t->rank, 4, 4);
    fbw_ref signature = fbw_vector(w, t->signature, t->n_signature, 4, 4), quant = put_quant(w, &t->quant);
    fbw_ref sparsity = put_sparsity(w, t->sparsity);
    fbw_ref variants = t->n_variants ? model_put_list(w, t->variants, t->n_variants, put_variant) : 0;

    fbw_start(w);
    fbw_table(w, TENSOR_SHAPE, shape);
    fbw_i8(w, TENSOR_TYPE, model_type_to_file(t->type), 0);
    fbw_u32(w, TENSOR_BUFFER, external ? 0 : t->buffer, 0);
    fbw_table(w, TENSOR_NAME, name);
    fbw_table(w, TENSOR_QUANTIZATION, quant);
    fbw_u8(w, TENSOR_IS_VARIABLE, t->is_variable, false);
    fbw_table(w, TENSOR_SPARSITY, sparsity);
    fbw_table(w, TENSOR_SHAPE_SIGNATURE, signature);
    fbw_u8(w, TENSOR_HAS_RANK, t->has_rank, false);
    fbw_table(w, TENSOR_VARIANTS, variants);
    fbw_u32(w, TENSOR_EXTERNAL_BUFFER, external ? external->id : 0, 0);
    return fbw_end(w);
}

static fbw_ref put_op(struct fbw *w, const void *of, uint32_t i)
{
    const struct model_op *op = (const struct model_op *)of + i;
    const struct options_table *table = options_table(op->options_kind);
    fbw_ref inputs = fbw_vector(w, op->inputs, op->n_inputs, 4, 4);
    fbw_ref outputs = fbw_vector(w, op->outputs, op->n_outputs, 4, 4);
    fbw_ref intermediates = fbw_vector(w, op->intermediates, op->n_intermediates, 4, 4);
    fbw_ref mutating = fbw_vector(w, op->mutating, op->n_mutating, 1, 1);
    /* Flexbuffers hold 8-byte numbers that their readers may want aligned. */
    fbw_ref custom = fbw_vector(w, op->custom, op->n_custom, 1, 16);
    fbw_ref options = model_put_options(w, op->options_kind, op->options);

    fbw_start(w);
    fbw_u32(w, OPERATOR_OPCODE, op->opcode, 0);
    fbw_table(w, OPERATOR_INPUTS, inputs);
    fbw_table(w, OPERATOR_OUTPUTS, outputs);
    if (table) {
        fbw_u8(w, table->union_ == 1 ? OPERATOR_OPTIONS_TYPE : OPERATOR_OPTIONS_2_TYPE, table->number, 0);
        fbw_table(w, table->union_ == 1 ? OPERATOR_OPTIONS : OPERATOR_OPTIONS_2, options);
    }
    fbw_table(w, OPERATOR_CUSTOM, custom);
    fbw_table(w, OPERATOR_MUTATING, mutating);
    fbw_table(w, OPERATOR_INTERMEDIATES, intermediates);
    return fbw_end(w);
}

fbw_ref model_put_subgraph(struct fbw *w, const void *of, uint32_t i)
{
    const struct model *m = of;
    const struct model_subgraph *g = &m->subgraphs[i];
    const struct tensors list = {m, g->tensors};
    fbw_ref name = fbw_string(w, g->name), tensors = model_put_list(w, &list, g->n_tensors, put_tensor);
    fbw_ref ops = model_put_list(w, g->ops, g->n_ops, put_op);
    fbw_ref inputs = fbw_vector(w, g->inputs, g->n_inputs, 4, 4);
    fbw_ref outputs = fbw_vector(w, g->outputs, g->n_outputs, 4, 4);

    fbw_start(w);
    fbw_table(w, SUBGRAPH_TENSORS, tensors);
    fbw_table(w, SUBGRAPH_INPUTS, inputs);
    fbw_table(w, SUBGRAPH_OUTPUTS, outputs);
    fbw_table(w, SUBGRAPH_OPERATORS, ops);
    fbw_table(w, SUBGRAPH_NAME, name);
    fbw_i32(w, SUBGRAPH_DEBUG_METADATA, g->debug_metadata_index, -1);
    return fbw_end(w);
}
