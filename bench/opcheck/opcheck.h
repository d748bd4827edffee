/* SPDX-License-Identifier: Apache-2.0 */
/* opcheck.h - per-op test cases: one description, checked on CPU and GPU and timed by the same harness.
 *
 * A case is built into a real single-op .tflite in memory by the model writer and runs through loader, graph and session like
 * any model. Its golden outputs (testdata/golden/<kernel>.txt) were made by TFLite's reference kernels
 * (scripts/reference/golden.py); integer outputs must equal them, float outputs stay within `tol`. Random content comes from a
 * seeded generator, so that every machine sees the same bytes.
 *
 *   const struct op_case conv_cases[] = {
 *       { "3x3 stride 2, odd edges", .opt = &(struct opt_conv_2d){ PAD_SAME, 2, 2, ACT_RELU, 1, 1 },
 *         .in = { F32(1, 9, 7, 4), CONST_F32(8, 3, 3, 4), CONST_F32(8) } },
 *       { 0 }
 *   };
 */
#pragma once

#include "lib/graph/graph.h"

struct builder;

/* The content of a case's tensor. */
enum fill {
    FILL_UNIFORM, /* floats in [lo, hi) (default -1..1), integers over lo..hi inclusive (default: 0..9 for 32 and 64 bits,
                     the full range for 8 and 16), bool 0/1 */
    FILL_SPECIAL, /* floats: NaN, infinities, zeros of both signs, subnormals, huge values among uniform ones;
                     integers: the extremes among uniform ones */
    FILL_POWERS,  /* floats of both signs, of magnitudes from 2 to the power of lo to below 2 to that of hi, all exponents alike */
    FILL_GIVEN,   /* `data` */
};

/* One operand. Members that are 0 have their usual value. */
struct case_tensor {
    enum tensor_type type; /* TYPE_NONE: no tensor (an omitted optional input, if others follow) */
    int32_t rank, dim[TENSOR_MAX_RANK];
    enum fill fill;
    double lo, hi;    /* both 0: the default range */
    bool whole;       /* uniform floats are rounded down to whole numbers, so that some are equal */
    bool constant;    /* stored in the model */
    bool variable;    /* a variable tensor: state, zero at first */
    const void *data; /* FILL_GIVEN: elements; always for TYPE_STRING: an array of `const char *` */
    float scale;      /* > 0: quantized per tensor */
    int64_t zero_point;
    const float *scales; /* quantized per channel: [dim[channel_dim]], with zero points 0 */
    int32_t channel_dim;
};

/* One case; `<kernel>_cases` lists those of a kernel. Names are unique within the list. */
struct op_case {
    const char *name;           /* NULL ends the list */
    const void *opt;            /* struct opt_* of the operator; NULL: its defaults */
    int32_t version;            /* 0: version 1 */
    struct case_tensor in[48];  /* up to the last one with a type; TYPE_NONE before it is an omitted (-1) input */
    uint32_t n_in;              /* number of inputs, the last ones omitted; 0: up to the last one with a type */
    struct case_tensor mid[12]; /* intermediate tensors, up to the first one without a type */
    struct case_tensor out[4];  /* none: one output with in[0]'s type and quantization */
    /* Instead of the one op: puts a whole model together (several ops or subgraphs, sparse or blockwise weights). Its inputs
       are the in[] that are neither constant nor variable; opt, mid and out are not used. See bench/models/builder.h. */
    void (*build)(struct builder *b);
    const char *flex;   /* options of a custom operator as text (flex_text.h) */
    const void *custom; /* options of a custom operator as bytes */
    size_t n_custom;
    double tol;                   /* relative to max|golden| (compare.h); 0: 1e-5 */
    double gpu_tol, gpu_tol_fp16; /* relative to max|CPU's result|; 0: 1e-4 and 4e-3 (hybrid: 2e-2) */
    double typical; /* > 0: outputs are sums of random terms of both signs, of this magnitude on average; tolerances are parts of it
                       if the terms of one seed happen to cancel */
    bool large;     /* beyond every tile, panel and thread split: plain loops against fast ones on the CPU alone, on
                       several seeds; without golden outputs and variants */
    bool no_golden; /* TFLite cannot run it, or the output is too large for text; say which in the name */
    const char *skip_golden; /* variants (variant.h) whose name has this, or one of several texts with | between, are not held
                                against TFLite; a comment says why */
    const char *fails;       /* the case must be refused, with a message that contains this */
    uint32_t runs;           /* runs before the comparison, for state; 0: one */
    const char *gpu_ways; /* in which the GPU runs it, too, with the mode `variants`, one after each space: the variant of a kernel
                             to be taken ("chain:apart", as --gpu_variant has it), or "dynamic_batch" (gpu_options) */
};

