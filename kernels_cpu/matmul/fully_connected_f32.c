/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_f32.c - float32 FULLY_CONNECTED on the gemm loops. */
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/matmul/gemm.h"

struct fc_plan {
    struct fc_shape s;
    struct range_f32 range;
    const struct gemm_isa *isa;
    bool constant;  /* weights and bias were packed by prepare; else each run packs them into scratch */
    size_t w, bias; /* offsets in packed or scratch */
};

static void weights_pack(const struct fc_plan *p, const struct node *n, char *base)
{
    const struct tensor *bias = node_in(n, FC_BIAS);
    struct gemm_source source = {n->in[FC_FILTER]->data, &(const size_t){0}, 1, p->s.depth};

    gemm_f32.pack(p->isa, 1, p->s.depth, p->s.units, source, base + p->w);
    gemm_f32_pack_bias(p->isa, p->s.units, bias ? bias->data : NULL, (float *)(base + p->bias));
}

static enum status fc_f32_prepare(struct cpu_call *c, struct fc_shape s, struct err *err)
{
    const struct opt_fully_connected *o = c->node->opt;
    const struct tensor *bias = node_in(c->node, FC_BIAS);
    struct fc_plan p = {.s = s, .isa = gemm_f32.isa()};
    struct layout packed = {0}, scratch = {0}, *weights;
    enum status st = activation_range(o->activation, &p.range, err);

    if (st)
        return st;
    p.constant = c->node->in[FC_FILTER]->is_const && (!bias || bias->is_const);
    layout_add(&packed, 1, sizeof p);
    weights = p.constant ? &packed : &scratch;
    p.w = layout_add(weights, 1, gemm_packed_bytes(&gemm_f32, p.isa, 1, s.depth, s.units));
    p.bias = layout_add(weights, gemm_panels(p.isa, s.units) * (size_t)p.isa->lanes, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct fc_plan *)c->packed = p;
    if (p.constant)
        weights_pack(&p, c->node, c->packed);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static void fc_f32_run(struct cpu_call *c)
{
    const struct fc_plan *p = c->packed;
    const char *weights = p->constant ? c->packed : c->scratch;
    const struct gemm_f32_post post = {(const float *)(weights + p->bias), false, p->range.lo, p->range.hi};
    struct gemm gemm = fc_gemm(&p->s, p->isa, sizeof(float), sizeof(float));

    if (!p->constant)
        weights_pack(p, c->node, c->scratch);
    gemm.x = c->node->in[FC_INPUT]->data;
    gemm.y = c->node->out[0]->data;
    gemm.w = weights + p->w;
    gemm.post = &post;
    gemm_run(&gemm, c->threads);
}

const struct fc_impl fc_f32 = {fc_f32_prepare, fc_f32_run};
