/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - the field list of every option table: where a field is in the file, and where in the struct.
 *
 * Rows are F (plain), D (with the schema's default), E (enum with its last value), A (array with a count) and L (list:
 * pointer and count). The lists are all that the loader and the writer know about options. */
#include "schema/options.h"

#define COUNT_OF(a)       (sizeof(a) / sizeof *(a))
#define OFFSET(s, member) offsetof(struct opt_##s, member)
#define SIZE(s, member)   sizeof(((struct opt_##s *)0)->member)
#define ELEMS(s, member)  COUNT_OF(((struct opt_##s *)0)->member)

#define F(s, id_, kind_, member)                                                                                                   \
    {                                                                                                                              \
        .name = #member, .kind = FIELD_##kind_, .id = id_, .offset = OFFSET(s, member)                                             \
    }
#define D(s, id_, kind_, member, fallback_)                                                                                        \
    {                                                                                                                              \
        .name = #member, .kind = FIELD_##kind_, .id = id_, .offset = OFFSET(s, member), .fallback = fallback_                      \
    }
#define E(s, id_, kind_, member, last)                                                                                             \
    {                                                                                                                              \
        .name = #member, .kind = FIELD_##kind_, .id = id_, .offset = OFFSET(s, member), .max = last                                \
    }
#define A(s, id_, kind_, member, count, fallback_)                                                                                 \
    {                                                                                                                              \
        .name = #member, .kind = FIELD_##kind_, .id = id_, .offset = OFFSET(s, member), .max = ELEMS(s, member),                   \
        .count_offset = OFFSET(s, count), .count_bytes = SIZE(s, count), .fallback = fallback_                                     \
    }
#define L(s, id_, kind_, member, count)                                                                                            \
    {                                                                                                                              \
        .name = #member, .kind = FIELD_##kind_, .id = id_, .offset = OFFSET(s, member), .count_offset = OFFSET(s, count),          \
        .count_bytes = SIZE(s, count)                                                                                              \
    }

#define FIELDS(s)         static const struct field s##_fields[]
#define PADDING(s, id)    E(s, id, ENUM_PLUS_1, padding, PAD_VALID)
#define ACTIVATION(s, id) E(s, id, ENUM, activation, ACT_SIGN_BIT)
#define ASYMMETRIC(s, id) F(s, id, BOOL, asymmetric_quantize_inputs)

FIELDS(conv_2d) = {
    PADDING(conv_2d, 0),
    F(conv_2d, 1, I32, stride_width),
    F(conv_2d, 2, I32, stride_height),
    ACTIVATION(conv_2d, 3),
    D(conv_2d, 4, I32, dilation_width_factor, 1),
    D(conv_2d, 5, I32, dilation_height_factor, 1),
    F(conv_2d, 6, TYPE, quantized_bias_type),
};
FIELDS(conv_3d) = {
    PADDING(conv_3d, 0),
    F(conv_3d, 1, I32, stride_depth),
    F(conv_3d, 2, I32, stride_width),
    F(conv_3d, 3, I32, stride_height),
    ACTIVATION(conv_3d, 4),
    D(conv_3d, 5, I32, dilation_depth_factor, 1),
    D(conv_3d, 6, I32, dilation_width_factor, 1),
    D(conv_3d, 7, I32, dilation_height_factor, 1),
};
FIELDS(depthwise_conv_2d) = {
    PADDING(depthwise_conv_2d, 0),
    F(depthwise_conv_2d, 1, I32, stride_width),
    F(depthwise_conv_2d, 2, I32, stride_height),
    F(depthwise_conv_2d, 3, I32, depth_multiplier),
    ACTIVATION(depthwise_conv_2d, 4),
    D(depthwise_conv_2d, 5, I32, dilation_width_factor, 1),
    D(depthwise_conv_2d, 6, I32, dilation_height_factor, 1),
};
FIELDS(transpose_conv) = {
    PADDING(transpose_conv, 0),    F(transpose_conv, 1, I32, stride_width),         F(transpose_conv, 2, I32, stride_height),
    ACTIVATION(transpose_conv, 3), F(transpose_conv, 4, TYPE, quantized_bias_type),
};
FIELDS(pool_2d) = {
    PADDING(pool_2d, 0),
    F(pool_2d, 1, I32, stride_width),
    F(pool_2d, 2, I32, stride_height),
    F(pool_2d, 3, I32, filter_width),
    F(pool_2d, 4, I32, filter_height),
    ACTIVATION(pool_2d, 5),
};

