/* SPDX-License-Identifier: Apache-2.0 */
/* conv_f32.c - float32 CONV_2D on the gemm loops.
 *
 * A padded zero changes no sum unless its weight is infinite or NaN; then plain loops by definition run instead. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/conv_gemm.h"

struct conv_plan {
    struct conv_gemm p;
    struct conv_geometry g; /* untrimmed */
    struct range_f32 range;
    bool constant;              /* weights and bias were packed by prepare; else each run packs them into scratch */
    bool finite;                /* no weight is infinite or NaN */
    size_t w, bias, group_bias; /* offsets in packed or scratch; floats of one group's bias */
    size_t image;               /* offset in scratch */
};

/* Pack weights and bias; return false if a weight is infinite or NaN. */
static bool weights_pack(const struct conv_plan *p, const struct node *n, char *base)
{
    const struct tensor *filter = n->in[CONV_FILTER], *bias = node_in(n, CONV_BIAS);
    const float *w = filter->data, *b = bias ? bias->data : NULL;
    size_t elems = tensor_elems(filter);
    bool finite = true;

    conv_gemm_pack(&p->p, w, base + p->w);
    for (size_t g = 0; g < p->p.groups; g++)
        gemm_f32_pack_bias(p->p.isa, p->p.group_oc, b ? b + g * p->p.group_oc : NULL,
                           (float *)(base + p->bias) + g * p->group_bias);
    for (size_t i = 0; i < elems; i++)
        finite &= isfinite(w[i]);
    return finite;
}

static enum status conv_f32_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct opt_conv_2d *o = c->node->opt;
    const struct tensor *filter = c->node->in[CONV_FILTER], *bias = node_in(c->node, CONV_BIAS);
    struct conv_plan p = {.g = *g, .finite = true}, *kept;
    struct layout packed = {0}, scratch = {0}, *weights;
    enum status st = activation_range(o->activation, &p.range, err);
    size_t taps;

    if (st)
        return st;
    conv_gemm_init(&p.p, &gemm_f32, g, filter->dim[3]);
    p.group_bias = gemm_panels(p.p.isa, p.p.group_oc) * (size_t)p.p.isa->lanes;
    p.constant = filter->is_const && (!bias || bias->is_const);
    weights = p.constant ? &packed : &scratch;
    layout_add(&packed, 1, sizeof p);
    taps = conv_gemm_taps_layout(&p.p, &packed);
    p.w = conv_gemm_weights_layout(&p.p, weights);
    p.bias = layout_add(weights, p.p.groups * p.group_bias, sizeof(float));
    if (p.p.pad)
        p.image = conv_gemm_image_layout(&p.p, &scratch);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    conv_gemm_taps(&kept->p, (char *)c->packed + taps);
    if (p.constant)
        kept->finite = weights_pack(kept, c->node, c->packed);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* Compute one row of the output by definition. */
static void literal_row(const struct conv_plan *p, const struct node *n, size_t row)
{
    const struct conv_geometry *g = &p->g;
    const struct tensor *bias = node_in(n, CONV_BIAS);
    size_t ic = p->p.group_ic;
    struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, g->dh, g->kh, g->ih);
    const float *image = (const float *)n->in[CONV_INPUT]->data +
                         row / (size_t)g->oh * (size_t)g->ih * (size_t)g->iw * (size_t)g->ic;
    float *y = (float *)n->out[0]->data + row * (size_t)g->ow * (size_t)g->oc;

    for (int32_t ox = 0; ox < g->ow; ox++) {
        struct conv_span sx = conv_span(ox, g->sw, g->pl, g->dw, g->kw, g->iw);

        for (size_t oc = 0; oc < (size_t)g->oc; oc++, y++) {
            const float *filter = (const float *)n->in[CONV_FILTER]->data + oc * (size_t)g->kh * (size_t)g->kw * ic;
            float sum = 0;

            for (int32_t ky = sy.k0; ky < sy.k1; ky++) {
                for (int32_t kx = sx.k0; kx < sx.k1; kx++) {
                    size_t iy = (size_t)(sy.origin + (int64_t)ky * g->dh), ix = (size_t)(sx.origin + (int64_t)kx * g->dw);
                    const float *x = image + (iy * (size_t)g->iw + ix) * (size_t)g->ic + oc / p->p.group_oc * ic;
                    const float *w = filter + ((size_t)ky * (size_t)g->kw + (size_t)kx) * ic;

                    for (size_t k = 0; k < ic; k++)
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

struct post_arg {
    const struct conv_plan *p;
    const float *bias;
};

static const void *post(const void *arg, size_t image, size_t group, void *room)
{
    const struct post_arg *a = arg;
    struct gemm_f32_post *out = room;

    (void)image;
    *out = (struct gemm_f32_post){a->bias + group * a->p->group_bias, false, a->p->range.lo, a->p->range.hi};
    return out;
}

static void conv_f32_run(struct cpu_call *c)
{
    const struct conv_plan *p = c->packed;
    const struct node *n = c->node;
    char *weights = p->constant ? c->packed : c->scratch;
    bool finite = p->constant ? p->finite : weights_pack(p, n, weights);
    const void *input = n->in[CONV_INPUT]->data;
    struct conv_gemm_run r = {
        .weights = weights + p->w,
        .image = (char *)c->scratch + p->image,
        .input = input,
        .copy_arg = input,
        .output = n->out[0]->data,
        .output_bytes = sizeof(float),
        .post = post,
        .post_arg = &(struct post_arg){p, (const float *)(weights + p->bias)},
    };

    if (p->p.pad && !finite)
        threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.oh, 1, literal_rows, c);
    else
        conv_gemm_run(&p->p, &r, c->threads);
}

const struct conv_impl conv_f32 = {conv_f32_prepare, conv_f32_run};
