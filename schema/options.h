/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - the options of every builtin operator as C structs; StableHLO's are in options_stablehlo.h.
 *
 * If TFLite's C ABI (builtin_op_data.h) has a struct for the operator, ours has the same memory layout, so that a delegate built
 * against TFLite reads ours and we read TFLite's; options_abi.c asserts it. Members that the ABI lacks stand after its end, marked
 * "ours": they are there only in options that our own loader decoded. The ABI's names are TfLite...Params, the file's tables
 * (schema.fbs) ...Options; both are given below if they cannot be guessed from the struct's name. options.c has the number of each
 * member in the file's table, which is not always its place in the struct.
 *
 * Enums are ints. Types are enum tensor_type (lib/tensor/tensor.h). Pointers lead into the model's file or arena and live as long
 * as the model. Options of a kind without fields have no struct. A field that the file leaves out is 0 (NONE, false, FLOAT32, SAME,
 * REFLECT in the file's own numbering) if no default is given here. An operator whose options are missing or of another kind gets
 * zeros (lib/graph/graph.c), so that its padding or mode is UNKNOWN; only operators that name subgraphs are refused. "v2" is the
 * operator version in which TFLite added a member; files of older versions have its default.
 *
 * Numbers are as the file has them: the loader checks enums, lengths and subgraphs, each kernel's `shape` the rest.
 *
 * Operators that are not named here have no options, or an empty table of them (options.def): all that they need is in their
 * tensors, as the paddings of PAD and the permutation of TRANSPOSE are. Custom operators have bytes instead (struct node in
 * lib/graph/graph.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "schema/option_table.h"
#include "schema/options_stablehlo.h"
#include "schema/schema.h"

/* Convolution and pooling. Images are NHWC; x is the input, y the output.
 *
 * Lengths along height and width, with k = (filter - 1) * dilation + 1: SAME gives ceil(x / stride), VALID ceil((x - k + 1) /
 * stride). SAME pads max(0, (y - 1) * stride + k - x) in all, the smaller half before. A filter length, stride or dilation below 1,
 * PAD_UNKNOWN, and a VALID window that is longer than the input are ST_BAD_MODEL. */

/* CONV_2D (TfLiteConvParams): filter [oc,kh,kw,ic], bias [oc] or none. Strides and dilations are at least 1. The number of groups
 * is not stored: it is (x's channels) / ic, each with the same number of oc; if they do not divide so, ST_BAD_MODEL. */
struct opt_conv_2d {
    enum padding padding;
    int stride_width, stride_height;
    enum activation activation;
    int dilation_width_factor, dilation_height_factor; /* v2, default 1 */
    int quantized_bias_type; /* v8, type of bias and sums; not read here: the bias has a type of its own */
};

/* CONV_3D and CONV_3D_TRANSPOSE: NDHWC, filter [kd,kh,kw,ic,oc], transposed [kd,kh,kw,oc,ic]. The file has depth first. The inputs
 * are x, filter and a bias [oc] or none; transposed, the output's shape (five sizes), the filter, x and the bias. A shape there
 * from which the convolution would not give x back is ST_BAD_MODEL. */
struct opt_conv_3d {
    enum padding padding;
    int stride_width, stride_height, stride_depth;
    int dilation_width_factor, dilation_height_factor, dilation_depth_factor; /* default 1 */
    enum activation activation;
};

/* DEPTHWISE_CONV_2D: filter [1,kh,kw,oc], bias [oc] or none. Output channel oc reads input channel oc / multiplier; multiplier =
 * (channels of the filter) / (channels of x), which must divide. */
struct opt_depthwise_conv_2d {
    enum padding padding;
    int stride_width, stride_height;
    int depth_multiplier; /* redundant, derived from the shapes; files may have 0 */
    enum activation activation;
    int dilation_width_factor, dilation_height_factor; /* v2, default 1 */
};

/* TRANSPOSE_CONV: inputs are the output's shape, the filter [oc,kh,kw,ic], x and a bias [oc] or none. It is the gradient of a
 * CONV_2D whose output is x: strides are steps in the output, padding is that convolution's. The shape is INT32[4] and may be known
 * only while running; its batch and channels must be x's and oc. */
struct opt_transpose_conv {
    enum padding padding;
    int stride_width, stride_height;
    enum activation activation; /* v4 */
    int quantized_bias_type;    /* v5, as for CONV_2D */
};

/* AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D (TfLitePoolParams); x has rank 4. An average counts only elements within the input; with
 * either padding every window has some. The bytes of this struct up to `computed` are also the options of MediaPipe's custom
 * pooling operators. */
struct opt_pool_2d {
    enum padding padding;
    int stride_width, stride_height;
    int filter_width, filter_height;
    enum activation activation;
    struct {
        int width, height, width_offset, height_offset;
    } computed; /* a TFLite kernel's own padding; not in the file, 0 in a model */
};

/* Matrix products and recurrent cells.
 *
 * asymmetric_quantize_inputs: a hybrid kernel (float x, 8-bit weights) gives each row of x a zero point of its own; without it
 * the zero point is 0. */

/* FULLY_CONNECTED: y[...,units] = activation(x w^T + bias), w [units,depth]. SHUFFLED weights have a second output. x is taken as
 * rows of `depth` elements, whatever its shape; with keep_num_dims its last dimension must be `depth`. Element counts that `depth`
 * does not divide, and biases that are not `units` long, are ST_BAD_MODEL. */
struct opt_fully_connected {
    enum activation activation;
    enum fc_weights_format weights_format; /* v2 */
    bool keep_num_dims;                    /* v5: keeps the rank of x; else y is [elements of x / depth, units] */
    bool asymmetric_quantize_inputs;       /* v7 */
    int quantized_bias_type;               /* v11, as for CONV_2D */
    const uint8_t *quant_spec;             /* flexbuffer, or NULL; not read here */
    int quant_spec_size;                   /* bytes */
};
/* BATCH_MATMUL: y = x0 x1 over the last two dimensions; the others broadcast. adj_x, adj_y: transpose the last two dimensions of
 * x0, of x1 (without conjugation). Operands of rank 0 and 1 are ST_BAD_MODEL, as are inner dimensions that differ. */
struct opt_batch_matmul {
    bool adj_x, adj_y, asymmetric_quantize_inputs; /* the last: v4 */
};
/* SVDF, one step: x [batch,n], feature weights [filters,n], time weights [filters,memory], bias [filters / rank] or none, state
 * [batch,filters * memory] (a variable). `rank` consecutive filters add up to one output; `rank` must divide the filters. INT8 is
 * requantized twice, to the state and to the output, and needs ACT_RELU, as in TFLite: another is ST_UNSUPPORTED. */
struct opt_svdf {
    int rank;
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v4 */
};
/* RNN, one step: y = h' = activation(W x + R h + bias). Inputs: x [batch,n], W [units,n], R [units,units], bias [units], h
 * [batch,units] (a variable). x is float; W and R are both float or both of 8 bits. */
struct opt_rnn {
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v3 */
};
/* UNIDIRECTIONAL_SEQUENCE_RNN: RNN for each step of x. time_major, here and below: x and y are [time,batch,c], else
 * [batch,time,c]. */
struct opt_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v3 */
};
/* BIDIRECTIONAL_SEQUENCE_RNN. Inputs: x; W, R, bias and state of the forward cell, the same of the backward cell; an auxiliary
 * input and its two weights, optional. merge_outputs, here and below: output 0 is forward and backward concatenated along the last
 * dimension; else output 1 is backward. The auxiliary input must have x's shape (another is ST_UNSUPPORTED), since TFLite's kernel
 * reads it by the width of x. */
struct opt_bidirectional_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool merge_outputs, asymmetric_quantize_inputs; /* the last: v3 */
};
/* LSTM, one step. LSTM_FULL has 20 inputs: x, weights of the input, forget, cell and output gate, their recurrent weights,
 * peepholes of all but the cell gate, four biases, projection weights and bias, output and cell state (variables); 24 with the four
 * of layer normalization. LSTM_BASIC has 5 inputs and 4 outputs (kernels_cpu/recurrent/lstm_basic.c). Clips limit |cell| and
 * |projection|, in real units even if quantized. Sizes follow from the forget gate: [cells,n] and [cells,outputs]. The input gate
 * may be omitted: it is then 1 - forget gate. */