FIELDS(fully_connected) = {
    ACTIVATION(fully_connected, 0),
    E(fully_connected, 1, ENUM, weights_format, FC_WEIGHTS_SHUFFLED_4X16_INT8),
    F(fully_connected, 2, BOOL, keep_num_dims),
    ASYMMETRIC(fully_connected, 3),
    F(fully_connected, 4, TYPE, quantized_bias_type),
    L(fully_connected, 5, LIST_U8, quant_spec, quant_spec_size),
};
FIELDS(batch_matmul) = {
    F(batch_matmul, 0, BOOL, adj_x),
    F(batch_matmul, 1, BOOL, adj_y),
    ASYMMETRIC(batch_matmul, 2),
};
FIELDS(svdf) = {F(svdf, 0, I32, rank), ACTIVATION(svdf, 1), ASYMMETRIC(svdf, 2)};
FIELDS(rnn) = {ACTIVATION(rnn, 0), ASYMMETRIC(rnn, 1)};
FIELDS(sequence_rnn) = {
    F(sequence_rnn, 0, BOOL, time_major),
    ACTIVATION(sequence_rnn, 1),
    ASYMMETRIC(sequence_rnn, 2),
};
FIELDS(bidirectional_sequence_rnn) = {
    F(bidirectional_sequence_rnn, 0, BOOL, time_major),
    ACTIVATION(bidirectional_sequence_rnn, 1),
    F(bidirectional_sequence_rnn, 2, BOOL, merge_outputs),
    ASYMMETRIC(bidirectional_sequence_rnn, 3),
};
FIELDS(lstm) = {
    ACTIVATION(lstm, 0), F(lstm, 1, F32, cell_clip), F(lstm, 2, F32, proj_clip), E(lstm, 3, ENUM, kernel_type, LSTM_BASIC),
    ASYMMETRIC(lstm, 4),
};
FIELDS(unidirectional_sequence_lstm) = {
    ACTIVATION(unidirectional_sequence_lstm, 0),        F(unidirectional_sequence_lstm, 1, F32, cell_clip),
    F(unidirectional_sequence_lstm, 2, F32, proj_clip), F(unidirectional_sequence_lstm, 3, BOOL, time_major),
    ASYMMETRIC(unidirectional_sequence_lstm, 4),        F(unidirectional_sequence_lstm, 5, BOOL, diagonal_recurrent_tensors),
};
FIELDS(bidirectional_sequence_lstm) = {
    ACTIVATION(bidirectional_sequence_lstm, 0),
    F(bidirectional_sequence_lstm, 1, F32, cell_clip),
    F(bidirectional_sequence_lstm, 2, F32, proj_clip),
    F(bidirectional_sequence_lstm, 3, BOOL, merge_outputs),
    D(bidirectional_sequence_lstm, 4, BOOL, time_major, true),
    ASYMMETRIC(bidirectional_sequence_lstm, 5),
};

FIELDS(add) = {ACTIVATION(add, 0), D(add, 1, BOOL, pot_scale_int16, true)};
FIELDS(sub) = {ACTIVATION(sub, 0), D(sub, 1, BOOL, pot_scale_int16, true)};
FIELDS(mul) = {ACTIVATION(mul, 0)};
FIELDS(div) = {ACTIVATION(div, 0)};
FIELDS(l2_norm) = {ACTIVATION(l2_norm, 0)};
FIELDS(local_response_normalization) = {
    F(local_response_normalization, 0, I32, radius),
    F(local_response_normalization, 1, F32, bias),
    F(local_response_normalization, 2, F32, alpha),
    F(local_response_normalization, 3, F32, beta),
};
FIELDS(softmax) = {F(softmax, 0, F32, beta)};
FIELDS(leaky_relu) = {F(leaky_relu, 0, F32, alpha)};
FIELDS(gelu) = {F(gelu, 0, BOOL, approximate)};
FIELDS(reducer) = {F(reducer, 0, BOOL, keep_dims)};
FIELDS(cumsum) = {F(cumsum, 0, BOOL, exclusive), F(cumsum, 1, BOOL, reverse)};
FIELDS(arg_max) = {F(arg_max, 0, TYPE, output_type)};
FIELDS(arg_min) = {F(arg_min, 0, TYPE, output_type)};
FIELDS(cast) = {F(cast, 0, TYPE, in_data_type), F(cast, 1, TYPE, out_data_type)};
FIELDS(fake_quant) = {
    F(fake_quant, 0, F32, min),
    F(fake_quant, 1, F32, max),
    F(fake_quant, 2, I32, num_bits),
    F(fake_quant, 3, BOOL, narrow_range),
};
FIELDS(bucketize) = {L(bucketize, 0, LIST_F32, boundaries, num_boundaries)};
FIELDS(random) = {F(random, 0, I64_LOW, seed), F(random, 1, I64_LOW, seed2)};
FIELDS(reduce_window) = {E(reduce_window, 0, ENUM_WIDE, reduce_function, REDUCE_WINDOW_ANY)};

