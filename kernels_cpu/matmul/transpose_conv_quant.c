/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_quant.c - TRANSPOSE_CONV on UINT8, INT8 and INT16 activations. */
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/matmul/transpose_conv_gemm.h"
#include "kernels_cpu/quant/widen.h"

struct tconv_plan {
    struct tconv_gemm p;
    struct tconv t;
    struct requant requant;
    struct int_weights weights;
};

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct tconv_plan *p = c->packed;

    tconv_gemm_pack(&p->p, widened, base + p->p.w);
}

enum status tconv_quant_check(const struct tconv *t, const struct tensor *output, struct err *err)
{
    enum status st;

    if ((st = quant_check(t->input, err)) || (st = quant_check(output, err)))
        return st;
    return quant_check_filter(t->filter, 0, err);
}

struct requant_spec tconv_quant_spec(const struct tconv *t, const struct tensor *output)
{
    bool wide = t->input->type == TYPE_INT16 && (!t->bias || t->bias->type == TYPE_INT64);

    return (struct requant_spec){
        .kind = wide ? REQUANT_FIXED_WIDE : REQUANT_FIXED,
        .input = t->input,
        .filter = t->filter,
        .output = output,
        .bias = t->bias,
        .channels = (size_t)t->g.oc,
        .activation = t->activation,
        .float_product = t->input->type == TYPE_UINT8,
    };
}

static enum status tconv_quant_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct requant_spec s = tconv_quant_spec(t, c->node->out[0]);
    struct tconv_plan p = {.t = *t, .weights = int_weights_init(t->filter, quant_zero(t->filter))}, *kept;
    struct layout packed = {0}, scratch = {0};
    enum status st = tconv_quant_check(t, c->node->out[0], err);
    size_t requant;

    if (st)
        return st;
    layout_add(&packed, 1, sizeof p);
    requant = requant_layout(&packed, s.channels);
    tconv_gemm_init(&p.p, s.kind == REQUANT_FIXED_WIDE ? &gemm_i16_wide : &gemm_i16, &t->g,
                    int_weights_layout(&p.weights, &packed, &scratch), &scratch);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    c->scratch_bytes = scratch.bytes;
    if ((st = requant_init(&kept->requant, &s, (char *)c->packed + requant, err)))
        return st;
    return int_weights_prepare(c, &kept->weights, pack, err);
}

static void copy(const void *arg, size_t first, size_t n, void *out)
{
    const struct tensor *input = arg;

    widen(input->type, input->data, quant_zero(input), first, n, out);
}

static void tconv_quant_run(struct cpu_call *c)
{
    struct tconv_plan *p = c->packed;
    struct tconv_gemm_run r = {
        .weights = int_weights_run(c, &p->weights, pack) + p->p.w,
        .scratch = c->scratch,
        .copy = copy,
        .copy_arg = p->t.input,
        .output = c->node->out[0]->data,
        .output_bytes = type_bits(p->t.input->type) / 8,
        .post = &p->requant,
    };

    requant_set_bias(&p->requant, p->t.bias, (size_t)p->t.g.oc);
    tconv_gemm_run(&p->p, &r, c->threads);
}

const struct tconv_impl tconv_quant = {tconv_quant_prepare, tconv_quant_run};