/* Rank and dimensions of a shape that is not a scalar's. */
#define CASE_DIMS(...) .rank = sizeof((int32_t[]){__VA_ARGS__}) / 4, .dim = {__VA_ARGS__}
/* F32(1, 9, 7, 4): an input of that type and shape, uniform content. CONST_ before the name: stored in the model; TENSOR and CONST
 * take the type, QUANT and CONST_QUANT scale and zero point after it, F32_IN the bounds of the content, F32_POWERS those of its
 * exponents, SPECIAL fills with special values. */
#define F32(...)                                                                                                                   \
    {                                                                                                                              \
        TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__)                                                                                       \
    }
#define F32_SCALAR                                                                                                                 \
    {                                                                                                                              \
        TYPE_FLOAT32, .rank = 0                                                                                                    \
    }
#define SPECIAL(type_, ...)                                                                                                        \
    {                                                                                                                              \
        TYPE_##type_, CASE_DIMS(__VA_ARGS__), .fill = FILL_SPECIAL                                                                 \
    }
#define F32_SPECIAL(...) SPECIAL(FLOAT32, __VA_ARGS__)
#define F32_IN(lo_, hi_, ...)                                                                                                      \
    {                                                                                                                              \
        TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .lo = (lo_), .hi = (hi_)                                                             \
    }
#define F32_POWERS(lo_, hi_, ...)                                                                                                  \
    {                                                                                                                              \
        TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .fill = FILL_POWERS, .lo = (lo_), .hi = (hi_)                                        \
    }
#define CONST_F32(...)                                                                                                             \
    {                                                                                                                              \
        TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .constant = true                                                                     \
    }
#define CONST_F16(...)                                                                                                             \
    {                                                                                                                              \
        TYPE_FLOAT16, CASE_DIMS(__VA_ARGS__), .constant = true                                                                     \
    }
#define TENSOR(type_, ...)                                                                                                         \
    {                                                                                                                              \
        TYPE_##type_, CASE_DIMS(__VA_ARGS__)                                                                                       \
    }
#define CONST(type_, ...)                                                                                                          \
    {                                                                                                                              \
        TYPE_##type_, CASE_DIMS(__VA_ARGS__), .constant = true                                                                     \
    }
#define QUANT(type_, scale_, zero_, ...)                                                                                           \
    {                                                                                                                              \
        TYPE_##type_, CASE_DIMS(__VA_ARGS__), .scale = (scale_), .zero_point = (zero_)                                             \
    }
#define CONST_QUANT(type_, scale_, zero_, ...)                                                                                     \
    {                                                                                                                              \
        TYPE_##type_, CASE_DIMS(__VA_ARGS__), .scale = (scale_), .zero_point = (zero_), .constant = true                           \
    }
/* A constant INT32 vector with these elements. */
#define I32S(...)                                                                                                                  \
    {                                                                                                                              \
        TYPE_INT32, .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4}, .fill = FILL_GIVEN, .constant = true,                \
                    .data = (const int32_t[])                                                                                      \
        {                                                                                                                          \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
    }
/* A constant INT32 scalar. */
#define I32_SCALAR(v)                                                                                                              \
    {                                                                                                                              \
        TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .constant = true, .data = (const int32_t[])                                     \
        {                                                                                                                          \
            v                                                                                                                      \
        }                                                                                                                          \
    }
/* An omitted optional input. */
#define OMITTED                                                                                                                    \
    {                                                                                                                              \
        TYPE_NONE                                                                                                                  \
    }
