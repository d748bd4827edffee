/* SPDX-License-Identifier: Apache-2.0 */
/* requant.h - requantization, integer sums to quantized outputs: add the bias, scale per channel, add the zero point, clamp.
 *
 * The scale of channel c is input scale * filter scale[c] / output scale, in double. This file computes the parameters;
 * requant_one.h has the formula. */
#pragma once

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/quant/requant_one.h"

/* Sources of the scales, all borrowed; only requant_init reads them. The types of input and output limit the kinds. */
struct requant_spec {
    enum requant_kind kind;
    const struct tensor *input, *filter, *output;
    const struct tensor *bias; /* NULL, INT32 or INT64 */
    size_t channels;
    enum activation activation;
    bool float_product; /* true: the filter has one scale (scales per channel count as 0, as in TFLite) and its product with the
                           input's rounds to float */
};

/* Add room for the arrays of `channels` channels to l; return the offset to pass to requant_init as `memory`. */
size_t requant_layout(struct layout *l, size_t channels);

/* Fill *r and its arrays at `memory`, which must outlive r, except for the bias; choose CPU_FAST's store. Fails with ST_BAD_MODEL
 * if a scale is not finite or, for REQUANT_FIXED, 2^30 or more (wide sums saturate instead), and as activation_range_quant. */
enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err);

/* Copy the bias [channels], or zeros if NULL, into r, and add r->offset. Call it in each run if the bias is not constant. */
void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels);

/* Return a copy of *r whose channel 0 is channel `first` of r. r->offset is not moved. */
struct requant requant_from(const struct requant *r, size_t first);
