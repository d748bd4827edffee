/* SPDX-License-Identifier: Apache-2.0 */
/* test_same_model.c - two models compared, struct by struct. */
#include "lib/testing/test_same_model.h"

static void same_bytes(const void *a, const void *b, size_t bytes)
{
    if (bytes)
        assert_memory_equal(a, b, bytes);
}

/* One member of an option struct, by its row of schema/options.c. */
static void same_field(const struct field *d, const uint8_t *a, const uint8_t *b)
{
    static const uint8_t list_bytes[] = {
        [FIELD_LIST_BOOL] = 1, [FIELD_LIST_U8] = 1,  [FIELD_LIST_I32] = 4,      [FIELD_LIST_U32] = 4,
        [FIELD_LIST_I64] = 8,  [FIELD_LIST_F32] = 4, [FIELD_LIST_SUBGRAPH] = 4,
    };
    uint64_t n = 0;

    memcpy(&n, a + d->count_offset, d->count_bytes);
    if (d->count_bytes)
        assert_memory_equal(a + d->count_offset, b + d->count_offset, d->count_bytes);
    if (d->kind >= FIELD_LIST_BOOL) {
        same_bytes(*(const void *const *)(a + d->offset), *(const void *const *)(b + d->offset), n * list_bytes[d->kind]);
    } else if (d->kind == FIELD_STRING) {
        const char *x = *(const char *const *)(a + d->offset), *y = *(const char *const *)(b + d->offset);

        assert_int_equal(!x, !y);
        if (x)
            assert_string_equal(x, y);
    } else if (d->kind == FIELD_ARRAY_I64) {
        assert_memory_equal(a + d->offset, b + d->offset, d->max * sizeof(int64_t));
    } else if (d->kind >= FIELD_ARRAY_I32) {
        assert_memory_equal(a + d->offset, b + d->offset, d->max * sizeof(int32_t));
    } else {
        assert_memory_equal(a + d->offset, b + d->offset,
                            d->kind == FIELD_BOOL  ? 1
                            : d->kind == FIELD_I64 ? sizeof(int64_t)
                                                   : sizeof(int32_t));
    }
}

/* Operators, their options field by field: options of equal value, not of equal bytes. */
static void same_op(const struct model_op *a, const struct model_op *b)
{
    const struct options_table *table = options_table(a->options_kind);

    assert_int_equal(a->opcode, b->opcode);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_outputs, b->n_outputs);
    assert_int_equal(a->n_intermediates, b->n_intermediates);
    assert_int_equal(a->n_mutating, b->n_mutating);
    assert_int_equal(a->n_custom, b->n_custom);
    assert_int_equal(a->options_kind, b->options_kind);
    same_bytes(a->inputs, b->inputs, 4 * a->n_inputs);
    same_bytes(a->outputs, b->outputs, 4 * a->n_outputs);
    same_bytes(a->intermediates, b->intermediates, 4 * a->n_intermediates);
    same_bytes(a->mutating, b->mutating, a->n_mutating);
    same_bytes(a->custom, b->custom, a->n_custom);
    assert_int_equal(!a->options, !b->options);
    for (uint16_t i = 0; table && a->options && i < table->n_fields; i++)
        same_field(&table->fields[i], a->options, b->options);
}

static void same_sparsity(const struct sparsity *a, const struct sparsity *b)
{
    assert_int_equal(!a, !b);
    if (!a)
        return;
    assert_int_equal(a->n_traversal_order, b->n_traversal_order);
    assert_int_equal(a->n_block_map, b->n_block_map);
    assert_int_equal(a->n_dims, b->n_dims);
    same_bytes(a->traversal_order, b->traversal_order, 4 * a->n_traversal_order);
    same_bytes(a->block_map, b->block_map, 4 * a->n_block_map);
    for (uint32_t i = 0; i < a->n_dims; i++) {
        const struct sparse_dim *x = &a->dims[i], *y = &b->dims[i];

        assert_int_equal(x->csr, y->csr);
        assert_int_equal(x->dense_size, y->dense_size);
        assert_int_equal(x->n_segments, y->n_segments);
        assert_int_equal(x->n_indices, y->n_indices);
        assert_int_equal(x->segments_bytes, y->segments_bytes);
        assert_int_equal(x->indices_bytes, y->indices_bytes);
        same_bytes(x->segments, y->segments, (size_t)x->n_segments * x->segments_bytes);
        same_bytes(x->indices, y->indices, (size_t)x->n_indices * x->indices_bytes);
    }
}

