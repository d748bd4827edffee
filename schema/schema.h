/* SPDX-License-Identifier: Apache-2.0 */
/* schema.h - the .tflite format (schema version 3) as data: operator codes, option kinds, enums.
 *
 * Nothing here reads a file. The numbers are TFLite's C ABI's; if the file uses others (padding, mirror mode, tensor types), the
 * field lists in options.c say so and the decoder maps them. */
#pragma once

#include <stdint.h>

/* BUILTIN_CONV_2D and so on, by their codes in the file: a row of builtin.def each. */
enum builtin {
#define BUILTIN(code, name, options) BUILTIN_##name = code,
#include "schema/builtin.def"
#undef BUILTIN
    BUILTIN_COUNT
};

/* The kinds of option tables: a row of options.def each. The file numbers them within two unions, which options.def gives. */
enum options_kind {
    OPTIONS_NONE = 0,
#define TABLE(union_, number, name, suffix) OPTIONS_##name,
#define EMPTY(union_, number, name)         OPTIONS_##name,
#include "schema/options.def"
#undef TABLE
#undef EMPTY
    OPTIONS_COUNT
};

/* The values in options, with the numbers of the C ABI: the loader refuses a file's number beyond the last of an enum. UNKNOWN is
 * the ABI's name for 0 if the file counts from its first real value: only options that are missing have it (padding, mirror_mode,
 * rng_algorithm), or a file that says so (lsh_projection). */

/* Applied to an operator's result: max(x, 0), min(max(x, -1), 1), min(max(x, 0), 6), tanh(x), 1 if the sign bit is set. SIGMOID
 * exists in the ABI only, no file can have it. kernels_cpu/quant/fused_activation.h lists the activations of each kernel. */
enum activation { ACT_NONE, ACT_RELU, ACT_RELU_N1_TO_1, ACT_RELU6, ACT_TANH, ACT_SIGN_BIT, ACT_SIGMOID };

/* Padding of windows; schema/options.h has the arithmetic. */
enum padding { PAD_UNKNOWN, PAD_SAME, PAD_VALID };

/* Mirroring without or with repetition of the edge itself. */
enum mirror_mode { MIRROR_UNKNOWN, MIRROR_REFLECT, MIRROR_SYMMETRIC };

/* SHUFFLED: weights of type UINT8 that hold INT8 values (zero point 128 is taken off), in blocks of 4 units x 16 inputs. */
enum fc_weights_format { FC_WEIGHTS_DEFAULT, FC_WEIGHTS_SHUFFLED_4X16_INT8 };

/* FULL has peepholes, projection and layer normalization if these tensors are given; BASIC is TensorFlow's BasicLSTMCell. */
enum lstm_kernel { LSTM_FULL, LSTM_BASIC };

/* Combination of the table rows in one bucket: their weighted sum; that divided by the sum of weights; that divided by the root of
 * the sum of squared weights. */
enum combiner { COMBINER_SUM, COMBINER_MEAN, COMBINER_SQRTN };

/* Result of LSH_PROJECTION from hash bits: one number for each function, or the bits. Its kernel refuses UNKNOWN. */
enum lsh_projection { LSH_UNKNOWN, LSH_SPARSE, LSH_DENSE };

/* Philox 4x32-10 and Threefry 2x32-20 (Salmon et al. 2011). DEFAULT is Philox, here and in TFLite. */
enum rng_algorithm { RNG_UNKNOWN, RNG_DEFAULT, RNG_PHILOX, RNG_THREEFRY };

/* Operation with which REDUCE_WINDOW combines a window. ALL and ANY take every number but 0 as true. */
enum reduce_window {
    REDUCE_WINDOW_UNSUPPORTED,
    REDUCE_WINDOW_ADD,
    REDUCE_WINDOW_MUL,
    REDUCE_WINDOW_MIN,
    REDUCE_WINDOW_MAX,
    REDUCE_WINDOW_ALL,
    REDUCE_WINDOW_ANY
};

/* Options of STABLEHLO_COMPARE, which has no kernel. TOTAL_ORDER is IEEE 754's, in which -0 < +0 and NaNs are ordered. */
enum comparison_direction { COMPARE_EQ, COMPARE_NE, COMPARE_GE, COMPARE_GT, COMPARE_LE, COMPARE_LT };
enum comparison_type { COMPARE_NO_TYPE, COMPARE_FLOAT, COMPARE_FLOAT_TOTAL_ORDER, COMPARE_SIGNED, COMPARE_UNSIGNED };

/* Return the name, "CONV_2D", or NULL for a code beyond the known ones. */
const char *builtin_name(int32_t code);

/* Return the kind of options of this operator; OPTIONS_NONE for operators without options and for unknown codes. */
enum options_kind builtin_options(int32_t code);
