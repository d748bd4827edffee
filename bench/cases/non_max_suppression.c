/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.c - cases of NON_MAX_SUPPRESSION_V4, NON_MAX_SUPPRESSION_V5. */
#include "bench/opcheck/opcheck.h"

static const float boxes[] = {
    1, 1, 0, 0,  0, 0.1f, 1, 1.1f,  0, -0.1f, 1, 0.9f,  0, 10, 1, 11,  0, 10.1f, 1, 11.1f,  0, 100, 1, 101,
};
static const float scores[] = {0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f};

#define F32_NUMBER(v) {TYPE_FLOAT32, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const float[]){v}}

#define SIX_BOXES                                                                                                     \
    {TYPE_FLOAT32, CASE_DIMS(6, 4), .fill = FILL_GIVEN, .data = boxes},                                               \
    {TYPE_FLOAT32, CASE_DIMS(6), .fill = FILL_GIVEN, .data = scores}
#define RUN_I32(v) {TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .data = (const int32_t[]){v}}
#define V4_OUT .out = { {TYPE_INT32}, {TYPE_INT32} }
#define V5_OUT .out = { {TYPE_INT32}, {TYPE_FLOAT32}, {TYPE_INT32} }

/* Equal scores: which box comes first follows from the queue of the C++ library that TensorFlow Lite is built with (score_heap.h).
   The boxes of TIES are apart from each other. */
#define APART4(y) 0, y, 1, (y) + 1,  2, y, 3, (y) + 1,  4, y, 5, (y) + 1,  6, y, 7, (y) + 1
static const float apart[] = { APART4(0), APART4(2), APART4(4), APART4(6), APART4(8), APART4(10) };
#define HALF8 .5f, .5f, .5f, .5f, .5f, .5f, .5f, .5f
static const float equal[] = { HALF8, HALF8, HALF8 };
static const float best_first[] = { .9f, .5f, .5f };
static const float in_groups[] = { .5f, .25f, .5f, .75f, .75f, .25f, .5f, .75f, .5f, .25f, .25f, .75f, .75f, .5f, .5f, .25f, .5f,
    .75f, .5f, .25f, .75f, .75f, .25f };
#define TIES(n, scores_) {TYPE_FLOAT32, CASE_DIMS(n, 4), .fill = FILL_GIVEN, .data = apart}, \
    {TYPE_FLOAT32, CASE_DIMS(n), .fill = FILL_GIVEN, .data = scores_}
#define GROUPED8(a, b, c) a, b, b, c, a, c, c, b
/* Many boxes of few scores, anywhere: whatever bounds the GPU's queue, memory that a workgroup shares or passes through loops, some of
   these are on either side of it. */
#define EIGHTHS GROUPED8(.25f, .5f, .75f), GROUPED8(.375f, .5f, .625f), GROUPED8(.75f, .25f, .5f), GROUPED8(.5f, .875f, .25f), \
    GROUPED8(.5f, .5f, .75f)
#define TEN_TIMES(x) x, x, x, x, x, x, x, x, x, x
static const float eighths[] = { TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS),
    TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS), TEN_TIMES(EIGHTHS) };
#define ANYWHERE(n) F32_IN(0, 1, n, 4), {TYPE_FLOAT32, CASE_DIMS(n), .fill = FILL_GIVEN, .data = eighths}
#define ANYWHERE_EQUAL(n) F32_IN(0, 1, n, 4), F32_IN(0.5f, 0.5f, n)
#define IN_GROUPS_V4(n, most) { #n " boxes in groups", V4_OUT, .in = { ANYWHERE(n), I32_SCALAR(most), F32_NUMBER(0.3f), F32_NUMBER(0) } }
/* Soft suppression leaves equal scores where overlaps are equal: of 66 columns of 64 boxes each one is half over the next. */
#define IN_COLUMN(c, r) 0.5f * (r), 2 * (c), 0.5f * (r) + 1, 2 * (c) + 1
#define IN_COLUMN4(c, r) IN_COLUMN(c, r), IN_COLUMN(c, (r) + 1), IN_COLUMN(c, (r) + 2), IN_COLUMN(c, (r) + 3)
#define IN_COLUMN16(c, r) IN_COLUMN4(c, r), IN_COLUMN4(c, (r) + 4), IN_COLUMN4(c, (r) + 8), IN_COLUMN4(c, (r) + 12)
#define COLUMN(c) IN_COLUMN16(c, 0), IN_COLUMN16(c, 16), IN_COLUMN16(c, 32), IN_COLUMN16(c, 48)
#define COLUMNS6(c) COLUMN(c), COLUMN((c) + 1), COLUMN((c) + 2), COLUMN((c) + 3), COLUMN((c) + 4), COLUMN((c) + 5)
static const float columns[] = { COLUMNS6(0), COLUMNS6(6), COLUMNS6(12), COLUMNS6(18), COLUMNS6(24), COLUMNS6(30), COLUMNS6(36),
    COLUMNS6(42), COLUMNS6(48), COLUMNS6(54), COLUMNS6(60) };
#define IN_COLUMNS(n) {TYPE_FLOAT32, CASE_DIMS(n, 4), .fill = FILL_GIVEN, .data = columns}
#define SOFT(most) I32_SCALAR(most), F32_NUMBER(0.9f), F32_NUMBER(0.2f), F32_NUMBER(0.4f)
#define IN_GROUPS_V5(n, most) { #n " boxes in groups, " #most " chosen softly", V5_OUT, \
    .in = { IN_COLUMNS(n), {TYPE_FLOAT32, CASE_DIMS(n), .fill = FILL_GIVEN, .data = eighths}, SOFT(most) } }
