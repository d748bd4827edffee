/* conv_f32.c - float32 CONV_2D on the gemm loops.
 *
 * The input is copied with its padding written out as zeros, so that each row of the window is one run of memory. A padded
 * zero changes no sum unless its weight is infinite or NaN: the literal loops stand in then, and where dilation makes the
 * padded image absurdly large. */
#include <math.h>
#include <string.h>

#include "conv.h"
#include "gemm.h"
#include "layout.h"

struct conv_plan {
    const struct conv_impl *impl;
    struct conv_geometry g;
    struct range_f32 range;
    const struct gemm_isa *isa;
    size_t groups, group_ic, group_oc;
    size_t taps, depth;          /* the window as the gemm loops see it: whole rows where those are contiguous */
    bool pad;
    struct padded padded;
    bool constant;               /* weights and bias were packed by prepare; else each run packs them into scratch */
    bool literal;                /* the padded image is too large */
    bool finite;                 /* no weight is infinite or NaN */
    size_t w, bias;              /* offsets of the packed weights and bias in packed or scratch */
    size_t group_w, group_bias;  /* floats of one group in them */
    size_t image;                /* offset of the padded image in scratch */
    size_t tap[];                /* tap_x[taps], then tap_w[taps] */
};

/* Packs the weights of all groups; false where one is infinite or NaN. */
static bool weights_pack(const struct conv_plan *p, const struct node *n, char *base)
{
    const struct tensor *filter = n->in[CONV_FILTER], *bias = node_in(n, CONV_BIAS);
    const float *w = filter->data, *b = bias ? bias->data : NULL;
    size_t per_channel = p->taps * p->depth, elems = tensor_elems(filter);
    struct gemm_strides s = {p->depth, 1, per_channel};
    bool finite = true;

    for (size_t g = 0; g < p->groups; g++) {
        gemm_f32_pack(p->isa, p->taps, p->depth, p->group_oc, w + g * p->group_oc * per_channel, s,
                      (float *)(base + p->w) + g * p->group_w);
        gemm_f32_pack_bias(p->isa, p->group_oc, b ? b + g * p->group_oc : NULL,
                           (float *)(base + p->bias) + g * p->group_bias);
    }
    for (size_t i = 0; i < elems; i++)
        finite &= isfinite(w[i]);
    return finite;
}

static void taps_fill(struct conv_plan *p)
{
    size_t row = (p->pad ? p->padded.w : (size_t)p->g.iw) * (size_t)p->g.ic;
    size_t kx = p->taps / (size_t)p->g.kh;       /* taps per row of the window */

    for (size_t t = 0; t < p->taps; t++) {
        p->tap[t] = t / kx * (size_t)p->g.dh * row + t % kx * (size_t)p->g.dw * (size_t)p->g.ic;
        p->tap[p->taps + t] = t;
    }
}

static void groups_init(struct conv_plan *p, const struct tensor *filter)
{
    p->group_ic = (size_t)filter->dim[3];
    p->groups = (size_t)p->g.ic / p->group_ic;
    p->group_oc = (size_t)p->g.oc / p->groups;
    p->taps = (size_t)p->g.kh;
    p->depth = (size_t)p->g.kw * p->group_ic;
    if (p->groups > 1 || p->g.dw > 1) {
        p->taps *= (size_t)p->g.kw;
        p->depth = p->group_ic;
    }
    p->group_w = gemm_f32_packed(p->isa, p->taps, p->depth, p->group_oc);
    p->group_bias = gemm_panels(p->isa, p->group_oc) * (size_t)p->isa->lanes;
}

static void layout_make(struct conv_plan *p, const struct node *n, struct layout *packed, struct layout *scratch)
{
    const struct tensor *bias = node_in(n, CONV_BIAS);
    struct layout *weights;
    size_t pixels;

    p->constant = n->in[CONV_FILTER]->is_const && (!bias || bias->is_const);
    weights = p->constant ? packed : scratch;
    layout_add(packed, 2 * p->taps, sizeof(size_t));
    p->w = layout_add(weights, p->groups * p->group_w, sizeof(float));
    p->bias = layout_add(weights, p->groups * p->group_bias, sizeof(float));
    if (!p->pad)
        return;
    p->literal = !padded_fits(p->padded, n->in[CONV_INPUT]->bytes + n->out[0]->bytes, &pixels);
    if (!p->literal)
        p->image = layout_add(scratch, pixels, (size_t)p->g.ic * sizeof(float));
}

static enum status conv_f32_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct opt_conv_2d *o = c->node->opt;
    struct conv_plan p = {.impl = &conv_f32, .g = *g, .isa = gemm_f32_isa(c->mode), .finite = true}, *kept;
    struct layout packed = {0}, scratch = {0};
    enum status st;

    if ((st = activation_range(o->activation, &p.range, err)))
        return st;
    p.pad = conv_has_padding(g);
    p.padded = conv_padded(g);
    groups_init(&p, c->node->in[CONV_FILTER]);
    packed.bytes = offsetof(struct conv_plan, tap);
    layout_make(&p, c->node, &packed, &scratch);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    taps_fill(kept);
    if (p.constant)
        kept->finite = weights_pack(kept, c->node, c->packed);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* The definition, for one row of the output. */
