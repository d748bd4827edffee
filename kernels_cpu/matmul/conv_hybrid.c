/* SPDX-License-Identifier: Apache-2.0 */
/* conv_hybrid.c - CONV_2D on float activations with weights of at most 8 bits. Every image is quantized as a whole. */
#include <string.h>

#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/conv_gemm.h"
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"

struct conv_plan {
    struct conv_gemm p;
    bool per_channel; /* see conv_hybrid_check */
    struct int_weights weights;
    size_t w, image, x, factor; /* offsets: of packed weights in packed or scratch, of the others in scratch */
};

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct conv_plan *p = c->packed;

    conv_gemm_pack(&p->p, widened, base + p->w);
}

/* Return true if the channels have different scales. */
static bool scales_differ(const struct quant *q)
{
    for (uint32_t i = 1; i < q->n; i++)
        if (q->scale[i] != q->scale[0])
            return true;
    return false;
}

enum status conv_hybrid_check(const struct node *n, size_t groups, bool *per_channel, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *filter = n->in[CONV_FILTER], as_read = hybrid_filter(filter);
    struct range_f32 range;
    enum status st;

    if ((st = activation_range(o->activation, &range, err)) || (st = quant_check_filter(&as_read, 0, err)))
        return st;
    *per_channel = groups > 1 || scales_differ(&filter->quant);
    if (*per_channel && filter->type == TYPE_UINT8)
        return err_set(err, ST_UNSUPPORTED, "a UINT8 filter has one scale and one group, not %u and %zu", filter->quant.n, groups);
    return ST_OK;
}

static enum status conv_hybrid_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct tensor *filter = c->node->in[CONV_FILTER], as_read = hybrid_filter(filter);
    struct conv_plan p = {.weights = int_weights_init(&as_read, 0)}, *kept;
    struct layout packed = {0}, scratch = {0};
    size_t taps;
    enum status st;

    conv_gemm_init(&p.p, &gemm_i16, g, filter->dim[3]);
    if ((st = conv_hybrid_check(c->node, p.p.groups, &p.per_channel, err)))
        return st;
    layout_add(&packed, 1, sizeof p);
    taps = conv_gemm_taps_layout(&p.p, &packed);
    p.w = conv_gemm_weights_layout(&p.p, int_weights_layout(&p.weights, &packed, &scratch));
    p.image = conv_gemm_image_layout(&p.p, &scratch);
    p.x = layout_add(&scratch, tensor_elems(c->node->in[CONV_INPUT]), sizeof(int16_t));
    p.factor = layout_add(&scratch, (size_t)g->n, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    conv_gemm_taps(&kept->p, (char *)c->packed + taps);
    c->scratch_bytes = scratch.bytes;
    return int_weights_prepare(c, &kept->weights, pack, err);
}

static const void *post(const void *arg, size_t image, size_t group, void *room)
{
    const struct cpu_call *c = arg;
    const struct conv_plan *p = c->packed;
    const struct opt_conv_2d *o = c->node->opt;
    const struct tensor *filter = c->node->in[CONV_FILTER], *bias = node_in(c->node, CONV_BIAS);
    size_t first = group * p->p.group_oc;
    struct hybrid_post *out = room;

    *out = (struct hybrid_post){
        .order = p->per_channel ? HYBRID_CHANNEL_FIRST : HYBRID_FACTOR_FIRST,
        .scale = filter->quant.scale + (filter->quant.n > 1 ? first : 0),
        .scale_step = filter->quant.n > 1,
        .factor = (const float *)((char *)c->scratch + p->factor) + image,
        .bias = bias ? (const float *)bias->data + first : NULL,
        .activation = o->activation,
    };
    hybrid_post_init(out);
    return out;
}

static void images_quantize(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct conv_plan *p = c->packed;
    const struct tensor *input = c->node->in[CONV_INPUT];
    size_t elems = (size_t)p->p.g.ih * (size_t)p->p.g.iw * (size_t)p->p.g.ic;

    for (size_t i = begin; i < end; i++)
        ((float *)((char *)c->scratch + p->factor))[i] = hybrid_quantize(c->mode, (const float *)input->data + i * elems, elems,
                                                                         p->per_channel,
                                                                         (int16_t *)((char *)c->scratch + p->x) + i * elems, NULL);
}

static void conv_hybrid_run(struct cpu_call *c)
{
    struct conv_plan *p = c->packed;
    const struct node *n = c->node;
    struct conv_gemm_run r = {
        .weights = int_weights_run(c, &p->weights, pack) + p->w,
        .image = (char *)c->scratch + p->image,
        .copy_arg = (char *)c->scratch + p->x,
        .output = n->out[0]->data,
        .output_bytes = sizeof(float),
        .post = post,
        .post_arg = c,
    };

    threads_for(c->threads, (size_t)p->p.g.n, 1, images_quantize, c);
    conv_gemm_run(&p->p, &r, c->threads);
}

const struct conv_impl conv_hybrid = {conv_hybrid_prepare, conv_hybrid_run};
