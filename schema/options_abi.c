/* SPDX-License-Identifier: Apache-2.0 */
/* options_abi.c - holds the option structs to the layout of TFLite's C ABI; a mismatch does not compile.
 *
 * Every struct of the ABI is listed: ABI rows by total size, ABI_PREFIX rows (where ours has members of its own after the
 * end) by the offset of the first of those, AT rows for members whose place the size alone would not pin down. Structs
 * whose padding depends on the width of a pointer are checked on 64-bit machines. */
#include "schema/options.h"

#define ABI(s, bytes)                _Static_assert(sizeof(struct opt_##s) == (bytes), #s)
#define ABI_PREFIX(s, member, bytes) _Static_assert(offsetof(struct opt_##s, member) == (bytes), #s)
#define AT(s, member, bytes)         _Static_assert(offsetof(struct opt_##s, member) == (bytes), #s "." #member)

_Static_assert(sizeof(enum activation) == 4 && sizeof(enum padding) == 4, "enums are ints");
_Static_assert(sizeof(bool) == 1, "bool is a byte");

ABI(conv_2d, 28);
AT(conv_2d, activation, 12);
AT(conv_2d, dilation_width_factor, 16);
AT(conv_2d, quantized_bias_type, 24);
ABI(conv_3d, 32);
AT(conv_3d, stride_depth, 12);
AT(conv_3d, dilation_width_factor, 16);
AT(conv_3d, activation, 28);
ABI(pool_2d, 40);
AT(pool_2d, filter_width, 12);
AT(pool_2d, activation, 20);
AT(pool_2d, computed, 24);
ABI(depthwise_conv_2d, 28);
AT(depthwise_conv_2d, depth_multiplier, 12);
AT(depthwise_conv_2d, activation, 16);
AT(depthwise_conv_2d, dilation_width_factor, 20);
ABI(transpose_conv, 20);
AT(transpose_conv, activation, 12);
ABI(svdf, 12);
ABI(rnn, 8);
ABI(sequence_rnn, 12);
AT(sequence_rnn, activation, 4);
ABI(bidirectional_sequence_rnn, 12);
AT(bidirectional_sequence_rnn, merge_outputs, 8);
AT(bidirectional_sequence_rnn, asymmetric_quantize_inputs, 9);
AT(fully_connected, keep_num_dims, 8);
AT(fully_connected, asymmetric_quantize_inputs, 9);
AT(fully_connected, quantized_bias_type, 12);
ABI(lsh_projection, 4);
ABI(softmax, 4);
ABI(concatenation, 8);
AT(concatenation, activation, 4);
ABI(add, 8);
ABI(sub, 8);
ABI(batch_matmul, 3);
ABI(mul, 4);
ABI(div, 4);
ABI(l2_norm, 4);
ABI(local_response_normalization, 16);
ABI(lstm, 20);
AT(lstm, kernel_type, 12);
AT(lstm, asymmetric_quantize_inputs, 16);
ABI(unidirectional_sequence_lstm, 16);
AT(unidirectional_sequence_lstm, time_major, 12);
AT(unidirectional_sequence_lstm, diagonal_recurrent_tensors, 14);
ABI(bidirectional_sequence_lstm, 16);
AT(bidirectional_sequence_lstm, merge_outputs, 12);
AT(bidirectional_sequence_lstm, time_major, 13);
ABI(resize_bilinear, 2);
ABI(resize_nearest_neighbor, 2);
ABI(reshape, 36);
ABI(skip_gram, 12);
ABI(space_to_depth, 4);
ABI(depth_to_space, 4);
ABI(cast, 8);
ABI(embedding_lookup_sparse, 4);
ABI(gather, 8);
ABI(reducer, 1);
ABI(split, 4);
ABI(split_v, 4);
ABI(squeeze, 36);
ABI(strided_slice, 24);
AT(strided_slice, offset, 20);
ABI(arg_max, 4);
ABI(arg_min, 4);
ABI(sparse_to_dense, 1);
ABI(shape, 4);
ABI(fake_quant, 16);
ABI(pack, 8);
ABI(one_hot, 4);
ABI(unpack, 8);
ABI(leaky_relu, 4);
ABI(unique, 4);
ABI(reverse_sequence, 8);
ABI(mirror_pad, 4);
ABI(if, 8);
ABI(while, 8);
ABI(cumsum, 2);
ABI(call_once, 4);
ABI(hashtable, 12);
ABI(random, 8);
ABI(gelu, 1);
ABI(reduce_window, 4);
ABI(stablehlo_concatenate, 8);
ABI(stablehlo_rng_bit_generator, 4);
ABI(stablehlo_case, 84);
ABI_PREFIX(stablehlo_pad, num_edge_padding_low, 192);

#if UINTPTR_MAX == UINT64_MAX
ABI(fully_connected, 32);
AT(fully_connected, quant_spec, 16);
ABI(var_handle, 16);
ABI(bucketize, 16);
AT(bucketize, boundaries, 8);
ABI(stablehlo_composite, 32);
AT(stablehlo_composite, attributes, 16);
ABI_PREFIX(stablehlo_reduce_window, num_window_dimensions, 388);
AT(stablehlo_reduce_window, body_subgraph_index, 384);
ABI(stablehlo_gather, 296);
AT(stablehlo_gather, index_vector_dim, 216);
AT(stablehlo_gather, indices_are_sorted, 292);
ABI(stablehlo_scatter, 240);
AT(stablehlo_scatter, num_update_window_dims, 72);
AT(stablehlo_scatter, index_vector_dim, 224);
AT(stablehlo_scatter, unique_indices, 232);
AT(stablehlo_scatter, update_computation_subgraph_index, 236);
#endif