static void literal_row(const struct conv_plan *p, const struct node *n, size_t row)
{
    const struct conv_geometry *g = &p->g;
    const struct tensor *bias = node_in(n, CONV_BIAS);
    struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, g->dh, g->kh, g->ih);
    const float *image = (const float *)n->in[CONV_INPUT]->data + row / (size_t)g->oh * (size_t)g->ih *
                         (size_t)g->iw * (size_t)g->ic;
    float *y = (float *)n->out[0]->data + row * (size_t)g->ow * (size_t)g->oc;

    for (int32_t ox = 0; ox < g->ow; ox++) {
        struct conv_span sx = conv_span(ox, g->sw, g->pl, g->dw, g->kw, g->iw);

        for (size_t oc = 0; oc < (size_t)g->oc; oc++, y++) {
            const float *filter = (const float *)n->in[CONV_FILTER]->data + oc * (size_t)g->kh * (size_t)g->kw *
                                  p->group_ic;
            float sum = 0;

            for (int32_t ky = sy.k0; ky < sy.k1; ky++) {
                for (int32_t kx = sx.k0; kx < sx.k1; kx++) {
                    size_t iy = (size_t)(sy.origin + (int64_t)ky * g->dh), ix = (size_t)(sx.origin + (int64_t)kx * g->dw);
                    const float *x = image + (iy * (size_t)g->iw + ix) * (size_t)g->ic + oc / p->group_oc * p->group_ic;
                    const float *w = filter + (size_t)(ky * g->kw + kx) * p->group_ic;

                    for (size_t k = 0; k < p->group_ic; k++)
                        sum += x[k] * w[k];
                }
            }
            *y = activation_clamp(sum + (bias ? ((const float *)bias->data)[oc] : 0), p->range);
        }
    }
}

static void literal_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;

    for (size_t row = begin; row < end; row++)
        literal_row(c->packed, c->node, row);
}

static void groups_run(const struct conv_plan *p, struct cpu_call *c, struct gemm *gemm, const char *weights)
{
    const char *x = gemm->x;
    char *y = gemm->y;

    for (size_t g = 0; g < p->groups; g++) {
        struct gemm_f32_post post = {.bias = (const float *)(weights + p->bias) + g * p->group_bias,
                                     .lo = p->range.lo, .hi = p->range.hi};

        gemm->x = x + g * p->group_ic * sizeof(float);
        gemm->y = y + g * p->group_oc * sizeof(float);
        gemm->w = (const float *)(weights + p->w) + g * p->group_w;
        gemm->post = &post;
        gemm_run(gemm, c->threads);
    }
}

static enum status conv_f32_run(struct cpu_call *c, struct err *err)
{
    const struct conv_plan *p = c->packed;
    const struct conv_geometry *g = &p->g;
    const struct node *n = c->node;
    char *weights = p->constant ? c->packed : c->scratch;
    bool finite = p->constant ? p->finite : weights_pack(p, n, weights);
    size_t pixel = (size_t)g->ic * sizeof(float), row = (p->pad ? p->padded.w : (size_t)g->iw) * pixel;
    struct gemm gemm = {
        .isa = p->isa, .rows = (size_t)g->oh, .cols = (size_t)g->ow,
        .x_row = row * (size_t)g->sh, .x_col = pixel * (size_t)g->sw,
        .y_row = (size_t)g->ow * (size_t)g->oc * sizeof(float), .y_col = (size_t)g->oc * sizeof(float),
        .channels = p->group_oc, .depth = p->depth, .taps = p->taps, .tap_x = p->tap, .tap_w = p->tap + p->taps,
        .w_taps = p->taps,
    };
    size_t images = (size_t)g->n;

    (void)err;
    if (p->pad && (p->literal || !finite)) {
        threads_for(c->threads, images * (size_t)g->oh, 1, literal_rows, c);
        return ST_OK;
    }
    if (g->kh == 1 && g->kw == 1 && g->sh == 1 && g->sw == 1 && !p->pad) {
        gemm.cols *= gemm.rows * images;
        gemm.rows = images = 1;
    }
    for (size_t i = 0; i < images; i++) {
        gemm.x = (const char *)n->in[CONV_INPUT]->data + i * (size_t)g->ih * (size_t)g->iw * pixel;
        gemm.y = (char *)n->out[0]->data + i * gemm.rows * gemm.y_row;
        if (p->pad) {
            char *image = (char *)c->scratch + p->image;

            pad_image(c->threads, gemm.x, g->ih, g->iw, pixel, g->pt, g->pl, p->padded, 0, image);
            gemm.x = image;
        }
        groups_run(p, c, &gemm, weights);
    }
    return ST_OK;
}

const struct conv_impl conv_f32 = {conv_f32_prepare, conv_f32_run};
