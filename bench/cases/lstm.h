/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.h - weights and states of a cell of 7, as the cases of one and of two directions take them. */
#ifndef DELEGAUGE_BENCH_CASES_LSTM_H
#define DELEGAUGE_BENCH_CASES_LSTM_H

#include "bench/opcheck/opcheck.h"

/* A variable tensor: state. */
#define STATE(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .variable = true}

/* Weights of three or four gates: batch 2, 5 inputs, 7 cells, 3 or 7 outputs. */
#define GATES4(cols) CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define GATES3(cols) OMITTED, CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define BIAS4 CONST_F32(7), CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define BIAS3 OMITTED, CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define NONE3 OMITTED, OMITTED, OMITTED

/* The same with 8-bit weights. */
#define W8(...) CONST_QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define W8_4(cols) W8(7, cols), W8(7, cols), W8(7, cols), W8(7, cols)

/* And made at run time. */
#define MADE8(...) QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define MADE8_4(cols) MADE8(7, cols), MADE8(7, cols), MADE8(7, cols), MADE8(7, cols)

#endif
