/* SPDX-License-Identifier: Apache-2.0 */
/* options_stablehlo.h - the options of StableHLO's operators, from the second options union of the file.
 *
 * The rules of options.h for layout, types and lifetime apply. Attributes are defined in the StableHLO specification, whose names
 * TFLite kept; dimensions are never negative. TFLite's C ABI has structs for CONCATENATE, PAD, REDUCE_WINDOW, GATHER, SCATTER,
 * RNG_BIT_GENERATOR, COMPOSITE and CASE (options_abi.c); other layouts are our own. The last seven of these have kernels; all
 * others are decoded so that a model loads, is listed by op_coverage and is written again unchanged. A computation is the index of
 * a subgraph. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "schema/schema.h"

/* Capacities of the C ABI's arrays: dimensions, and the branches of one CASE. */
#define OPTIONS_MAX_DIMS     8
#define OPTIONS_MAX_BRANCHES 20

/* Axis along which the inputs are joined; their other dimensions are equal. */
struct opt_stablehlo_concatenate {
    int64_t dimension;
};
/* y[...] = the index along iota_dimension. There is no input: shape and type are the output tensor's. */
struct opt_stablehlo_iota {
    int64_t iota_dimension;
};
/* enum comparison_direction, enum comparison_type; uint32 in file and ABI. The result is BOOL in the shape of both operands, which
 * do not broadcast. */
struct opt_stablehlo_compare {
    uint32_t comparison_direction, compare_type; /* compare_type: how bits are compared: as floats, signed, unsigned */
};
/* See struct opt_while in options.h. */
struct opt_stablehlo_while {
    int cond_subgraph_index, body_subgraph_index;
};
/* Input and output 0 are the state, UINT64: key and counter, 2 numbers, for Philox optionally 3 with the counter's upper half;
 * others are ST_BAD_MODEL. Output 1 are the bits: INT32, UINT32, INT64 or UINT64, in the shape of the output tensor. */
struct opt_stablehlo_rng_bit_generator {
    enum rng_algorithm algorithm;
};
/* Dimension i of the operand becomes dimension broadcast_dimensions[i] of the result, each used once; it has the same length, or 1
 * and is repeated. The other dimensions of the result repeat the operand. */
struct opt_stablehlo_broadcast_in_dim {
    const int64_t *broadcast_dimensions;
    uint32_t n_broadcast_dimensions; /* the operand's rank */
};
/* One size for each dimension of the operand. The inputs after the operand are the start indices, one scalar for each dimension,
 * clamped so that the slice lies inside. */
struct opt_stablehlo_dynamic_slice {
    const int64_t *slice_sizes; /* the result's shape */
    uint32_t n_slice_sizes;
};
/* Dimension i of the result is dimension permutation[i] of the operand; each is named once. */
struct opt_stablehlo_transpose {
    const int64_t *permutation;
    uint32_t n_permutation; /* the operand's rank */
};
/* y[i] = x[start + i * stride], below the limit, which is excluded. One entry of each for each dimension; strides are above 0, and
 * indices do not count from the end. */
struct opt_stablehlo_slice {
    const int64_t *start_indices, *limit_indices, *strides;
    uint32_t n_start_indices, n_limit_indices, n_strides;
};
/* Results have the inputs' shapes. The comparator takes two elements of each input, side by side, and returns a BOOL: the first one
 * goes before. It must be a strict order. */
struct opt_stablehlo_sort {
    int64_t dimension; /* along which all inputs are sorted together, by the same places */
    bool is_stable;    /* equal elements keep their order */
    int comparator_subgraph_index;
};
/* Inputs are operands, then as many initial values of one element; results lack the listed dimensions. The body takes the
 * accumulated values and one element of each operand, and returns new values; the order of application is not defined. */
struct opt_stablehlo_reduce {
    const int64_t *dimensions; /* of the operand */
    uint32_t n_dimensions;
    int body_subgraph_index;
};

/* Each position of a sliding window is folded into one element. One entry per dimension of the operand, padding [rank][2]: low and
 * high edge, negative ones crop. window_dimensions must be there; another array that the file leaves out is all 1, padding all 0.
 * The operand is spread out by base_dilations first; a place without an element of it holds the initial value, input 1. The body is
 * a subgraph of one operator that adds, multiplies, compares, or is logical (kernels_cpu/ops/stablehlo_reducer.h); another is
 * ST_UNSUPPORTED. A window, stride or dilation below 1, and a list that is not as long as the rank, are ST_BAD_MODEL. */
struct opt_stablehlo_reduce_window {
    int64_t window_dimensions[OPTIONS_MAX_DIMS], window_strides[OPTIONS_MAX_DIMS];
    int64_t base_dilations[OPTIONS_MAX_DIMS], window_dilations[OPTIONS_MAX_DIMS]; /* 1: neighbours; all four are above 0 */
    int64_t padding[2 * OPTIONS_MAX_DIMS];
    int body_subgraph_index;
    /* Ours; 0 if the file left the array out, else the rank, of padding twice that: */
    int num_window_dimensions, num_window_strides, num_base_dilations, num_window_dilations, num_padding;
};
/* The value is input 1. One entry of each per dimension; negative edges crop, interior elements (at least 0) go between neighbours.
 * The ABI has no counts; here each must be the operand's rank. Edges that cut off more than there is are ST_BAD_MODEL. */
