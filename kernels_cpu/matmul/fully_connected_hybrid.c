/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_hybrid.c - FULLY_CONNECTED on float activations with weights of at most 8 bits. Every row of the input is
 * quantized on its own. */
#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"

struct fc_plan {
    struct fc_shape s;
    const struct gemm_isa *isa;
    struct int_weights weights;
    size_t w, x, factor; /* offsets: of packed weights in packed or scratch, of the others in scratch */
};

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct fc_plan *p = c->packed;
    const size_t zero = 0;
    struct gemm_source source = {widened, &zero, 1, p->s.depth};

    gemm_i16.pack(p->isa, 1, p->s.depth, p->s.units, source, base + p->w);
}

static enum status fc_hybrid_prepare(struct cpu_call *c, struct fc_shape s, struct err *err)
{
    const struct tensor as_read = hybrid_filter(c->node->in[FC_FILTER]);
    struct fc_plan p = {.s = s, .isa = gemm_i16.isa(), .weights = int_weights_init(&as_read, 0)};
    struct layout packed = {0}, scratch = {0};
    enum status st = quant_check_filter(&as_read, 0, err);

    if (st)
        return st;
    layout_add(&packed, 1, sizeof p);
    p.w = layout_add(int_weights_layout(&p.weights, &packed, &scratch), 1,
                     gemm_packed_bytes(&gemm_i16, p.isa, 1, s.depth, s.units));
    p.x = layout_add(&scratch, s.batch * s.depth + 1, sizeof(int16_t));
    p.factor = layout_add(&scratch, s.batch, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct fc_plan *)c->packed = p;
    c->scratch_bytes = scratch.bytes;
    return int_weights_prepare(c, &p.weights, pack, err);
}

static void rows_quantize(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct fc_plan *p = c->packed;
    const struct opt_fully_connected *o = c->node->opt;
    const float *x = c->node->in[FC_INPUT]->data;

    for (size_t i = begin; i < end; i++)
        ((float *)((char *)c->scratch + p->factor))[i] = hybrid_quantize(
            c->mode, x + i * p->s.depth, p->s.depth, o->asymmetric_quantize_inputs,
            (int16_t *)((char *)c->scratch + p->x) + i * p->s.depth, NULL);
}

static void fc_hybrid_run(struct cpu_call *c)
{
    const struct fc_plan *p = c->packed;
    const struct opt_fully_connected *o = c->node->opt;
    const struct tensor *filter = c->node->in[FC_FILTER], *bias = node_in(c->node, FC_BIAS);
    int16_t *x = (int16_t *)((char *)c->scratch + p->x);
    struct hybrid_post post = {
        .order = HYBRID_FACTOR_FIRST,
        .scale = filter->quant.scale,
        .scale_step = filter->quant.n > 1,
        .factor = (const float *)((char *)c->scratch + p->factor),
        .factor_step = 1,
        .bias = bias ? bias->data : NULL,
        .activation = o->activation,
        .like_rnn = true,
    };
    struct gemm gemm = fc_gemm(&p->s, p->isa, sizeof *x, sizeof(float));

    hybrid_post_init(&post);
    threads_for(c->threads, p->s.batch, 1, rows_quantize, c);
    x[p->s.batch * p->s.depth] = 0;
    gemm.x = x;
    gemm.y = c->node->out[0]->data;
    gemm.w = int_weights_run(c, &p->weights, pack) + p->w;
    gemm.post = &post;
    gemm_run(&gemm, c->threads);
}

const struct fc_impl fc_hybrid = {fc_hybrid_prepare, fc_hybrid_run};
