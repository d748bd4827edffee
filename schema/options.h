/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the options of every builtin operator as C structs, and the field lists that decode them.
 *
 * Where TFLite's C ABI (builtin_op_data.h) has a struct for the operator, ours has the same memory layout, so that a delegate
 * built against TFLite reads ours and we read TFLite's; options.c asserts it. Members that the ABI lacks stand after its
 * end, marked "ours": they are there only in options that our own loader decoded.
 *
 * Enums are ints. Types are enum tensor_type (lib/tensor.h). Pointers lead into the model's file or arena. Options of a
 * kind without fields have no struct. */
#ifndef DELEGAUGE_SCHEMA_OPTIONS_H
#define DELEGAUGE_SCHEMA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema.h"

#define OPTIONS_MAX_DIMS     8
#define OPTIONS_MAX_BRANCHES 20

/* Convolution and pooling. */

/* CONV_2D. Strides and dilations are at least 1. Groups are not said: they follow from the channels of input and filter. */
struct opt_conv_2d {
    enum padding padding;
    int stride_width, stride_height;
    enum activation activation;
    int dilation_width_factor, dilation_height_factor;
    int quantized_bias_type; /* enum tensor_type */
};

struct opt_conv_3d { /* CONV_3D_TRANSPOSE too */
    enum padding padding;
    int stride_width, stride_height, stride_depth;
    int dilation_width_factor, dilation_height_factor, dilation_depth_factor;
    enum activation activation;
};

/* DEPTHWISE_CONV_2D. Output channel oc reads input channel oc / multiplier. */
struct opt_depthwise_conv_2d {
    enum padding padding;
    int stride_width, stride_height;
    int depth_multiplier; /* redundant: the shapes say it; files may hold 0 */
    enum activation activation;
    int dilation_width_factor, dilation_height_factor;
};

/* TRANSPOSE_CONV: strides are steps in the output. */
struct opt_transpose_conv {
    enum padding padding;
    int stride_width, stride_height;
    enum activation activation;
    int quantized_bias_type;
};

/* AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D. An average counts the elements within the input alone. */
struct opt_pool_2d {
    enum padding padding;
    int stride_width, stride_height;
    int filter_width, filter_height;
    enum activation activation;
    struct {
        int width, height, width_offset, height_offset;
    } computed; /* a kernel's own; 0 in a model */
};

/* Matrix products and recurrent cells. */

/* FULLY_CONNECTED: y[...,units] = activation(x w^T + bias). keep_num_dims keeps the rank of x; else y is a matrix. */
struct opt_fully_connected {
    enum activation activation;
    enum fc_weights_format weights_format;
    bool keep_num_dims;
    bool asymmetric_quantize_inputs;
    int quantized_bias_type;
    const uint8_t *quant_spec; /* flexbuffer, or NULL */
    int quant_spec_size;
};
/* BATCH_MATMUL. adj_x, adj_y: the operand's last two dimensions are exchanged first. asymmetric_quantize_inputs, here and below:
 * a hybrid kernel (float x, 8-bit weights) gives each row of x a zero point of its own. */
struct opt_batch_matmul {
    bool adj_x, adj_y, asymmetric_quantize_inputs;
};
/* SVDF: a filter of this rank in feature and time. */
struct opt_svdf {
    int rank;
    enum activation activation;
    bool asymmetric_quantize_inputs;
};
struct opt_rnn {
    enum activation activation;
    bool asymmetric_quantize_inputs;
};
/* UNIDIRECTIONAL_SEQUENCE_RNN. time_major: x is [time,batch,c], else [batch,time,c]. */
struct opt_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool asymmetric_quantize_inputs;
};
/* merge_outputs: forward and backward stand side by side in output 0. */
struct opt_bidirectional_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool merge_outputs, asymmetric_quantize_inputs;
};
/* LSTM: one step. LSTM_FULL has 20 or 24 inputs, LSTM_BASIC 5. Clips bound |cell| and |projection|. */
struct opt_lstm {
    enum activation activation;
    float cell_clip, proj_clip; /* 0: no clipping */
    enum lstm_kernel kernel_type;
    bool asymmetric_quantize_inputs;
};
/* diagonal_recurrent_tensors: recurrent weights are vectors. */
struct opt_unidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip;
    bool time_major, asymmetric_quantize_inputs, diagonal_recurrent_tensors;
};
struct opt_bidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip;
    bool merge_outputs, time_major, asymmetric_quantize_inputs;
};