struct opt_lstm {
    enum activation activation;
    float cell_clip, proj_clip;      /* 0: no clipping */
    enum lstm_kernel kernel_type;    /* v2 */
    bool asymmetric_quantize_inputs; /* v4 */
};
/* UNIDIRECTIONAL_SEQUENCE_LSTM: inputs as LSTM_FULL. asymmetric_quantize_inputs: v3. diagonal_recurrent_tensors (v4): recurrent
 * weights are vectors, each unit reads only its own output; ST_UNSUPPORTED for integer LSTMs. */
struct opt_unidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip; /* as above */
    bool time_major, asymmetric_quantize_inputs, diagonal_recurrent_tensors;
};
/* BIDIRECTIONAL_SEQUENCE_LSTM: 48 inputs (kernels_cpu/recurrent/lstm.c). time_major: v2; its default is true, unlike
 * all others, since v1 had no other layout. asymmetric_quantize_inputs: v3. */
struct opt_bidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip; /* of both directions */
    bool merge_outputs, time_major, asymmetric_quantize_inputs;
};

/* Arithmetic, normalization, reduction. Two inputs broadcast as in NumPy; shapes that do not are ST_BAD_MODEL. Integers wrap
 * around, quantized results saturate at the ends of their type. */

/* A fused activation of quantized tensors clamps in real units. pot_scale_int16 of ADD (v3) and SUB (v5): INT16 is computed with
 * shifts, if all scales are powers of two and zero points are 0; default true, as in files older than the member. Complex numbers
 * with an activation are ST_BAD_MODEL, here and below. */