FIELDS(concatenation) = {F(concatenation, 0, I32, axis), ACTIVATION(concatenation, 1)};
FIELDS(reshape) = {A(reshape, 0, ARRAY_I32, shape, num_dimensions, 0)};
FIELDS(squeeze) = {A(squeeze, 0, ARRAY_I32, squeeze_dims, num_squeeze_dims, 0)};
/* Fields 0 and 1 were the output's size before it became an input. */
FIELDS(resize_bilinear) = {
    F(resize_bilinear, 2, BOOL, align_corners),
    F(resize_bilinear, 3, BOOL, half_pixel_centers),
};
FIELDS(resize_nearest_neighbor) = {
    F(resize_nearest_neighbor, 0, BOOL, align_corners),
    F(resize_nearest_neighbor, 1, BOOL, half_pixel_centers),
};
FIELDS(space_to_depth) = {F(space_to_depth, 0, I32, block_size)};
FIELDS(depth_to_space) = {F(depth_to_space, 0, I32, block_size)};
FIELDS(gather) = {F(gather, 0, I32, axis), F(gather, 1, I32, batch_dims)};
FIELDS(split) = {F(split, 0, I32, num_splits)};
FIELDS(split_v) = {F(split_v, 0, I32, num_splits)};
FIELDS(pack) = {F(pack, 0, I32, values_count), F(pack, 1, I32, axis)};
FIELDS(unpack) = {F(unpack, 0, I32, num), F(unpack, 1, I32, axis)};
FIELDS(one_hot) = {F(one_hot, 0, I32, axis)};
FIELDS(mirror_pad) = {E(mirror_pad, 0, ENUM_PLUS_1, mode, MIRROR_SYMMETRIC)};
FIELDS(reverse_sequence) = {F(reverse_sequence, 0, I32, seq_dim), F(reverse_sequence, 1, I32, batch_dim)};
FIELDS(shape) = {F(shape, 0, TYPE, out_type)};
FIELDS(unique) = {D(unique, 0, TYPE, index_out_type, 2)}; /* INT32 in the file's numbering */
FIELDS(sparse_to_dense) = {F(sparse_to_dense, 0, BOOL, validate_indices)};
FIELDS(strided_slice) = {
    F(strided_slice, 0, I32, begin_mask),    F(strided_slice, 1, I32, end_mask),         F(strided_slice, 2, I32, ellipsis_mask),
    F(strided_slice, 3, I32, new_axis_mask), F(strided_slice, 4, I32, shrink_axis_mask), F(strided_slice, 5, BOOL, offset),
};

FIELDS(skip_gram) = {
    F(skip_gram, 0, I32, ngram_size),
    F(skip_gram, 1, I32, max_skip_size),
    F(skip_gram, 2, BOOL, include_all_ngrams),
};
FIELDS(lsh_projection) = {E(lsh_projection, 0, ENUM, type, LSH_DENSE)};
FIELDS(embedding_lookup_sparse) = {E(embedding_lookup_sparse, 0, ENUM, combiner, COMBINER_SQRTN)};
FIELDS(concat_embeddings) = {
    F(concat_embeddings, 0, I32, num_channels),
    L(concat_embeddings, 1, LIST_I32, num_columns_per_channel, n_num_columns_per_channel),
    L(concat_embeddings, 2, LIST_I32, embedding_dim_per_channel, n_embedding_dim_per_channel),
};
FIELDS(hashtable) = {
    F(hashtable, 0, I32, table_id),
    F(hashtable, 1, TYPE, key_dtype),
    F(hashtable, 2, TYPE, value_dtype),
};
FIELDS(var_handle) = {F(var_handle, 0, STRING, container), F(var_handle, 1, STRING, shared_name)};
FIELDS(call) = {F(call, 0, SUBGRAPH, subgraph)};
FIELDS(call_once) = {F(call_once, 0, SUBGRAPH, init_subgraph_index)};
FIELDS(if) = {F(if, 0, SUBGRAPH, then_subgraph_index), F(if, 1, SUBGRAPH, else_subgraph_index)};
FIELDS(while) = {F(while, 0, SUBGRAPH, cond_subgraph_index), F(while, 1, SUBGRAPH, body_subgraph_index)};

