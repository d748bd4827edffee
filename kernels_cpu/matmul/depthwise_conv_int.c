/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv_int.c - DEPTHWISE_CONV_2D on integers: quantized, and hybrid (float activations with INT8 weights). Inputs
 * and weights are widened to int16, inputs with one channel per output channel. */
#include "kernels_cpu/matmul/depthwise_conv.h"
#include "kernels_cpu/matmul/depthwise_rows.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"

struct dw_plan {
    struct conv_geometry g;
    struct requant requant;
    dw_run_fn run;
    size_t w;                  /* offset in packed of the weights; written anew in each run where not constant */
    size_t x, widened, factor; /* offsets in scratch: the input as it is, with its channels repeated, its scales */
};

static enum status prepare(struct cpu_call *c, struct dw_plan *p, struct layout *packed, struct err *err)
{
    const struct tensor *filter = c->node->in[CONV_FILTER];
    struct layout scratch = {0};
    enum status st;

    p->w = layout_add(packed, tensor_elems(filter), sizeof(int16_t));
    p->x = layout_add(&scratch, tensor_elems(c->node->in[CONV_INPUT]), sizeof(int16_t));
    p->widened = p->x;
    if (p->g.oc != p->g.ic)
        p->widened = dw_expanded_layout(&p->g, sizeof(int16_t), &scratch);
    p->factor = layout_add(&scratch, (size_t)p->g.n, sizeof(float));
    if ((st = cpu_pack(c, packed->bytes, err)))
        return st;
    *(struct dw_plan *)c->packed = *p;
    if (filter->is_const)
        widen_all(c->threads, filter->type, filter->data, quant_zero(filter), tensor_elems(filter),
                  (int16_t *)((char *)c->packed + p->w));
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* Runs on the widened input at p->x. */
static void run(struct cpu_call *c, const void *(*post)(const void *, size_t, void *), const void *post_arg)
{
    const struct dw_plan *p = c->packed;
    const struct tensor *filter = c->node->in[CONV_FILTER], *output = c->node->out[0];
    int16_t *w = (int16_t *)((char *)c->packed + p->w);
    struct dw_rows r = {
        .g = p->g,
        .run = p->run,
        .x = (char *)c->scratch + p->widened,
        .w = w,
        .y = output->data,
        .x_bytes = sizeof(int16_t),
        .w_bytes = sizeof(int16_t),
        .y_bytes = type_bits(output->type) / 8,
        .post = post,
        .post_arg = post_arg,
    };

    if (!filter->is_const)
        widen_all(c->threads, filter->type, filter->data, quant_zero(filter), tensor_elems(filter), w);
    if (p->widened != p->x)
        dw_expand(&p->g, (char *)c->scratch + p->x, sizeof(int16_t), (char *)c->scratch + p->widened, c->threads);
    dw_rows_run(&r, c->threads);
}

/* Quantized. */

struct requant_spec dw_quant_spec(const struct node *n)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    const struct tensor *input = n->in[CONV_INPUT], *filter = n->in[CONV_FILTER];

    return (struct requant_spec){
        .kind = input->type == TYPE_INT16 ? REQUANT_FIXED_WIDE : REQUANT_FIXED,
        .input = input,
        .filter = filter,
        .output = n->out[0],
        .bias = node_in(n, CONV_BIAS),
        .channels = (size_t)filter->dim[3],
        .activation = o->activation,
        .float_product = input->type == TYPE_UINT8,
    };
}

static enum status dw_quant_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    struct requant_spec s = dw_quant_spec(c->node);
    struct dw_plan p = {.g = *g, .run = dw_i16_run(s.kind == REQUANT_FIXED_WIDE)};
    struct layout packed = {0};
    size_t requant;
    enum status st = conv_quant_check(c->node, 3, err);

    if (st)
        return st;
    layout_add(&packed, 1, sizeof p);
    requant = requant_layout(&packed, s.channels);
    if ((st = prepare(c, &p, &packed, err)))
        return st;
    return requant_init(&((struct dw_plan *)c->packed)->requant, &s, (char *)c->packed + requant, err);
}

static void dw_quant_run(struct cpu_call *c)
{
    struct dw_plan *p = c->packed;
    const struct tensor *input = c->node->in[CONV_INPUT];

    requant_set_bias(&p->requant, node_in(c->node, CONV_BIAS), (size_t)p->g.oc);
    widen_all(c->threads, input->type, input->data, quant_zero(input), tensor_elems(input), (int16_t *)((char *)c->scratch + p->x));
    run(c, NULL, &p->requant);
}

const struct conv_impl dw_quant = {dw_quant_prepare, dw_quant_run};

/* Hybrid: every image is quantized as a whole, with a zero point. */

static enum status dw_hybrid_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = c->node->opt;
    struct dw_plan p = {.g = *g, .run = dw_i16_run(false)};
    struct layout packed = {0};
    struct range_f32 range;
    enum status st;

    if ((st = activation_range(o->activation, &range, err)) || (st = quant_check_filter(c->node->in[CONV_FILTER], 3, err)))
        return st;
    layout_add(&packed, 1, sizeof p);
    return prepare(c, &p, &packed, err);
}

static const void *hybrid_post_make(const void *arg, size_t image, void *room)
{
    const struct cpu_call *c = arg;
    const struct dw_plan *p = c->packed;
    const struct opt_depthwise_conv_2d *o = c->node->opt;
    const struct tensor *filter = c->node->in[CONV_FILTER], *bias = node_in(c->node, CONV_BIAS);
    struct hybrid_post *out = room;

    *out = (struct hybrid_post){
        .order = HYBRID_FACTOR_FIRST,
        .scale = filter->quant.scale,
        .scale_step = filter->quant.n > 1,
        .factor = (const float *)((char *)c->scratch + p->factor) + image,
        .bias = bias ? bias->data : NULL,
        .activation = o->activation,
    };
    hybrid_post_init(out);
    return out;
}

static void images_quantize(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct dw_plan *p = c->packed;
    const float *x = c->node->in[CONV_INPUT]->data;
    size_t elems = (size_t)p->g.ih * (size_t)p->g.iw * (size_t)p->g.ic;

    for (size_t i = begin; i < end; i++)
        ((float *)((char *)c->scratch + p->factor))[i] = hybrid_quantize(c->mode, x + i * elems, elems, true,
                                                                         (int16_t *)((char *)c->scratch + p->x) + i * elems, NULL);
}

static void dw_hybrid_run(struct cpu_call *c)
{
    const struct dw_plan *p = c->packed;

    threads_for(c->threads, (size_t)p->g.n, 1, images_quantize, c);
    run(c, hybrid_post_make, c);
}

const struct conv_impl dw_hybrid = {dw_hybrid_prepare, dw_hybrid_run};
