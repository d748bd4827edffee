/* SPDX-License-Identifier: Apache-2.0 */
/* requant.h - from integer sums to quantized outputs: add the bias, scale by one real number per channel, add the zero
 * point, clamp. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H

#include "../common/fused_activation.h"
#include "../matmul/gemm.h"
#include "../common/layout.h"

enum requant_kind {
    REQUANT_FIXED,      /* 32-bit sums, fixed point, rounded twice */
    REQUANT_FIXED_WIDE, /* 64-bit sums, fixed point of 15 bits */
    REQUANT_REAL,       /* double precision, halves away from zero */
};

struct requant {
    struct gemm_i16_post post; /* first: a struct requant is what gemm.post points to */
    enum requant_kind kind;
    enum tensor_type type; /* of the output: UINT8, INT8, INT16 */
    int32_t zero;
    struct range_i32 range;
    const int32_t *offset; /* per channel, or NULL: added to biases of REQUANT_FIXED, wrapping; set before requant_set_bias */
    const int32_t *bias;   /* low halves; wrapping sums need no more */
    const int64_t *bias_wide;
    const int32_t *mult, *shift;
    const double *scale;
};

/* What the scales are made from. Types of input and output say which kinds are possible. */
struct requant_spec {
    enum requant_kind kind;
    const struct tensor *input, *filter, *output;
    const struct tensor *bias; /* NULL, INT32 or INT64 */
    size_t channels;
    enum activation activation;
    bool float_product; /* the filter is taken as a whole (scales per channel count as 0, as in TFLite) and the product
                           of the two scales rounds to float */
};

/* Room for the arrays of `channels` channels. */
size_t requant_layout(struct layout *l, size_t channels);

/* Fills r and its arrays at `memory`, all but the bias. Fails where a scale is out of range. */
enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err);

/* Reads the bias, which may be known only while running. */
void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels);

/* One output value; sums of REQUANT_FIXED use the low 32 bits. */
int32_t requant_one(const struct requant *r, size_t channel, int64_t sum);

/* Fills r->post for r's kind and type. */
void requant_choose_store(struct requant *r);

/* r for channels from `first` on. */
struct requant requant_from(const struct requant *r, size_t first);

#endif
