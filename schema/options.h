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
#ifndef DELEGAUGE_SCHEMA_OPTIONS_H
#define DELEGAUGE_SCHEMA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
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
 * (the filter's channels) / (x's channels), which must divide. */
struct opt_depthwise_conv_2d {
    enum padding padding;
    int stride_width, stride_height;
    int depth_multiplier; /* redundant: the shapes say it; files may hold 0 */
    enum activation activation;
    int dilation_width_factor, dilation_height_factor; /* v2, default 1 */
};

/* TRANSPOSE_CONV: inputs are the output's shape, the filter [oc,kh,kw,ic], x and a bias [oc] or none. Strides are steps in the
 * output: it is the gradient of a CONV_2D that has x as its output, and padding is that convolution's. The shape is INT32[4] and
 * may be known only while running; its batch and channels must be x's and oc. */
struct opt_transpose_conv {
    enum padding padding;
    int stride_width, stride_height;
    enum activation activation; /* v4 */
    int quantized_bias_type;    /* v5, as for CONV_2D */
};

/* AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D (TfLitePoolParams). An average counts the elements within the input alone. The bytes of
 * this struct up to `computed` are also the options of MediaPipe's custom pooling operators. x has rank 4. No window of either
 * padding lies beside the input altogether, so that no average is one of nothing. */
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

/* FULLY_CONNECTED: y[...,units] = activation(x w^T + bias), w [units,depth]. SHUFFLED weights have a second output. The elements of
 * x are rows of `depth`, wherever its dimensions lie; with keep_num_dims the last one must be `depth`. A number of elements that is
 * no multiple, or a bias of another length than `units`, is ST_BAD_MODEL. */
struct opt_fully_connected {
    enum activation activation;
    enum fc_weights_format weights_format; /* v2 */
    bool keep_num_dims;                    /* v5: keeps the rank of x; else y is [elements of x / depth, units] */
    bool asymmetric_quantize_inputs;       /* v7 */
    int quantized_bias_type;               /* v11, as for CONV_2D */
    const uint8_t *quant_spec;             /* flexbuffer, or NULL; not read here */
    int quant_spec_size;                   /* bytes */
};
/* BATCH_MATMUL: y = x0 x1 over the last two dimensions, the others broadcast. adj_x, adj_y: the last two dimensions of that operand
 * are exchanged first (nothing is conjugated). Operands of rank 0 and 1 are ST_BAD_MODEL, as are inner lengths that differ. */
struct opt_batch_matmul {
    bool adj_x, adj_y, asymmetric_quantize_inputs; /* the last: v4 */
};
/* SVDF, one step: x [batch,n], feature weights [filters,n], time weights [filters,memory], bias [filters / rank] or none, state
 * [batch,filters * memory] (a variable). Each `rank` filters in a row add up to one output, so that `rank` divides them. INT8 is
 * rescaled twice, to the state and to the output, and needs ACT_RELU, as in TFLite: another is ST_UNSUPPORTED. */
struct opt_svdf {
    int rank;
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v4 */
};
/* RNN, one step: y = h' = activation(W x + R h + bias). Inputs: x [batch,n], W [units,n], R [units,units], bias [units], h
 * [batch,units] (a variable). Weights are both float or both of 8 bits, with x float in either case. */
struct opt_rnn {
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v3 */
};
/* UNIDIRECTIONAL_SEQUENCE_RNN: the same for each step. time_major, here and below: x is [time,batch,c], else [batch,time,c]; y
 * likewise. */
struct opt_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool asymmetric_quantize_inputs; /* v3 */
};
/* BIDIRECTIONAL_SEQUENCE_RNN: x, then W, R, bias and state of the forward cell and of the backward one, then an auxiliary input and
 * its two weights, which may be left out. merge_outputs, here and below: forward and backward stand side by side in output 0, along
 * the last dimension; else the backward one has output 1. The auxiliary input must have x's shape (another is ST_UNSUPPORTED),
 * since TFLite's kernel reads it by the width of x. */
struct opt_bidirectional_sequence_rnn {
    bool time_major;
    enum activation activation;
    bool merge_outputs, asymmetric_quantize_inputs; /* the last: v3 */
};
/* LSTM, one step. LSTM_FULL has 20 inputs: x, weights of the input, forget, cell and output gate, their recurrent weights,
 * peepholes of all but the cell gate, four biases, projection weights and bias, output and cell state (variables); 24 with the four
 * of layer normalization. LSTM_BASIC has 5 and 4 outputs (kernels_cpu/recurrent/lstm_basic.c). Clips bound |cell| and |projection|,
 * in real units also if these are quantized. Sizes follow from the forget gate: [cells,n] and [cells,outputs]; the input gate may
 * be left out (then it is 1 - forget gate). */