/* 300 scores of which no two are equal, as halves neither. */
#define SCORE(i) ((i) * 211 % 512 / 512.0f)
#define SCORES5(i) SCORE(i), SCORE((i) + 1), SCORE((i) + 2), SCORE((i) + 3), SCORE((i) + 4)
#define SCORES25(i) SCORES5(i), SCORES5((i) + 5), SCORES5((i) + 10), SCORES5((i) + 15), SCORES5((i) + 20)
#define SCORES100(i) SCORES25(i), SCORES25((i) + 25), SCORES25((i) + 50), SCORES25((i) + 75)
static const float distinct[] = { SCORES100(1), SCORES100(101), SCORES100(201) };
#define MANY F32_IN(0, 1, 300, 4), {TYPE_FLOAT32, CASE_DIMS(300), .fill = FILL_GIVEN, .data = distinct}
#define EQUAL_V4(n) { #n " equal scores", V4_OUT, .in = { TIES(n, equal), I32_SCALAR(n), F32_NUMBER(0.5f), F32_NUMBER(0.1f) } }
#define EQUAL_V5(n) { #n " equal scores, soft", V5_OUT, \
    .in = { TIES(n, equal), I32_SCALAR(n), F32_NUMBER(0.5f), F32_NUMBER(0.1f), F32_NUMBER(0.5f) } }
#define EQUAL_SCORES(V) V(1), V(2), V(3), V(4), V(5), V(6), V(7), V(8), V(9), V(10), V(11), V(12), V(13), V(14), V(15), V(16), \
    V(17), V(18), V(19), V(20)

const struct op_case nms_v4_cases[] = {
    { "three of them", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "by score", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0.4f) } },
    { "at most two", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(2), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "more than there are", V4_OUT, .in = { SIX_BOXES, I32_SCALAR(30), F32_NUMBER(0.99f), F32_NUMBER(0) } },
    { "random boxes", V4_OUT, .in = { F32_IN(0, 1, 40, 4), F32_IN(0, 1, 40), I32_SCALAR(40), F32_NUMBER(0.3f), F32_NUMBER(0.1f) } },
    { "300 boxes", V4_OUT, .in = { MANY, I32_SCALAR(50), F32_NUMBER(0.3f), F32_NUMBER(0.1f) } },
    EQUAL_SCORES(EQUAL_V4),
    { "equal scores after a better one", V4_OUT, .in = { TIES(3, best_first), I32_SCALAR(3), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "scores in groups", V4_OUT, .in = { TIES(23, in_groups), I32_SCALAR(23), F32_NUMBER(0.5f), F32_NUMBER(0) } },
    { "scores in groups, random boxes", V4_OUT, .in = { ANYWHERE(40), I32_SCALAR(40), F32_NUMBER(0.3f), F32_NUMBER(0) } },
    IN_GROUPS_V4(900, 40), IN_GROUPS_V4(1400, 40), IN_GROUPS_V4(2100, 200), IN_GROUPS_V4(4400, 40),
    { "1400 equal scores", V4_OUT, .in = { ANYWHERE_EQUAL(1400), I32_SCALAR(1400), F32_NUMBER(0.3f), F32_NUMBER(0.1f) } },
    { "4400 equal scores", V4_OUT, .in = { ANYWHERE_EQUAL(4400), I32_SCALAR(1000), F32_NUMBER(0.3f), F32_NUMBER(0.1f) } },
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
    { "soft, 300 boxes", V5_OUT,
      .in = { MANY, I32_SCALAR(20), F32_NUMBER(0.8f), F32_NUMBER(0.3f), F32_NUMBER(0.2f) } },
    EQUAL_SCORES(EQUAL_V5),
    { "scores in groups, soft", V5_OUT,
      .in = { TIES(23, in_groups), I32_SCALAR(23), F32_NUMBER(0.5f), F32_NUMBER(0), F32_NUMBER(0.5f) } },
    { "scores in groups, hard, random boxes", V5_OUT,
      .in = { ANYWHERE(40), I32_SCALAR(40), F32_NUMBER(0.6f), F32_NUMBER(0.2f), F32_NUMBER(0) } },
    { "scores in groups, soft, random boxes", V5_OUT,
      .in = { ANYWHERE(40), I32_SCALAR(40), F32_NUMBER(0.9f), F32_NUMBER(0.2f), F32_NUMBER(0.4f) } },
    IN_GROUPS_V5(100, 10), IN_GROUPS_V5(200, 10), IN_GROUPS_V5(400, 20), IN_GROUPS_V5(1400, 6), IN_GROUPS_V5(4200, 3),
    IN_GROUPS_V5(4200, 60),
    { "1400 equal scores, soft", V5_OUT, .in = { IN_COLUMNS(1400), F32_IN(0.5f, 0.5f, 1400), SOFT(9) } },
    { "number known while running", V5_OUT, .in = { SIX_BOXES, RUN_I32(5), F32_NUMBER(0.5f), F32_NUMBER(0.4f), F32_NUMBER(0) } },
    { "negative sigma", V5_OUT, .in = { SIX_BOXES, I32_SCALAR(6), F32_NUMBER(0.5f), F32_NUMBER(0), F32_NUMBER(-1) }, .fails = "sigma is -1" },
    { 0 }
};
