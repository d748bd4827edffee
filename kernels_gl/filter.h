/* filter.h - the filter of a convolution as its shaders read it.
 *
 * Biases for each slice of output channels, then for each such slice, tap (filter row and column) and slice of input channels
 * four vec4: one per input channel, each for the four output channels. */
#ifndef DELEGAUGE_GL_FILTER_H
#define DELEGAUGE_GL_FILTER_H

#include "../lib/gl/kernel.h"

struct filter {
    const float *w, *bias;       /* [n_out][taps][n_in] as TFLite has it; [n_out] or NULL */
    int32_t n_out, taps, n_in;
};

/* Binds it as "w", for LOADW. */
void gl_filter(struct gl_pass *p, const struct filter *f);

/* It fits in one buffer of the device. */
bool gl_filter_fits(const struct gl_limits *lim, int64_t n_out, int64_t taps, int64_t n_in, struct reason *why);

#endif
