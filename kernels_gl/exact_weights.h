/* SPDX-License-Identifier: Apache-2.0 */
/* exact_weights.h - constant 8-bit weights on the device: four in a word, behind the numbers of exact_requant.h in one table. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_WEIGHTS_H
#define DELEGAUGE_KERNELS_GL_EXACT_WEIGHTS_H

#include "exact_requant.h"

/* Where the elements of a filter lie: output channel o, tap (filter row and column) t, input channel i is element
 * (first + o) * step_o + t * step_t + i. */
struct exact_weights {
    const void *data;      /* elements of that type, constant */
    enum tensor_type type; /* INT8, UINT8, INT4 or INT2: bytes on the device */
    int32_t zero;          /* subtracted from each element; what lies beyond the last channel holds it */
    size_t first, n_out, taps, n_in, step_o, step_t;
    const struct exact_requant *q;
};

/* Of a filter [n_out, taps, n_in]: for each slice of output channels, tap and slice of input channels one ivec4, a word for each
 * output channel, a byte of it for each input channel. */
void exact_weights_dense(struct gl_shader *p, const struct exact_weights *f);

/* Of a filter [taps, n_out]: for each slice of channels, four taps one ivec4, a word for each tap, a byte of it for each channel.
 */
void exact_weights_depthwise(struct gl_shader *p, const struct exact_weights *f);

/* How large the sum over one output channel's weights can be, where no input is further from zero than `x`. */
uint64_t exact_weights_most(const struct exact_weights *f, uint64_t x);

#endif