struct opt_add {
    enum activation activation;
    bool pot_scale_int16;
};
struct opt_sub {
    enum activation activation;
    bool pot_scale_int16;
};
/* MUL has no pot_scale_int16: quantized products need no shifts. */
struct opt_mul {
    enum activation activation;
};
/* DIV: division of an integer or quantized value by zero fails with ST_FAILED while running. */
struct opt_div {
    enum activation activation;
};
/* L2_NORMALIZATION over the last dimension; a scalar is ST_BAD_MODEL. Activations other than ACT_NONE are ST_UNSUPPORTED, as in
 * TFLite. An 8-bit output has scale 1/128 and its zero point in the middle: 0, or 128 for UINT8. */
struct opt_l2_norm {
    enum activation activation;
};
/* y = x / (bias + alpha * sum of x^2) ^ beta over channels c - radius to c + radius - 1: TFLite's kernel has one neighbour less on
 * that side than TensorFlow's definition. x has rank 4. (TfLiteLocalResponseNormParams) */
struct opt_local_response_normalization {
    int radius;
    float bias, alpha, beta;
};
/* y = exp(beta * x), divided by its sum along the last dimension. Converters write beta = 1; without options it is 0. If x is
 * quantized, beta times its scale must be expressible in fixed point (kernels_cpu/quant/fixed_point.h), else ST_BAD_MODEL. */
struct opt_softmax {
    float beta;
};
/* y = x if x >= 0, else alpha * x. */
struct opt_leaky_relu {
    float alpha;
};
/* y = x * P(X <= x) for the standard normal distribution. approximate: computed with tanh instead of erf. */
struct opt_gelu {
    bool approximate;
};
/* SUM, MEAN, REDUCE_PROD, _MAX, _MIN, _ANY, _ALL: keep_dims keeps reduced dimensions with length 1. Input 1 lists them: negative
 * ones count from the end, duplicates count once, an empty list reduces nothing. */
struct opt_reducer {
    bool keep_dims;
};
/* y[i] = sum of x[0..i] along the axis in input 1. exclusive: without x[i], so the first is 0; reverse: from the end. FLOAT32, and
 * INT32 and INT64, which wrap around. */
struct opt_cumsum {
    bool exclusive, reverse;
};
/* Input 1 is the axis; an empty one is ST_BAD_MODEL. Of equal elements the first is taken. output_type: INT32 or INT64; redundant,
 * the output tensor has it. */
struct opt_arg_max {
    int output_type;
};
struct opt_arg_min {
    int output_type;
};
/* Both are redundant: the tensors have their types. Older files have no options at all. */
struct opt_cast {
    int in_data_type, out_data_type;
};
/* y = round((clamp(x, min, max) - min) / scale) * scale + min, with scale = (max - min) / (number of steps). min <= 0 <= max are
 * first moved a little, so that 0 is one of the 2^num_bits values; num_bits is 2 to 16. narrow_range (v2) leaves out the lowest
 * value. Other or infinite ranges, ranges of length 0, and other numbers of bits are ST_BAD_MODEL. */
struct opt_fake_quant {
    float min, max;
    int num_bits;
    bool narrow_range;
};
/* y = the number of boundaries[num_boundaries] that are <= x. Boundaries ascend and may be equal; others, and NaN, are
 * ST_BAD_MODEL. */
