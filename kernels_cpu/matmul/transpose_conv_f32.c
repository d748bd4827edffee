/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_f32.c - float32 transposed convolution on the gemm loops.
 *
 * A padded zero changes no sum unless its weight is infinite or NaN; then tconv_literal_run runs instead. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/matmul/transpose_conv.h"
#include "kernels_cpu/matmul/transpose_conv_gemm.h"

struct tconv_plan {
    struct tconv_gemm p;
    struct tconv t;
    struct range_f32 range;
    bool constant; /* weights and bias were packed by prepare; else each run packs them into scratch */
    bool finite;   /* no weight is infinite or NaN */
    size_t bias;   /* offset in packed or scratch */
};

static bool weights_pack(const struct tconv_plan *p, char *base)
{
    const float *w = p->t.filter->data;
    size_t elems = tensor_elems(p->t.filter);
    bool finite = true;

    tconv_gemm_pack(&p->p, w, base + p->p.w);
    gemm_f32_pack_bias(p->p.isa, (size_t)p->t.g.oc, p->t.bias ? p->t.bias->data : NULL, (float *)(base + p->bias));
    for (size_t i = 0; i < elems; i++)
        finite &= isfinite(w[i]);
    return finite;
}

static enum status tconv_f32_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct tconv_plan p = {.t = *t, .finite = true};
    struct layout packed = {0}, scratch = {0}, *weights;
    enum status st = activation_range(t->activation, &p.range, err);

    if (st)
        return st;
    p.constant = t->filter->is_const && (!t->bias || t->bias->is_const);
    layout_add(&packed, 1, sizeof p);
    weights = p.constant ? &packed : &scratch;
    tconv_gemm_init(&p.p, &gemm_f32, &t->g, weights, &scratch);
    p.bias = layout_add(weights, gemm_panels(p.p.isa, (size_t)t->g.oc) * (size_t)p.p.isa->lanes, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    if (p.constant)
        p.finite = weights_pack(&p, c->packed);
    *(struct tconv_plan *)c->packed = p;
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static void tconv_f32_run(struct cpu_call *c)
{
    const struct tconv_plan *p = c->packed;
    char *weights = p->constant ? c->packed : c->scratch;
    bool finite = p->constant ? p->finite : weights_pack(p, weights);
    const struct gemm_f32_post post = {(const float *)(weights + p->bias), p->t.bias_first, p->range.lo, p->range.hi};
    struct tconv_gemm_run r = {
        .weights = weights + p->p.w,
        .scratch = c->scratch,
        .copy_arg = p->t.input->data,
        .output = c->node->out[0]->data,
        .output_bytes = sizeof(float),
        .post = &post,
    };

    if (!finite)
        tconv_literal_run(&p->t, p->range, c->node->out[0]->data, c->threads);
    else
        tconv_gemm_run(&p->p, &r, c->threads);
}

const struct tconv_impl tconv_f32 = {tconv_f32_prepare, tconv_f32_run};
