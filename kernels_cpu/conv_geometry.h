/* conv_geometry.h - the numbers of a 2-D convolution, checked, and its input with the padding written out. */
#ifndef DELEGAUGE_CONV_GEOMETRY_H
#define DELEGAUGE_CONV_GEOMETRY_H

#include "../lib/kernel.h"

/* Input [n, ih, iw, ic], window kh x kw, output [n, oh, ow, oc]. */
struct conv_geometry {
    int32_t n, ih, iw, ic, oh, ow, oc, kh, kw;
    int32_t sh, sw, dh, dw;      /* stride, dilation */
    int32_t pt, pl;              /* padding before */
};

/* Fills everything from the shapes [n, ih, iw, ic] of input and [_, kh, kw, _] of filter, and sizes the output. */
enum status conv_geometry_init(struct conv_geometry *g, const struct tensor *input, const struct tensor *filter,
                               int32_t oc, enum padding padding, int stride_h, int stride_w, int dilation_h,
                               int dilation_w, struct err *err);

/* The window's first row and column in the input, and the part [k0, k1) of it that lies inside. */
struct conv_span { int64_t origin; int32_t k0, k1; };

static inline struct conv_span conv_span(int32_t o, int32_t stride, int32_t pad, int32_t dilation, int32_t k, int32_t in)
{
    int64_t origin = (int64_t)o * stride - pad;
    int64_t k0 = origin < 0 ? (-origin + dilation - 1) / dilation : 0;
    int64_t k1 = origin < in ? (in - origin + dilation - 1) / dilation : 0;

    k1 = k1 > k ? k : k1;
    return (struct conv_span){origin, (int32_t)(k0 > k1 ? k1 : k0), (int32_t)k1};
}

/* The size of an input image that contains every window: what pad_image writes. */
struct padded { size_t h, w; };
struct padded conv_padded(const struct conv_geometry *g);

/* False where p is out of all proportion to `bytes`, those of input and output together: dilation can make it so. Else its
 * pixels are in *pixels. */
bool padded_fits(struct padded p, size_t bytes, size_t *pixels);

/* True where windows reach beyond the input. */
bool conv_has_padding(const struct conv_geometry *g);

/* Copies one image [ih, iw, pixel_bytes] into [p.h, p.w, pixel_bytes] with `pt` and `pl` rows and columns before it, bytes
 * of `fill` around it; what lies beyond the padded size is cut. */
void pad_image(struct threads *threads, const void *image, int32_t ih, int32_t iw, size_t pixel_bytes, int32_t pt,
               int32_t pl, struct padded p, int fill, void *out);

#endif