struct opt_bucketize {
    int num_boundaries;
    const float *boundaries;
};
/* RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL. Seeds are int64 in the file; their low 32 bits are used, as in TFLite. If
 * both are 0, TFLite draws a seed; here it is 0. Input 0 is the shape, INT32[rank]; for MULTINOMIAL the logits,
 * FLOAT32[batch,classes], and input 1 the number of samples, one INT32. */
struct opt_random {
    int seed, seed2;
};
/* REDUCE_WINDOW, deprecated in the schema. reduce_function: enum reduce_window; UNSUPPORTED is refused. Inputs: x, the initial
 * value (one element), and, INT64 with one entry for each dimension, window lengths, strides and dilations. No padding. */
struct opt_reduce_window {
    int reduce_function;
};

/* Moving data. axis, here and below: negative counts from the end. */

/* CONCATENATION. Inputs differ along the axis alone, and the result is as long there as all of them together. Integers with a fused
 * activation are refused, as in TFLite. INT8 inputs must have the output's scale and zero point (else ST_BAD_MODEL); UINT8 ones are
 * requantized. */
struct opt_concatenation {
    int axis;
    enum activation activation;
};
/* The new shape; one entry may be -1 for the remaining elements. Not used if input 1 is a vector of INT32, the newer form. A single
 * 0 is a scalar in files of old converters. Two -1, other negative numbers, and other element counts are ST_BAD_MODEL. */
struct opt_reshape {
    int32_t shape[OPTIONS_MAX_DIMS];
    int num_dimensions;
};
/* Dimensions of length 1 to remove; negative ones count from the end; none: all of length 1. Dimensions of another length, and more
 * than TENSOR_MAX_RANK of them, are ST_BAD_MODEL. */
struct opt_squeeze {
    int32_t squeeze_dims[OPTIONS_MAX_DIMS];
    int num_squeeze_dims;
};
/* Input 1 is the new size, [height,width] (fields 0 and 1 in the first files, no longer read). Output pixel i is at i * scale of
 * the input, with scale = in / out, or (in - 1) / (out - 1) with align_corners, which aligns the corner pixels' centers; with
 * half_pixel_centers (v3) at (i + 0.5) * scale - 0.5. NEAREST rounds this down (without the - 0.5); with align_corners to nearest,
 * halves up. RESIZE_BILINEAR with both flags, x without rank 4 or pixels, and sizes below 1 are ST_BAD_MODEL. */
struct opt_resize_bilinear {
    bool align_corners, half_pixel_centers;
};
struct opt_resize_nearest_neighbor {
    bool align_corners, half_pixel_centers;
};
/* A block of s x s pixels becomes the channels of one pixel, row by row: y[b,h,w,(i * s + j) * c + k] = x[b,h * s + i,w * s + j,k].
 * DEPTH_TO_SPACE is the inverse. s is at least 1 and divides height and width, or s * s the channels; x has rank 4. */
struct opt_space_to_depth {
    int block_size;
};
struct opt_depth_to_space {
    int block_size;
};
/* y = x with dimension `axis` replaced by the dimensions of the indices, input 1: [x up to axis, indices from batch_dims on, x
 * after axis]. The first batch_dims (v5) dimensions of both are batches of equal length, at most up to the axis; negative: counted
 * from the rank of the indices. An index out of range fails with ST_FAILED while running, it is not clamped. */
struct opt_gather {
    int axis, batch_dims;
};
/* num_splits: number of outputs, which the node must have. SPLIT: equal parts of input 1 along the axis in input 0. SPLIT_V: parts
 * of input 0 along the axis in input 2, with the lengths in input 1, one of which may be -1 for the rest. Parts that do not add up
 * to the axis are ST_BAD_MODEL. */
struct opt_split {
    int num_splits;
};
struct opt_split_v {
    int num_splits;
};
/* values_count: number of inputs, of equal shape; axis: of the new dimension, counted in the output. Inputs of rank TENSOR_MAX_RANK
 * are ST_UNSUPPORTED. */
struct opt_pack {
    int values_count, axis;
};
/* num: number of outputs, and the length of the input's dimension `axis`, which is removed. */
struct opt_unpack {
    int num, axis;
};
/* axis: of the new dimension, counted in the output; -1: last. Inputs 1, 2 and 3 are its length and the on and off values. */
struct opt_one_hot {
    int axis;
};
/* REFLECT does not repeat the edge, SYMMETRIC does: 1 2 3 padded by two on either side is 3 2 1 2 3 2 1, or 2 1 1 2 3 3 2. Input 1
 * has the paddings, [rank,2], not negative; paddings above the dimension, or with REFLECT above it less one, are ST_BAD_MODEL.
 * (TfLiteMirrorPaddingParams) */