/* Arithmetic, normalization, reduction. */

/* pot_scale_int16 of ADD and SUB: INT16 by shifts, where all scales are powers of two and zero points 0. */
struct opt_add {
    enum activation activation;
    bool pot_scale_int16;
};
struct opt_sub {
    enum activation activation;
    bool pot_scale_int16;
};
struct opt_mul {
    enum activation activation;
};
struct opt_div {
    enum activation activation;
};
struct opt_l2_norm {
    enum activation activation;
};
/* y = x / (bias + alpha * sum of x^2 over channels c - radius to c + radius) ^ beta. */
struct opt_local_response_normalization {
    int radius;
    float bias, alpha, beta;
};
/* y = exp(beta * x) / sum of these along the last dimension. */
struct opt_softmax {
    float beta;
};
/* y = x where x >= 0, else alpha * x. */
struct opt_leaky_relu {
    float alpha;
};
/* approximate: by tanh, else by erf. */
struct opt_gelu {
    bool approximate;
};
/* SUM, MEAN, REDUCE_*: keep_dims leaves the reduced dimensions, of length 1. */
struct opt_reducer {
    bool keep_dims;
};
/* exclusive: the sum before an element; reverse: from the end. */
struct opt_cumsum {
    bool exclusive, reverse;
};
/* output_type: INT32 or INT64. */
struct opt_arg_max {
    int output_type;
};
struct opt_arg_min {
    int output_type;
};
/* Both redundant: the tensors say it. */
struct opt_cast {
    int in_data_type, out_data_type;
};
/* narrow_range leaves out the lowest of the 2^num_bits values. */
struct opt_fake_quant {
    float min, max;
    int num_bits;
    bool narrow_range;
};
/* boundaries[num_boundaries], ascending. */
struct opt_bucketize {
    int num_boundaries;
    const float *boundaries;
};
struct opt_random {
    int seed, seed2;
}; /* int64 in the file; TFLite too keeps the low 32 bits */

/* reduce_function: enum reduce_window. */
struct opt_reduce_window {
    int reduce_function;
};

/* Moving data. */

/* axis, here and below: negative counts from the end. */
struct opt_concatenation {
    int axis;
    enum activation activation;
};
/* The new shape, one entry -1 for what is left; not used where input 1 holds it. */
struct opt_reshape {
    int32_t shape[OPTIONS_MAX_DIMS];
    int num_dimensions;
};
/* The dimensions of length 1 that go; none named: all of them. */
struct opt_squeeze {
    int32_t squeeze_dims[OPTIONS_MAX_DIMS];
    int num_squeeze_dims;
};
/* align_corners: the corners' centres meet; half_pixel_centers: pixel i lies at i + 0.5. Not both. */
struct opt_resize_bilinear {
    bool align_corners, half_pixel_centers;
};
struct opt_resize_nearest_neighbor {
    bool align_corners, half_pixel_centers;
};
/* A block of block_size x block_size pixels becomes one pixel's channels; DEPTH_TO_SPACE the other way round. */
struct opt_space_to_depth {
    int block_size;
};
struct opt_depth_to_space {
    int block_size;
};
/* The first batch_dims dimensions of x and indices go together. */
struct opt_gather {
    int axis, batch_dims;
};
struct opt_split {
    int num_splits;
};
struct opt_split_v {
    int num_splits;
};
/* values_count: the number of inputs; axis: that of the new dimension. */
struct opt_pack {
    int values_count, axis;
};
struct opt_unpack {
    int num, axis;
};
/* axis of the new dimension; -1: the last. */
struct opt_one_hot {
    int axis;
};
/* REFLECT leaves out the edge itself, SYMMETRIC repeats it. */
struct opt_mirror_pad {
    enum mirror_mode mode;
};
/* Along seq_dim, as many elements as input 1 says for each index of batch_dim. */
struct opt_reverse_sequence {
    int seq_dim, batch_dim;
};
struct opt_shape {
    int out_type;
};
struct opt_unique {
    int index_out_type;
};
struct opt_sparse_to_dense {
    bool validate_indices;
};

/* Masks have bit i for entry i of begin, end and strides: its begin does not count, its end does not count, it stands for all
 * dimensions not named, it is a new dimension of 1, its dimension vanishes. */
struct opt_strided_slice {
    int begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
    bool offset; /* `end` counts from `begin` */
};

/* Text, tables, variables, control flow. */

