/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_quant.c - TRANSPOSE_CONV on UINT8, INT8 and INT16 activations. */
#include <stdlib.h>

#include "../quant/widen.h"
#include "transpose_conv.h"
#include "transpose_conv_gemm.h"

struct tconv_plan {
    const struct tconv_impl *impl;
    struct tconv_gemm p;
    struct tconv t;
    struct requant requant;
    bool constant;  /* weights were packed by prepare; else each run packs them into scratch */
    size_t widened; /* offset in scratch */
};

static enum status weights_prepare(struct cpu_call *c, const struct tconv_plan *p, struct err *err)
{
    int16_t *widened = widen_new(c->threads, p->t.filter, quant_zero(p->t.filter), err);

    if (!widened)
        return ST_NOMEM;
    tconv_gemm_pack(&p->p, widened, (char *)c->packed + p->p.w);
    free(widened);
    return ST_OK;
}

/* The same in a run, for weights that are not constant. */
static void weights_run(struct cpu_call *c, const struct tconv_plan *p, char *packed)
{
    const struct tensor *filter = p->t.filter;
    int16_t *widened = (int16_t *)((char *)c->scratch + p->widened);

    widen_all(c->threads, filter->type, filter->data, quant_zero(filter), tensor_elems(filter), widened);
    tconv_gemm_pack(&p->p, widened, packed);
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
    struct tconv_plan p = {.impl = &tconv_quant, .t = *t, .constant = t->filter->is_const}, *kept;
    struct layout packed = {0}, scratch = {0};
    enum status st = tconv_quant_check(t, c->node->out[0], err);
    size_t requant;

    if (st)
        return st;
    layout_add(&packed, 1, sizeof p);
    requant = requant_layout(&packed, s.channels);
    tconv_gemm_init(&p.p, s.kind == REQUANT_FIXED_WIDE ? &gemm_i16_wide : &gemm_i16, &t->g, p.constant ? &packed : &scratch,
                    &scratch);
    if (!p.constant)
        p.widened = layout_add(&scratch, tensor_elems(t->filter), sizeof(int16_t));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    c->scratch_bytes = scratch.bytes;
    if ((st = requant_init(&kept->requant, &s, (char *)c->packed + requant, err)))
        return st;
    return p.constant ? weights_prepare(c, kept, err) : ST_OK;
}

static void copy(const void *arg, size_t first, size_t n, void *out)
{
    const struct tensor *input = arg;

    widen(input->type, input->data, quant_zero(input), first, n, out);
}

static enum status tconv_quant_run(struct cpu_call *c, struct err *err)
{
    struct tconv_plan *p = c->packed;
    char *weights = (p->constant ? (char *)c->packed : (char *)c->scratch) + p->p.w;
    struct tconv_gemm_run r = {
        .weights = weights,
        .scratch = c->scratch,
        .copy = copy,
        .copy_arg = p->t.input,
        .output = c->node->out[0]->data,
        .output_bytes = type_bits(p->t.input->type) / 8,
        .post = &p->requant,
    };

    (void)err;
    requant_set_bias(&p->requant, p->t.bias, (size_t)p->t.g.oc);
    if (!p->constant)
        weights_run(c, p, weights);
    tconv_gemm_run(&p->p, &r, c->threads);
    return ST_OK;
}

const struct tconv_impl tconv_quant = {tconv_quant_prepare, tconv_quant_run};