static void same_quant(const struct quant *a, const struct quant *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_min, b->n_min);
    assert_int_equal(a->n_max, b->n_max);
    assert_int_equal(a->n_axes, b->n_axes);
    assert_int_equal(a->n_block_shape, b->n_block_shape);
    assert_int_equal(a->block_size, b->block_size);
    assert_int_equal(a->block_scales, b->block_scales);
    assert_int_equal(a->block_zero_points, b->block_zero_points);
    if (a->n)
        assert_int_equal(a->dim, b->dim);
    same_bytes(a->scale, b->scale, 4 * a->n);
    same_bytes(a->zero_point, b->zero_point, 8 * a->n);
    same_bytes(a->min, b->min, 4 * a->n_min);
    same_bytes(a->max, b->max, 4 * a->n_max);
    same_bytes(a->axes, b->axes, 4 * a->n_axes);
    same_bytes(a->block_shape, b->block_shape, 4 * a->n_block_shape);
}

static void same_tensor(const struct tensor *a, const struct tensor *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->type, b->type);
    assert_true(tensor_same_shape(a, b));
    assert_int_equal(a->n_signature, b->n_signature);
    same_bytes(a->signature, b->signature, 4 * a->n_signature);
    assert_int_equal(a->has_rank, b->has_rank);
    assert_int_equal(a->is_variable, b->is_variable);
    assert_int_equal(a->is_const, b->is_const);
    assert_int_equal(a->buffer, b->buffer);
    assert_int_equal(a->bytes, b->bytes);
    assert_int_equal(a->n_variants, b->n_variants);
    same_quant(&a->quant, &b->quant);
    same_sparsity(a->sparsity, b->sparsity);
}

static void same_subgraph(const struct model_subgraph *a, const struct model_subgraph *b)
{
    assert_string_equal(a->name, b->name);
    assert_int_equal(a->debug_metadata_index, b->debug_metadata_index);
    assert_int_equal(a->n_tensors, b->n_tensors);
    assert_int_equal(a->n_ops, b->n_ops);
    assert_int_equal(a->n_inputs, b->n_inputs);
    assert_int_equal(a->n_outputs, b->n_outputs);
    same_bytes(a->inputs, b->inputs, 4 * a->n_inputs);
    same_bytes(a->outputs, b->outputs, 4 * a->n_outputs);
    for (uint32_t i = 0; i < a->n_tensors; i++)
        same_tensor(&a->tensors[i], &b->tensors[i]);
    for (uint32_t i = 0; i < a->n_ops; i++)
        same_op(&a->ops[i], &b->ops[i]);
}

static void same_names(uint32_t n, const char **a, const char **b, const uint32_t *x, const uint32_t *y)
{
    for (uint32_t i = 0; i < n; i++)
        assert_string_equal(a[i], b[i]);
    same_bytes(x, y, 4 * n);
}

void same_model(const struct model *a, const struct model *b)
{
    assert_string_equal(a->description, b->description);
    assert_int_equal(a->n_opcodes, b->n_opcodes);
    assert_int_equal(a->n_buffers, b->n_buffers);
    assert_int_equal(a->n_subgraphs, b->n_subgraphs);
    assert_int_equal(a->n_signatures, b->n_signatures);
    assert_int_equal(a->n_metadata, b->n_metadata);
    for (uint32_t i = 0; i < a->n_opcodes; i++) {
        assert_int_equal(a->opcodes[i].builtin, b->opcodes[i].builtin);
        assert_int_equal(a->opcodes[i].version, b->opcodes[i].version);
        assert_int_equal(!a->opcodes[i].custom, !b->opcodes[i].custom);
        if (b->opcodes[i].name && a->opcodes[i].name)
            assert_string_equal(a->opcodes[i].name, b->opcodes[i].name);
    }
    for (uint32_t i = 0; i < a->n_buffers; i++) {
        assert_int_equal(a->buffers[i].bytes, b->buffers[i].bytes);
        assert_int_equal(a->buffers[i].outside, b->buffers[i].outside);
        same_bytes(a->buffers[i].data, b->buffers[i].data, a->buffers[i].bytes);
    }
    for (uint32_t i = 0; i < a->n_subgraphs; i++)
        same_subgraph(&a->subgraphs[i], &b->subgraphs[i]);
    for (uint32_t i = 0; i < a->n_signatures; i++) {
        const struct model_signature *x = &a->signatures[i], *y = &b->signatures[i];

        assert_string_equal(x->key, y->key);
        assert_int_equal(x->subgraph, y->subgraph);
        assert_int_equal(x->n_inputs, y->n_inputs);
        assert_int_equal(x->n_outputs, y->n_outputs);
        same_names(x->n_inputs, x->input_names, y->input_names, x->input_tensors, y->input_tensors);
        same_names(x->n_outputs, x->output_names, y->output_names, x->output_tensors, y->output_tensors);
    }
    for (uint32_t i = 0; i < a->n_metadata; i++) {
        assert_string_equal(a->metadata[i].name, b->metadata[i].name);
        assert_int_equal(a->metadata[i].buffer, b->metadata[i].buffer);
    }
}