/* Groups of ngram_size words (or up to it) with at most max_skip_size left out between two. */
struct opt_skip_gram {
    int ngram_size, max_skip_size;
    bool include_all_ngrams;
};
/* DENSE: one output per bit; SPARSE: one number per hash function. */
struct opt_lsh_projection {
    enum lsh_projection type;
};
/* SUM; MEAN divides by the sum of weights; SQRTN by the root of the sum of their squares. */
struct opt_embedding_lookup_sparse {
    enum combiner combiner;
};
struct opt_concat_embeddings {
    int num_channels;
    uint32_t n_num_columns_per_channel, n_embedding_dim_per_channel;
    const int32_t *num_columns_per_channel, *embedding_dim_per_channel;
};
struct opt_hashtable {
    int table_id, key_dtype, value_dtype;
};
struct opt_var_handle {
    const char *container, *shared_name;
}; /* NULL where the file has none */

/* Indices in model.subgraphs, here and below. */
struct opt_call {
    uint32_t subgraph;
};
/* Runs that subgraph at the first inference alone. */
struct opt_call_once {
    int init_subgraph_index;
};
struct opt_if {
    int then_subgraph_index, else_subgraph_index;
};
struct opt_while {
    int cond_subgraph_index, body_subgraph_index;
};

/* StableHLO; the meaning of each attribute is in the StableHLO specification. */

struct opt_stablehlo_concatenate {
    int64_t dimension;
};
struct opt_stablehlo_iota {
    int64_t iota_dimension;
};
/* enum comparison_direction, enum comparison_type. */
struct opt_stablehlo_compare {
    uint32_t comparison_direction, compare_type;
};
struct opt_stablehlo_while {
    int cond_subgraph_index, body_subgraph_index;
};
struct opt_stablehlo_rng_bit_generator {
    enum rng_algorithm algorithm;
};
struct opt_stablehlo_broadcast_in_dim {
    const int64_t *broadcast_dimensions;
    uint32_t n_broadcast_dimensions;
};
struct opt_stablehlo_dynamic_slice {
    const int64_t *slice_sizes;
    uint32_t n_slice_sizes;
};
struct opt_stablehlo_transpose {
    const int64_t *permutation;
    uint32_t n_permutation;
};
struct opt_stablehlo_slice {
    const int64_t *start_indices, *limit_indices, *strides;
    uint32_t n_start_indices, n_limit_indices, n_strides;
};
struct opt_stablehlo_sort {
    int64_t dimension;
    bool is_stable;
    int comparator_subgraph_index;
};
struct opt_stablehlo_reduce {
    const int64_t *dimensions;
    uint32_t n_dimensions;
    int body_subgraph_index;
};

struct opt_stablehlo_reduce_window { /* an array that the file leaves out is all 1, padding all 0 */
    int64_t window_dimensions[OPTIONS_MAX_DIMS], window_strides[OPTIONS_MAX_DIMS];
    int64_t base_dilations[OPTIONS_MAX_DIMS], window_dilations[OPTIONS_MAX_DIMS];
    int64_t padding[2 * OPTIONS_MAX_DIMS];
    int body_subgraph_index;
    /* Ours: */
    int num_window_dimensions, num_window_strides, num_base_dilations, num_window_dilations, num_padding;
};
/* Negative edges crop. Interior elements go between neighbours. */
struct opt_stablehlo_pad {
    int64_t edge_padding_low[OPTIONS_MAX_DIMS], edge_padding_high[OPTIONS_MAX_DIMS];
    int64_t interior_padding[OPTIONS_MAX_DIMS];
    /* Ours: */
    int num_edge_padding_low, num_edge_padding_high, num_interior_padding;
};
struct opt_stablehlo_gather {
    int64_t offset_dims[OPTIONS_MAX_DIMS];
    int num_offset_dims;
    int64_t collapsed_slice_dims[OPTIONS_MAX_DIMS];
    int num_collapsed_slice_dims;
    int64_t start_index_map[OPTIONS_MAX_DIMS];
    int num_start_index_map;
    int64_t index_vector_dim;
    int64_t slice_sizes[OPTIONS_MAX_DIMS];
    int num_slice_sizes;
    bool indices_are_sorted;
};
struct opt_stablehlo_scatter {
    bool indices_are_sorted;
    int64_t update_window_dims[OPTIONS_MAX_DIMS];
    int num_update_window_dims;
    int64_t inserted_window_dims[OPTIONS_MAX_DIMS];
    int num_inserted_window_dims;
    int64_t scatter_dims_to_operand_dims[OPTIONS_MAX_DIMS];
    int num_scatter_dims_to_operand_dims;
    int64_t index_vector_dim;
    bool unique_indices;
    int update_computation_subgraph_index;
};
struct opt_stablehlo_dot_general {
    const int64_t *lhs_batching_dimensions, *rhs_batching_dimensions;
    const int64_t *lhs_contracting_dimensions, *rhs_contracting_dimensions;
    const uint32_t *precision_config;
    uint32_t n_lhs_batching_dimensions, n_rhs_batching_dimensions;
    uint32_t n_lhs_contracting_dimensions, n_rhs_contracting_dimensions, n_precision_config;
};