struct opt_stablehlo_pad {
    int64_t edge_padding_low[OPTIONS_MAX_DIMS], edge_padding_high[OPTIONS_MAX_DIMS];
    int64_t interior_padding[OPTIONS_MAX_DIMS]; /* so many values between two elements */
    /* Ours, for that check: */
    int num_edge_padding_low, num_edge_padding_high, num_interior_padding;
};
/* y has batch dimensions, the dimensions of start_indices (input 1) without index_vector_dim, and at offset_dims the dimensions of
 * the slice without collapsed_slice_dims, which are 1 long. start_index_map[k] is the operand's dimension that entry k of an index
 * vector counts in; index_vector_dim may be the indices' rank: vectors of 1. slice_sizes: [rank of the operand]. Start indices are
 * clamped so that the slice lies inside. indices_are_sorted is a promise that nothing here relies on. Lists of dimensions ascend,
 * and no slice is longer than the operand: else ST_BAD_MODEL. */
struct opt_stablehlo_gather {
    int64_t offset_dims[OPTIONS_MAX_DIMS]; /* of the result, ascending */
    int num_offset_dims;
    int64_t collapsed_slice_dims[OPTIONS_MAX_DIMS]; /* of the operand */
    int num_collapsed_slice_dims;                   /* with the offset dimensions: the operand's rank */
    int64_t start_index_map[OPTIONS_MAX_DIMS];
    int num_start_index_map;  /* the length of an index vector */
    int64_t index_vector_dim; /* of the indices */
    int64_t slice_sizes[OPTIONS_MAX_DIMS];
    int num_slice_sizes; /* the operand's rank */
    bool indices_are_sorted;
};
/* The reverse of gather: windows of the updates (input 2), whose dimensions are update_window_dims, meet the operand at computed
 * places; inserted_window_dims are the operand's dimensions that windows lack. Elements that would fall outside are left out, one
 * by one. The computation combines old and new element: a subgraph of one operator at most (add, multiply, maximum, minimum;
 * another is ST_UNSUPPORTED), none replaces. Updates of one place are applied in the order of their index vectors. unique_indices
 * and indices_are_sorted are promises that nothing here relies on. */
struct opt_stablehlo_scatter {
    bool indices_are_sorted;
    int64_t update_window_dims[OPTIONS_MAX_DIMS]; /* of the updates */
    int num_update_window_dims;
    int64_t inserted_window_dims[OPTIONS_MAX_DIMS];         /* of the operand */
    int num_inserted_window_dims;                           /* with the window's dimensions: the operand's rank */
    int64_t scatter_dims_to_operand_dims[OPTIONS_MAX_DIMS]; /* start_index_map by another name */
    int num_scatter_dims_to_operand_dims;
    int64_t index_vector_dim; /* of the indices, input 1 */
    bool unique_indices;
    int update_computation_subgraph_index; /* takes the old element and the update */
};
/* Batching dimensions go together, contracting ones are summed over; pairs of both lists have the same place and length. The result
 * has the batching dimensions, then the rest of the left operand's, then the rest of the right one's. precision_config: one entry
 * per operand; 0 default, 1 high, 2 highest. */
struct opt_stablehlo_dot_general {
    const int64_t *lhs_batching_dimensions, *rhs_batching_dimensions;
    const int64_t *lhs_contracting_dimensions, *rhs_contracting_dimensions;
    const uint32_t *precision_config; /* of the multiplication on machines with several */
    uint32_t n_lhs_batching_dimensions, n_rhs_batching_dimensions;
    uint32_t n_lhs_contracting_dimensions, n_rhs_contracting_dimensions, n_precision_config;
};

/* Which dimension of input, kernel and output is the batch, the feature, or spatial; the other lists have one entry per spatial
 * dimension, padding two: low and high. lhs_dilation spreads out the input, rhs_dilation the kernel; window_reversal mirrors the
 * kernel. The groups divide features or batches; 1: none. */
struct opt_stablehlo_convolution {
    const int64_t *window_strides, *padding, *lhs_dilation, *rhs_dilation; /* 1 each, 0 of padding, if the list is empty */
    const bool *window_reversal;
    const int64_t *input_spatial_dimensions, *kernel_spatial_dimensions, *output_spatial_dimensions;
    const uint32_t *precision_config;
    uint32_t n_window_strides, n_padding, n_lhs_dilation, n_rhs_dilation, n_window_reversal;
    uint32_t n_input_spatial_dimensions, n_kernel_spatial_dimensions, n_output_spatial_dimensions;
    uint32_t n_precision_config;
    int64_t input_batch_dimension, input_feature_dimension;
    int64_t kernel_input_feature_dimension, kernel_output_feature_dimension;
    int64_t output_batch_dimension, output_feature_dimension;
    int64_t feature_group_count, batch_group_count; /* not both above 1 */
};
/* A call of something that the compiler knows by name. Strings are NULL if the file has none. api_version and attributes are
 * between it and the compiler. */
struct opt_stablehlo_custom_call {
    const char *call_target_name, *backend_config;
    bool has_side_effect; /* it must not be left out, though nothing reads its results */
    int api_version;
    const int32_t *called_computations; /* subgraphs */
    const uint8_t *custom_attributes;   /* bytes */
    uint32_t n_called_computations, n_custom_attributes;
};
/* An operator that a compiler may know by name and version; the subgraph computes the same from all inputs. Here the subgraph
 * always runs. */
struct opt_stablehlo_composite {
    const char *name;                /* "odml.rms_norm" and the like */
    int32_t subgraph_index, version; /* version: of the operator with this name */
    const uint8_t *attributes;       /* flexbuffer; field 3 of the file's table would say another format, there is none */
    size_t attributes_size;          /* bytes */
};
/* Input 0, one INT32, selects the branch; an index out of range selects the last one. The other inputs are the branch's. The C ABI
 * has room for OPTIONS_MAX_BRANCHES; more are ST_UNSUPPORTED. */
struct opt_stablehlo_case {
    int32_t branch_subgraph_indices[OPTIONS_MAX_BRANCHES];
    uint32_t num_branches; /* 0: ST_BAD_MODEL while running */
};