struct opt_mirror_pad {
    enum mirror_mode mode;
};
/* For each index of batch_dim reverses the first elements along seq_dim, as many as input 1 has for it. The two dimensions differ
 * and are not negative. Input 1 is INT32 or INT64, one length for each index; negative ones count as 0, too long ones fail with
 * ST_FAILED while running. */
struct opt_reverse_sequence {
    int seq_dim, batch_dim;
};
/* out_type, index_out_type: INT32 or INT64; redundant as output_type above; the default of index_out_type is INT32. UNIQUE reads a
 * vector; its second output has, for each element, its index in the first output. */
struct opt_shape {
    int out_type;
};
struct opt_unique {
    int index_out_type;
};
/* Not used here: indices are always checked against the shape, and never for their order. */
struct opt_sparse_to_dense {
    bool validate_indices;
};

/* x[begin:end:strides], inputs 1 to 3, with negative numbers from the end as in Python. Bit i of a mask is for entry i: begin is
 * ignored; end is ignored; the entry stands for all dimensions not named (at most one bit); it inserts a dimension of 1; it selects
 * index begin and removes the dimension. TensorFlow's StridedSlice documents the whole rule. The inputs are vectors of one length,
 * at most 31. Strides of 0, several ellipses, and more entries than dimensions are ST_BAD_MODEL. */
struct opt_strided_slice {
    int begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
    bool offset; /* v8: `end` is relative to `begin` */
};

/* Text, tables, variables, control flow. */

/* The input is one string. Outputs groups of ngram_size words (with include_all_ngrams also shorter ones), with at most
 * max_skip_size words skipped between two. ngram_size is 1 to 1000, max_skip_size not negative. */
struct opt_skip_gram {
    int ngram_size, max_skip_size;
    bool include_all_ngrams;
};
/* Inputs: hash functions [functions,bits] of FLOAT32 seeds, at most 32 bits; rows to hash; weights of the rows, optional. DENSE:
 * one output for each bit; SPARSE: one number for each hash function. Other types are ST_BAD_MODEL. */
struct opt_lsh_projection {
    enum lsh_projection type;
};
/* Adds rows of a table (input 4), selected by ids (input 0) and weighted (input 3), into buckets given by the indices (input 1).
 * SUM is that sum; MEAN divides it by the sum of weights; SQRTN by the root of the sum of their squares. Unknown ids, and indices
 * beyond the dense shape (input 2), fail with ST_FAILED while running. */
struct opt_embedding_lookup_sparse {
    enum combiner combiner;
};
/* No kernel here or in TFLite, and no struct in the ABI. Both lists have num_channels entries. */
struct opt_concat_embeddings {
    int num_channels;
    uint32_t n_num_columns_per_channel, n_embedding_dim_per_channel;
    const int32_t *num_columns_per_channel, *embedding_dim_per_channel;
};
/* HASHTABLE: its output is a RESOURCE for the other HASHTABLE_ operators. Equal table_id means one table in all subgraphs. Keys and
 * values are INT64 and STRING or the reverse; other types are ST_UNSUPPORTED. Lookups in a table that was never filled are
 * ST_BAD_MODEL. */
struct opt_hashtable {
    int table_id, key_dtype, value_dtype;
};
/* VAR_HANDLE: its output is a RESOURCE for READ_ and ASSIGN_VARIABLE. Equal container and name mean one variable in all subgraphs;
 * NULL, if the file has none, equals "". Reading a variable that was never assigned, or of another type or shape than the reader's
 * output, is ST_BAD_MODEL. */
struct opt_var_handle {
    const char *container, *shared_name;
};

/* Subgraphs, here and below, are indices in model.subgraphs. CALL has no kernel, here or in TFLite. */
struct opt_call {
    uint32_t subgraph;
};
/* Runs the subgraph, which has no inputs, at the first inference only: converters put the filling of tables there. */
struct opt_call_once {
    int init_subgraph_index;
};
/* Input 0 is the condition, one BOOL; the others are the inputs of both subgraphs, whose outputs become the node's. The subgraphs'
 * output shapes may differ, so the node's are known only while running. */
struct opt_if {
    int then_subgraph_index, else_subgraph_index;
};
/* Both subgraphs take all inputs; `cond` returns one BOOL, `body` the inputs of the next iteration, of the same types. The node's
 * outputs are the values for which `cond` is false. The number of iterations is not limited. */
struct opt_while {
    int cond_subgraph_index, body_subgraph_index;
};
