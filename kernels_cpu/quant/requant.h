/* SPDX-License-Identifier: Apache-2.0 */
/* requant.h - from integer sums to quantized outputs: add the bias, scale by one real number per channel, add the zero
 * point, clamp. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H

#include "../common/layout.h"
#include "requant_one.h"

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

/* r for channels from `first` on. */
struct requant requant_from(const struct requant *r, size_t first);

#endif
