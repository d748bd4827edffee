/* SPDX-License-Identifier: Apache-2.0 */
/* requant.h - from integer sums to quantized outputs: add the bias, scale by one real number per channel, add the zero point,
 * clamp. This file makes the numbers; requant_one.h has the formula.
 *
 * The real number of channel c is input scale * filter scale[c] / output scale, in double. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_H

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/requant_one.h"

/* The sources of the scales; all borrowed, and read by requant_init alone. Types of input and output say which kinds are
 * possible. */
struct requant_spec {
    enum requant_kind kind;
    const struct tensor *input, *filter, *output;
    const struct tensor *bias; /* NULL, INT32 or INT64 */
    size_t channels;
    enum activation activation;
    bool float_product; /* the filter is taken as a whole (scales per channel count as 0, as in TFLite) and the product
                           of the two scales rounds to float */
};

/* Adds room for the arrays of `channels` channels to l; returns its offset: `memory` of requant_init lies there. */
size_t requant_layout(struct layout *l, size_t channels);

/* Fills r and its arrays at `memory`, which must outlive r, all but the bias; chooses CPU_FAST's store. ST_BAD_MODEL if a scale is
 * not finite or, for REQUANT_FIXED, 2^30 or more (wide sums saturate instead), and as activation_range_quant fails. */
enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err);

/* Reads the bias [channels], or NULL for zeros, which may be known only while running; adds r->offset to it. */
void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels);

/* Return r for channels from `first` on. */
struct requant requant_from(const struct requant *r, size_t first);

#endif