FIELDS(stablehlo_concatenate) = {F(stablehlo_concatenate, 0, I64, dimension)};
FIELDS(stablehlo_iota) = {F(stablehlo_iota, 0, I64, iota_dimension)};
FIELDS(stablehlo_compare) = {
    E(stablehlo_compare, 0, ENUM_WIDE, comparison_direction, COMPARE_LT),
    E(stablehlo_compare, 1, ENUM_WIDE, compare_type, COMPARE_UNSIGNED),
};
FIELDS(stablehlo_while) = {
    F(stablehlo_while, 0, SUBGRAPH, cond_subgraph_index),
    F(stablehlo_while, 1, SUBGRAPH, body_subgraph_index),
};
FIELDS(stablehlo_rng_bit_generator) = {E(stablehlo_rng_bit_generator, 0, ENUM_PLUS_1, algorithm, RNG_THREEFRY)};
FIELDS(stablehlo_broadcast_in_dim) = {
    L(stablehlo_broadcast_in_dim, 0, LIST_I64, broadcast_dimensions, n_broadcast_dimensions),
};
FIELDS(stablehlo_dynamic_slice) = {L(stablehlo_dynamic_slice, 0, LIST_I64, slice_sizes, n_slice_sizes)};
FIELDS(stablehlo_transpose) = {L(stablehlo_transpose, 0, LIST_I64, permutation, n_permutation)};
FIELDS(stablehlo_slice) = {
    L(stablehlo_slice, 0, LIST_I64, start_indices, n_start_indices),
    L(stablehlo_slice, 1, LIST_I64, limit_indices, n_limit_indices),
    L(stablehlo_slice, 2, LIST_I64, strides, n_strides),
};
FIELDS(stablehlo_sort) = {
    F(stablehlo_sort, 0, I64, dimension),
    F(stablehlo_sort, 1, BOOL, is_stable),
    F(stablehlo_sort, 2, SUBGRAPH, comparator_subgraph_index),
};
FIELDS(stablehlo_reduce) = {
    L(stablehlo_reduce, 0, LIST_I64, dimensions, n_dimensions),
    F(stablehlo_reduce, 1, SUBGRAPH, body_subgraph_index),
};
FIELDS(stablehlo_reduce_window) = {
    A(stablehlo_reduce_window, 0, ARRAY_I64, window_dimensions, num_window_dimensions, 1),
    A(stablehlo_reduce_window, 1, ARRAY_I64, window_strides, num_window_strides, 1),
    A(stablehlo_reduce_window, 2, ARRAY_I64, base_dilations, num_base_dilations, 1),
    A(stablehlo_reduce_window, 3, ARRAY_I64, window_dilations, num_window_dilations, 1),
    A(stablehlo_reduce_window, 4, ARRAY_I64, padding, num_padding, 0),
    F(stablehlo_reduce_window, 5, SUBGRAPH, body_subgraph_index),
};
FIELDS(stablehlo_pad) = {
    A(stablehlo_pad, 0, ARRAY_I64, edge_padding_low, num_edge_padding_low, 0),
    A(stablehlo_pad, 1, ARRAY_I64, edge_padding_high, num_edge_padding_high, 0),
    A(stablehlo_pad, 2, ARRAY_I64, interior_padding, num_interior_padding, 0),
};
FIELDS(stablehlo_gather) = {
    A(stablehlo_gather, 0, ARRAY_I64, offset_dims, num_offset_dims, 0),
    A(stablehlo_gather, 1, ARRAY_I64, collapsed_slice_dims, num_collapsed_slice_dims, 0),
    A(stablehlo_gather, 2, ARRAY_I64, start_index_map, num_start_index_map, 0),
    F(stablehlo_gather, 3, I64, index_vector_dim),
    A(stablehlo_gather, 4, ARRAY_I64, slice_sizes, num_slice_sizes, 0),
    F(stablehlo_gather, 5, BOOL, indices_are_sorted),
};
FIELDS(stablehlo_scatter) = {
    F(stablehlo_scatter, 0, BOOL, indices_are_sorted),
    A(stablehlo_scatter, 1, ARRAY_I64, update_window_dims, num_update_window_dims, 0),
    A(stablehlo_scatter, 2, ARRAY_I64, inserted_window_dims, num_inserted_window_dims, 0),
    A(stablehlo_scatter, 3, ARRAY_I64, scatter_dims_to_operand_dims, num_scatter_dims_to_operand_dims, 0),
    F(stablehlo_scatter, 4, I64, index_vector_dim),
    F(stablehlo_scatter, 5, BOOL, unique_indices),
    F(stablehlo_scatter, 6, SUBGRAPH, update_computation_subgraph_index),
};
FIELDS(stablehlo_dot_general) = {
    L(stablehlo_dot_general, 0, LIST_I64, lhs_batching_dimensions, n_lhs_batching_dimensions),
    L(stablehlo_dot_general, 1, LIST_I64, rhs_batching_dimensions, n_rhs_batching_dimensions),
    L(stablehlo_dot_general, 2, LIST_I64, lhs_contracting_dimensions, n_lhs_contracting_dimensions),
    L(stablehlo_dot_general, 3, LIST_I64, rhs_contracting_dimensions, n_rhs_contracting_dimensions),
    L(stablehlo_dot_general, 4, LIST_U32, precision_config, n_precision_config),
};
FIELDS(stablehlo_convolution) = {
    L(stablehlo_convolution, 0, LIST_I64, window_strides, n_window_strides),
    L(stablehlo_convolution, 1, LIST_I64, padding, n_padding),
    L(stablehlo_convolution, 2, LIST_I64, lhs_dilation, n_lhs_dilation),
    L(stablehlo_convolution, 3, LIST_I64, rhs_dilation, n_rhs_dilation),
    L(stablehlo_convolution, 4, LIST_BOOL, window_reversal, n_window_reversal),
    F(stablehlo_convolution, 5, I64, input_batch_dimension),
    F(stablehlo_convolution, 6, I64, input_feature_dimension),
    L(stablehlo_convolution, 7, LIST_I64, input_spatial_dimensions, n_input_spatial_dimensions),
    F(stablehlo_convolution, 8, I64, kernel_input_feature_dimension),
    F(stablehlo_convolution, 9, I64, kernel_output_feature_dimension),
    L(stablehlo_convolution, 10, LIST_I64, kernel_spatial_dimensions, n_kernel_spatial_dimensions),
    F(stablehlo_convolution, 11, I64, output_batch_dimension),
    F(stablehlo_convolution, 12, I64, output_feature_dimension),
    L(stablehlo_convolution, 13, LIST_I64, output_spatial_dimensions, n_output_spatial_dimensions),
    F(stablehlo_convolution, 14, I64, feature_group_count),
    F(stablehlo_convolution, 15, I64, batch_group_count),
    L(stablehlo_convolution, 16, LIST_U32, precision_config, n_precision_config),
};
FIELDS(stablehlo_custom_call) = {
    F(stablehlo_custom_call, 0, STRING, call_target_name),
    F(stablehlo_custom_call, 1, BOOL, has_side_effect),
    F(stablehlo_custom_call, 2, STRING, backend_config),
    F(stablehlo_custom_call, 3, I32, api_version),
    L(stablehlo_custom_call, 4, LIST_SUBGRAPH, called_computations, n_called_computations),
    L(stablehlo_custom_call, 5, LIST_U8, custom_attributes, n_custom_attributes),
};
FIELDS(stablehlo_composite) = {
    F(stablehlo_composite, 0, STRING, name),
    F(stablehlo_composite, 1, SUBGRAPH, subgraph_index),
    L(stablehlo_composite, 2, LIST_U8, attributes, attributes_size), /* 3: their format, always flexbuffers */
    F(stablehlo_composite, 4, I32, version),
};
FIELDS(stablehlo_case) = {A(stablehlo_case, 0, ARRAY_SUBGRAPH, branch_subgraph_indices, num_branches, 0)};

static const struct options_table tables[OPTIONS_COUNT] = {
#define TABLE(union__, number_, name_, s)                                                                                          \
    [OPTIONS_##name_] = {#name_, union__, number_, sizeof(struct opt_##s), COUNT_OF(s##_fields), s##_fields},
#define EMPTY(union__, number_, name_) [OPTIONS_##name_] = {#name_, union__, number_, 0, 0, NULL},
#include "schema/options.def"
#undef TABLE
#undef EMPTY
};

const struct options_table *options_table(enum options_kind kind)
{
    return kind > OPTIONS_NONE && kind < OPTIONS_COUNT ? &tables[kind] : NULL;
}

enum options_kind options_from_union(int union_, uint32_t number)
{
    for (int kind = OPTIONS_NONE + 1; kind < OPTIONS_COUNT; kind++)
        if (tables[kind].union_ == union_ && tables[kind].number == number)
            return kind;
    return OPTIONS_NONE;
}