struct opt_lstm {
    enum activation activation;
    float cell_clip, proj_clip;      /* 0: no clipping */
    enum lstm_kernel kernel_type;    /* v2 */
    bool asymmetric_quantize_inputs; /* v4 */
};
/* UNIDIRECTIONAL_SEQUENCE_LSTM: the inputs of LSTM_FULL. asymmetric_quantize_inputs: v3. diagonal_recurrent_tensors (v4): recurrent
 * weights are vectors, a unit hears itself alone; of an integer LSTM they are ST_UNSUPPORTED. */
struct opt_unidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip; /* as above */
    bool time_major, asymmetric_quantize_inputs, diagonal_recurrent_tensors;
};
/* BIDIRECTIONAL_SEQUENCE_LSTM: 48 inputs (kernels_cpu/recurrent/lstm.c). time_major: v2, default true, unlike all
 * the others', since v1 had no other order. asymmetric_quantize_inputs: v3. */
struct opt_bidirectional_sequence_lstm {
    enum activation activation;
    float cell_clip, proj_clip; /* of either direction */
    bool merge_outputs, time_major, asymmetric_quantize_inputs;
};

/* Arithmetic, normalization, reduction. Two inputs broadcast as in NumPy; shapes that do not are ST_BAD_MODEL. Integers wrap
 * around, quantized results saturate at the ends of their type. */

/* Of quantized tensors a fused activation cuts the result in real units. pot_scale_int16 of ADD (v3) and SUB (v5): INT16 by shifts,
 * if all scales are powers of two and zero points 0. Default true: files from before the member are of that kind. Complex numbers
 * have no activation: one is ST_BAD_MODEL, here and below. */
struct opt_add {
    enum activation activation;
    bool pot_scale_int16;
};
struct opt_sub {
    enum activation activation;
    bool pot_scale_int16;
};
/* Quantized products need no shifts. */
struct opt_mul {
    enum activation activation;
};
/* An integer, or a quantized value, divided by zero is ST_FAILED while running. */
struct opt_div {
    enum activation activation;
};
/* L2_NORMALIZATION over the last dimension, which a scalar lacks (ST_BAD_MODEL). TFLite has no fused activation here; another than
 * ACT_NONE is ST_UNSUPPORTED. An 8-bit output has scale 1/128 and its zero point in the middle: 0, or 128 of UINT8. */
struct opt_l2_norm {
    enum activation activation;
};
/* y = x / (bias + alpha * sum of x^2) ^ beta over channels from c - radius up to, not including, c + radius: TFLite's kernel has
 * one neighbour less on that side than TensorFlow's definition. x has rank 4. (TfLiteLocalResponseNormParams) */
struct opt_local_response_normalization {
    int radius;
    float bias, alpha, beta;
};
/* y = exp(beta * x) / sum of these along the last dimension. Converters write beta = 1; without options it is 0. Of quantized x,
 * beta times its scale must be a factor that fixed point can say (kernels_cpu/quant/fixed_point.h), else ST_BAD_MODEL. */
struct opt_softmax {
    float beta;
};
/* y = x if x >= 0, else alpha * x. */
struct opt_leaky_relu {
    float alpha;
};
/* y = x * P(X <= x) of the standard normal distribution. approximate: by tanh, else by erf. */
struct opt_gelu {
    bool approximate;
};
/* SUM, MEAN, REDUCE_PROD, _MAX, _MIN, _ANY, _ALL: keep_dims leaves the reduced dimensions, of length 1. Which they are is input 1:
 * negative ones count from the end, one that is named twice counts once, none named reduces nothing. */
struct opt_reducer {
    bool keep_dims;
};
/* y[i] = sum of x[0..i] along the axis in input 1; exclusive: without x[i], so that the first is 0; reverse: from the end. FLOAT32,
 * and INT32 and INT64, which wrap around. */
struct opt_cumsum {
    bool exclusive, reverse;
};
/* The axis is input 1; an empty one is ST_BAD_MODEL. Of equal elements the first counts. output_type: INT32 or INT64; redundant,
 * the output tensor has it. */
struct opt_arg_max {
    int output_type;
};
struct opt_arg_min {
    int output_type;
};
/* Both redundant: the tensors say it. Older files have no options at all. */
struct opt_cast {
    int in_data_type, out_data_type;
};
/* y = round((clamp(x, min, max) - min) / scale) * scale + min, with scale = (max - min) / (the number of steps). min <= 0 <= max,
 * which move a little so that 0 is one of the 2^num_bits values; num_bits from 2 to 16. narrow_range (v2) leaves out the lowest of
 * them. Another range, one of length 0 or infinite, or another number of bits is ST_BAD_MODEL. */
