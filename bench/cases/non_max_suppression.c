/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - cases of NON_MAX_SUPPRESSION_V4, NON_MAX_SUPPRESSION_V5. */
#include "../opcheck.h"

static const float boxes[] = {
    1, 1, 0, 0,  0, 0.1f, 1, 1.1f,  0, -0.1f, 1, 0.9f,  0, 10, 1, 11,  0, 10.1f, 1, 11.1f,  0, 100, 1, 101,
};
static const float scores[] = {0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f};

#define F32_NUMBER(v) {TYPE_FLOAT32, .rank = 0, .fill = FILL_GIVEN, .data = (const float[]){v}}

#define SIX_BOXES                                                                                                     \
    {TYPE_FLOAT32, CASE_DIMS(6, 4), .fill = FILL_GIVEN, .data = boxes},                                               \
    {TYPE_FLOAT32, CASE_DIMS(6), .fill = FILL_GIVEN, .data = scores}
#define RUN_I32(v) {TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .data = (const int32_t[]){v}}
#define V4_OUT .out = { {TYPE_INT32}, {TYPE_INT32} }
#define V5_OUT .out = { {TYPE_INT32}, {TYPE_FLOAT32}, {TYPE_INT32} }

const struct op_case nms_v4_cases[] = {
    { "three of them", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "by score", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0.4f) } },
    { "at most two", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(2), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "more than there are", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(30), F32_NUMBER(0.99f), F32_NUMBER(0) } },
    /* Which of equal scores comes first, and what NaN does, is left to the queue of the C++ library. */
    { "random boxes", .apart = "special values", V4_OUT, .in = { F32_IN(0, 1, 40, 4), F32_IN(0, 1, 40), I32_SCALAR(40), F32_NUMBER(0.3f), F32_NUMBER(0.1f) } },
    { "number known while running", V4_OUT,
      .in = { SIX_BOXES, RUN_I32(2), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "negative number", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(-1), F32_NUMBER(0.5f), F32_NUMBER(0) }, .fails = "number of outputs is -1" },
    { "scores missing", V4_OUT, .in = { F32(6, 4), F32(5), I32_SCALAR(1), F32_NUMBER(0.5f), F32_NUMBER(0) }, .fails = "5 scores" },
    { 0 }
};

const struct op_case nms_v5_cases[] = {
    { "hard", V5_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0.4f), F32_NUMBER(0) } },
    { "soft", V5_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(1), F32_NUMBER(0), F32_NUMBER(0.5f) } },
    { "soft, random boxes", V5_OUT,
      .in = { F32_IN(0, 1, 40, 4), F32_IN(0, 1, 40), I32_SCALAR(40), F32_NUMBER(0.8f), F32_NUMBER(0.3f), F32_NUMBER(0.2f) } },
    { "number known while running", V5_OUT, .in = { SIX_BOXES, RUN_I32(5), F32_NUMBER(0.5f), F32_NUMBER(0.4f), F32_NUMBER(0) } },
    { "negative sigma", V5_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0), F32_NUMBER(-1) }, .fails = "sigma is -1" },
    { 0 }
};