struct opt_stablehlo_convolution {
    const int64_t *window_strides, *padding, *lhs_dilation, *rhs_dilation;
    const bool *window_reversal;
    const int64_t *input_spatial_dimensions, *kernel_spatial_dimensions, *output_spatial_dimensions;
    const uint32_t *precision_config;
    uint32_t n_window_strides, n_padding, n_lhs_dilation, n_rhs_dilation, n_window_reversal;
    uint32_t n_input_spatial_dimensions, n_kernel_spatial_dimensions, n_output_spatial_dimensions;
    uint32_t n_precision_config;
    int64_t input_batch_dimension, input_feature_dimension;
    int64_t kernel_input_feature_dimension, kernel_output_feature_dimension;
    int64_t output_batch_dimension, output_feature_dimension;
    int64_t feature_group_count, batch_group_count;
};
/* Strings are NULL where the file has none. */
struct opt_stablehlo_custom_call {
    const char *call_target_name, *backend_config;
    bool has_side_effect;
    int api_version;
    const int32_t *called_computations; /* subgraphs */
    const uint8_t *custom_attributes;
    uint32_t n_called_computations, n_custom_attributes;
};
/* attributes[attributes_size]; the subgraph computes the same. */
struct opt_stablehlo_composite {
    const char *name;
    int32_t subgraph_index, version;
    const uint8_t *attributes; /* flexbuffer */
    size_t attributes_size;
};
/* An index that no branch has takes the last one. */
struct opt_stablehlo_case {
    int32_t branch_subgraph_indices[OPTIONS_MAX_BRANCHES];
    uint32_t num_branches;
};

/* How one field of an option table is stored in the file and in its struct. */
enum field_kind {
    FIELD_BOOL,
    FIELD_ENUM,        /* an int8; `max` is the last known value */
    FIELD_ENUM_PLUS_1, /* an int8; the C ABI counts from 1, since 0 is "unknown" there */
    FIELD_ENUM_WIDE,   /* an int32 */
    FIELD_TYPE,        /* int8 in the file's numbering of tensor types */
    FIELD_I32,
    FIELD_SUBGRAPH, /* an int32; an index of a subgraph */
    FIELD_I64,
    FIELD_I64_LOW, /* an int64; its low 32 bits */
    FIELD_F32,
    FIELD_STRING,
    FIELD_ARRAY_I32,
    FIELD_ARRAY_I64,
    FIELD_ARRAY_SUBGRAPH, /* `max` entries; the rest is `fallback` */
    FIELD_LIST_BOOL,
    FIELD_LIST_U8,
    FIELD_LIST_I32,
    FIELD_LIST_U32,
    FIELD_LIST_I64,
    FIELD_LIST_F32, /* by pointer */
    FIELD_LIST_SUBGRAPH
};

struct field {
    const char *name; /* of the struct's member */
    enum field_kind kind;
    uint8_t id;          /* in the file's table */
    uint8_t max;         /* last value of an enum, capacity of an array */
    uint8_t count_bytes; /* sizeof the count of an array or list */
    int8_t fallback;     /* what the schema says for a field that is not stored */
    uint16_t offset, count_offset;
};

struct options_table {
    const char *name;       /* "CONV_2D" */
    uint8_t union_, number; /* which of the two unions, and the member's number in it */
    uint16_t size;          /* of the struct; 0 where there are no fields */
    uint16_t n_fields;
    const struct field *fields;
};

/* The table of a kind; NULL for OPTIONS_NONE. */
const struct options_table *options_table(enum options_kind kind);

/* The kind of member `number` of union 1 or 2; OPTIONS_NONE where there is none. */
enum options_kind options_from_union(int union_, uint32_t number);

#endif