struct opt_fake_quant {
    float min, max;
    int num_bits;
    bool narrow_range;
};
/* boundaries[num_boundaries], ascending, equal ones allowed; others, and NaN, are ST_BAD_MODEL. y = how many of them are not above
 * x. */
struct opt_bucketize {
    int num_boundaries;
    const float *boundaries;
};
/* RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL. int64 in the file; TFLite too keeps the low 32 bits. Both 0: TFLite draws a
 * seed, here it is 0. Input 0 is the shape, INT32[rank]; of MULTINOMIAL the logits, FLOAT32[batch,classes], and input 1 the number
 * of samples, one INT32. */
struct opt_random {
    int seed, seed2;
};
/* REDUCE_WINDOW, deprecated in the schema. reduce_function: enum reduce_window; UNSUPPORTED is refused. Inputs: x, the initial
 * value (one element), and as INT64 with an entry per dimension: window lengths, strides, dilations. There is no padding. */
struct opt_reduce_window {
    int reduce_function;
};

/* Moving data. axis, here and below: negative counts from the end. */

/* CONCATENATION. Inputs differ along the axis alone; the result is as long there as all of them together. An activation fused into
 * one of integers is refused, as in TFLite. INT8 inputs have the output's scale and zero point (ST_BAD_MODEL: they do not), UINT8
 * ones are rescaled. */
struct opt_concatenation {
    int axis;
    enum activation activation;
};
/* The new shape, one entry may be -1 for the rest; not used if input 1 is a vector of INT32, the newer form. A single 0 is how old
 * converters wrote a scalar. Two -1, other negative numbers, and a shape of another number of elements are ST_BAD_MODEL. */
struct opt_reshape {
    int32_t shape[OPTIONS_MAX_DIMS];
    int num_dimensions;
};
/* The dimensions of length 1 that go, negative ones counted from the end; none named: all of length 1. One of another length, or
 * more than TENSOR_MAX_RANK of them, is ST_BAD_MODEL. */
struct opt_squeeze {
    int32_t squeeze_dims[OPTIONS_MAX_DIMS];
    int num_squeeze_dims;
};
/* The new size is input 1, [height,width] (in the first files fields 0 and 1, which nothing reads any more). Output pixel i lies at
 * i * scale of the input, scale = in / out, or (in - 1) / (out - 1) with align_corners, so that the corners' centres meet; with
 * half_pixel_centers (v3) at (i + 0.5) * scale - 0.5. NEAREST takes the floor of it (without the - 0.5), with align_corners the
 * nearest, halves up. Not both flags in RESIZE_BILINEAR. x has rank 4 and pixels, and both sizes are above 0: else ST_BAD_MODEL. */
struct opt_resize_bilinear {
    bool align_corners, half_pixel_centers;
};
struct opt_resize_nearest_neighbor {
    bool align_corners, half_pixel_centers;
};
/* A block of s x s pixels becomes one pixel's channels, row by row: y[b,h,w,(i * s + j) * c + k] = x[b,h * s + i,w * s + j,k].
 * DEPTH_TO_SPACE the other way round. s is at least 1 and divides height and width, or s * s the channels; x has rank 4. */
struct opt_space_to_depth {
    int block_size;
};
struct opt_depth_to_space {
    int block_size;
};
/* y = x with dimension `axis` replaced by the dimensions of the indices, input 1: [x up to axis, indices from batch_dims on, x
 * after axis]. The first batch_dims (v5) dimensions of both go together and are of equal length, up to the axis at most; negative:
 * from the end of the indices' shape. An index that x does not have is ST_FAILED while running, not clamped. */
struct opt_gather {
    int axis, batch_dims;
};
/* The number of outputs. SPLIT: equal parts of input 1 along the axis that input 0 says. SPLIT_V: parts of input 0 along the axis
 * that input 2 says, with the lengths in input 1, one of which may be -1 for the rest. The node must have as many outputs, and
 * parts that do not make up the axis are ST_BAD_MODEL. */
struct opt_split {
    int num_splits;
};
struct opt_split_v {
    int num_splits;
};
/* values_count: the number of inputs, of one shape; axis: that of the new dimension, counted in the output. Inputs of rank
 * TENSOR_MAX_RANK cannot grow: ST_UNSUPPORTED. */
struct opt_pack {
    int values_count, axis;
};
/* num: the number of outputs, and the length of the dimension `axis` of the input, which goes. */
struct opt_unpack {
    int num, axis;
};
/* axis of the new dimension, counted in the output; -1: the last. Its length, and the values for on and off, are inputs 1, 2
 * and 3. */
