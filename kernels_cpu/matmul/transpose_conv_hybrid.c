/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_hybrid.c - TRANSPOSE_CONV on float activations with INT8 weights. Every image is quantized as a whole, with a zero
 * point.
 *
 * TFLite scales each product and sums floats, and so does CPU_REFERENCE; this file scales integer sums. */
#include <string.h>

#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/matmul/transpose_conv_gemm.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"

struct tconv_plan {
    struct tconv_gemm p; /* of one image */
    struct tconv t;
    struct int_weights weights;
    size_t image_elems;
    size_t x, factor; /* offsets in scratch: widened input, its scale for each image */
};

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct tconv_plan *p = c->packed;

    tconv_gemm_pack(&p->p, widened, base + p->p.w);
}

static enum status tconv_hybrid_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct tconv_plan p = {.t = *t, .weights = int_weights_init(t->filter, 0)};
    struct conv_geometry one = t->g;
    struct layout packed = {0}, scratch = {0};
    struct range_f32 range;
    enum status st;

    if ((st = activation_range(t->activation, &range, err)) || (st = quant_check_filter(t->filter, 0, err)))
        return st;
    one.n = 1;
    p.image_elems = (size_t)one.ih * (size_t)one.iw * (size_t)one.ic;
    layout_add(&packed, 1, sizeof p);
    tconv_gemm_init(&p.p, &gemm_i16, &one, int_weights_layout(&p.weights, &packed, &scratch), &scratch);
    p.x = layout_add(&scratch, tensor_elems(t->input), sizeof(int16_t));
    p.factor = layout_add(&scratch, (size_t)t->g.n, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct tconv_plan *)c->packed = p;
    c->scratch_bytes = scratch.bytes;
    return int_weights_prepare(c, &p.weights, pack, err);
}

static void images_quantize(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct tconv_plan *p = c->packed;
    const float *x = p->t.input->data;

    for (size_t i = begin; i < end; i++)
        ((float *)((char *)c->scratch + p->factor))[i] = hybrid_quantize(
            c->mode, x + i * p->image_elems, p->image_elems, true, (int16_t *)((char *)c->scratch + p->x) + i * p->image_elems,
            NULL);
}

static void image_run(struct cpu_call *c, size_t image, const char *weights)
{
    const struct tconv_plan *p = c->packed;
    const struct quant *q = &p->t.filter->quant;
    struct hybrid_post post = {
        .order = HYBRID_CHANNEL_FIRST,
        .scale = q->scale,
        .scale_step = q->n > 1,
        .factor = (const float *)((char *)c->scratch + p->factor) + image,
        .bias = p->t.bias ? p->t.bias->data : NULL,
        .activation = p->t.activation,
    };
    struct tconv_gemm_run r = {
        .weights = weights,
        .scratch = c->scratch,
        .copy_arg = (int16_t *)((char *)c->scratch + p->x) + image * p->image_elems,
        .output = (float *)c->node->out[0]->data + image * (size_t)p->t.g.oh * (size_t)p->t.g.ow * (size_t)p->t.g.oc,
        .output_bytes = sizeof(float),
        .post = &post,
    };

    hybrid_post_init(&post);
    tconv_gemm_run(&p->p, &r, c->threads);
}

static void tconv_hybrid_run(struct cpu_call *c)
{
    const struct tconv_plan *p = c->packed;
    const char *weights = int_weights_run(c, &p->weights, pack) + p->p.w;

    threads_for(c->threads, (size_t)p->t.g.n, 1, images_quantize, c);
    for (size_t i = 0; i < (size_t)p->t.g.n; i++)
        image_run(c, i, weights);
}

const struct tconv_impl tconv_hybrid = {tconv_hybrid_prepare, tconv_hybrid_run};
