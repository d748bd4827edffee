/* SPDX-License-Identifier: Apache-2.0 */
/* conv_quant.c - CONV_2D on UINT8, INT8 and INT16 activations with UINT8, INT8 or INT4 weights.
 *
 * Inputs and weights are widened to int16, or, if the CPU multiplies bytes, INT8 inputs are computed as bytes with the zero point
 * included, whose share of each sum is subtracted in the bias. */
#include "kernels_cpu/matmul/conv.h"
#include "kernels_cpu/matmul/conv_gemm.h"
#include "kernels_cpu/matmul/gemm_bytes.h"
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/widen.h"

struct conv_plan {
    struct conv_gemm p;
    struct requant requant;
    struct int_weights weights;
    bool bytes;      /* on gemm_bytes: the weights are constant */
    size_t w, image; /* offsets: of packed weights in packed or scratch, of the padded image in scratch */
    size_t offset;   /* in packed: requant.offset, of bytes */
};

/* Store in offset[oc] the share of the input's zero point in the sums over `widened` [oc, kh, kw, group_ic]. */
static void offsets_sum(const struct conv_plan *p, const struct tensor *input, const int16_t *widened, int32_t *offset)
{
    size_t per_channel = (size_t)p->p.filter_kh * (size_t)p->p.filter_kw * p->p.group_ic;

    for (size_t oc = 0; oc < (size_t)p->p.g.oc; oc++, widened += per_channel) {
        uint32_t sum = 0;

        for (size_t t = 0; t < p->p.taps; t++)
            for (size_t k = 0; k < p->p.depth; k++)
                sum += (uint32_t)widened[p->p.tap_from[t] + k];
        offset[oc] = (int32_t)(0 - sum * (uint32_t)gemm_bytes_zero(input));
    }
}

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct conv_plan *p = c->packed;

    conv_gemm_pack(&p->p, widened, base + p->w);
    if (p->bytes)
        offsets_sum(p, c->node->in[CONV_INPUT], widened, (int32_t *)((char *)c->packed + p->offset));
}

struct requant_spec conv_quant_spec(const struct node *n)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *input = n->in[CONV_INPUT], *bias = node_in(n, CONV_BIAS);
    bool wide = input->type == TYPE_INT16 && (!bias || bias->type == TYPE_INT64);

    return (struct requant_spec){
        .kind = wide ? REQUANT_FIXED_WIDE : REQUANT_FIXED,
        .input = input,
        .filter = n->in[CONV_FILTER],
        .output = n->out[0],
        .bias = bias,
        .channels = (size_t)n->in[CONV_FILTER]->dim[0],
        .activation = o->activation,
        .float_product = input->type == TYPE_UINT8,
    };
}

static bool can_use_bytes(const struct cpu_call *c)
{
    const struct tensor *filter = c->node->in[CONV_FILTER];

    return c->node->in[CONV_INPUT]->type == TYPE_INT8 && filter->is_const && gemm_bytes.isa();
}

static enum status conv_quant_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct tensor *filter = c->node->in[CONV_FILTER];
    struct requant_spec s = conv_quant_spec(c->node);
    struct conv_plan p = {.bytes = can_use_bytes(c)}, *kept;
    struct layout packed = {0}, scratch = {0};
    size_t taps, requant;
    enum status st = conv_quant_check(c->node, 0, err);

    if (st)
        return st;
    conv_gemm_init(&p.p, p.bytes ? &gemm_bytes : s.kind == REQUANT_FIXED ? &gemm_i16 : &gemm_i16_wide, g, filter->dim[3]);
    layout_add(&packed, 1, sizeof p);
    taps = conv_gemm_taps_layout(&p.p, &packed);
    requant = requant_layout(&packed, s.channels);
    p.offset = layout_add(&packed, p.bytes ? s.channels : 0, sizeof(int32_t));
    p.weights = int_weights_init(filter, quant_zero(filter));
    p.w = conv_gemm_weights_layout(&p.p, int_weights_layout(&p.weights, &packed, &scratch));
    p.image = conv_gemm_image_layout(&p.p, &scratch);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    conv_gemm_taps(&kept->p, (char *)c->packed + taps);
    c->scratch_bytes = scratch.bytes;
    if ((st = requant_init(&kept->requant, &s, (char *)c->packed + requant, err)))
        return st;
    if (p.bytes)
        kept->requant.offset = (int32_t *)((char *)c->packed + p.offset);
    return int_weights_prepare(c, &kept->weights, pack, err);
}

static const void *post(const void *arg, size_t image, size_t group, void *room)
{
    const struct conv_plan *p = arg;
    struct requant *r = room;

    (void)image;
    *r = requant_from(&p->requant, group * p->p.group_oc);
    return r;
}

static void copy(const void *arg, size_t first, size_t n, void *out)
{
    const struct tensor *input = arg;

    widen(input->type, input->data, quant_zero(input), first, n, out);
}

static void copy_bytes(const void *arg, size_t first, size_t n, void *out)
{
    gemm_bytes_lifted((const char *)((const struct tensor *)arg)->data + first, n, out);
}

static void conv_quant_run(struct cpu_call *c)
{
    struct conv_plan *p = c->packed;
    const struct node *n = c->node;
    struct conv_gemm_run r = {
        .weights = int_weights_run(c, &p->weights, pack) + p->w,
        .image = (char *)c->scratch + p->image,
        .copy = p->bytes ? copy_bytes : copy,
        .copy_arg = n->in[CONV_INPUT],
        .pad_byte = p->bytes ? (uint8_t)gemm_bytes_zero(n->in[CONV_INPUT]) : 0,
        .output = n->out[0]->data,
        .output_bytes = type_bits(n->out[0]->type) / 8,
        .post = post,
        .post_arg = p,
    };

    requant_set_bias(&p->requant, node_in(n, CONV_BIAS), (size_t)p->p.g.oc);
    conv_gemm_run(&p->p, &r, c->threads);
}

const struct conv_impl conv_quant = {conv_quant_prepare, conv_quant_run};