struct opt_one_hot {
    int axis;
};
/* REFLECT leaves out the edge itself, SYMMETRIC repeats it: 1 2 3 padded by two on either side is 3 2 1 2 3 2 1, or 2 1 1 2 3 3 2.
 * Input 1 has the paddings, [rank,2], none negative; longer ones than a dimension, or with REFLECT than one less, are ST_BAD_MODEL.
 * (TfLiteMirrorPaddingParams) */
struct opt_mirror_pad {
    enum mirror_mode mode;
};
/* Turns around, along seq_dim, the first elements of each index of batch_dim: as many as input 1 says for it. The two differ and
 * are not negative. Input 1 is INT32 or INT64, one length per index; a negative one is 0, one that is too long ST_FAILED while
 * running. */
struct opt_reverse_sequence {
    int seq_dim, batch_dim;
};
/* INT32 or INT64; redundant like output_type above. The default of index_out_type is INT32. UNIQUE takes a vector; its second
 * output says for each element which of the first output's it is. */
struct opt_shape {
    int out_type;
};
struct opt_unique {
    int index_out_type;
};
/* Not read here: indices are always checked against the shape, never for their order. */
struct opt_sparse_to_dense {
    bool validate_indices;
};

/* x[begin:end:strides], inputs 1 to 3, with negative numbers from the end as in Python. Masks have bit i for entry i of these: its
 * begin does not count, its end does not count, it stands for all dimensions not named (at most one bit), it is a new dimension of
 * 1, its dimension vanishes and begin is the index taken. TensorFlow's StridedSlice has the whole rule. The three are vectors of
 * one length, at most 31; a stride of 0, more than one ellipsis, and more entries than dimensions are ST_BAD_MODEL. */
struct opt_strided_slice {
    int begin_mask, end_mask, ellipsis_mask, new_axis_mask, shrink_axis_mask;
    bool offset; /* v8: `end` counts from `begin` */
};

/* Text, tables, variables, control flow. */

/* The input is one string. Groups of ngram_size words (or, with include_all_ngrams, up to it) with at most max_skip_size left out
 * between two. ngram_size is from 1 to 1000, max_skip_size not negative. */
struct opt_skip_gram {
    int ngram_size, max_skip_size;
    bool include_all_ngrams;
};
/* Input 0 is hash functions x bits (at most 32), FLOAT32 seeds; input 1 has rows, which input 2, if it is there, weights. DENSE:
 * one output per bit; SPARSE: one number per hash function. Other types are ST_BAD_MODEL. */
struct opt_lsh_projection {
    enum lsh_projection type;
};
/* Rows of a table (input 4), by ids (input 0), weighted (input 3) and added by bucket, which the indices (input 1) name. SUM is
 * that; MEAN divides by the sum of weights; SQRTN by the root of the sum of their squares. An id that the table does not have, and
 * an index beyond the dense shape (input 2), are ST_FAILED while running. */
struct opt_embedding_lookup_sparse {
    enum combiner combiner;
};
/* TFLite has no kernel for it, nor have we, and the ABI no struct. Both lists have num_channels entries. */
struct opt_concat_embeddings {
    int num_channels;
    uint32_t n_num_columns_per_channel, n_embedding_dim_per_channel;
    const int32_t *num_columns_per_channel, *embedding_dim_per_channel;
};
/* HASHTABLE, whose output is a RESOURCE that the other HASHTABLE_ operators take. Tables of one table_id are the same in all
 * subgraphs. Keys and values: INT64 and STRING or the other way round; other types are ST_UNSUPPORTED. Looking up a table that
 * nothing has filled is ST_BAD_MODEL. */
struct opt_hashtable {
    int table_id, key_dtype, value_dtype;
};
/* VAR_HANDLE, whose output is a RESOURCE for READ_ and ASSIGN_VARIABLE. Variables of the same container and name are the same in
 * all subgraphs. NULL if the file has none, as good as "". Reading one that nothing was assigned to, or that holds another type or
 * shape than the reader's output, is ST_BAD_MODEL. */
struct opt_var_handle {
    const char *container, *shared_name;
};

/* Indices in model.subgraphs, here and below. CALL has no kernel, here or in TFLite. */
struct opt_call {
    uint32_t subgraph;
};
/* Runs that subgraph, which has no inputs, at the first inference alone: converters keep the filling of tables there. */
struct opt_call_once {
    int init_subgraph_index;
};
/* Input 0 is the condition, one BOOL; the others are the inputs of either subgraph, whose outputs are the node's. Their shapes may
 * differ, so they are known only while running. */
struct opt_if {
    int then_subgraph_index, else_subgraph_index;
};
/* Both take all inputs; `cond` gives one BOOL, `body` the inputs of the next round, of the same types. The node has as many outputs
 * as inputs: the values for which `cond` said no. Nothing bounds the rounds. */
struct opt_while {
    int cond_subgraph_index, body_subgraph_index;
};

#endif
