/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv_f32.c - float32 DEPTHWISE_CONV_2D. */
#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/depthwise_conv.h"
#include "kernels_cpu/matmul/depthwise_rows.h"

struct dw_plan {
    struct conv_geometry g;
    struct range_f32 range;
    dw_run_fn run;
    size_t zeros; /* offset in packed: stands for an omitted bias */
};

static enum status dw_f32_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = c->node->opt;
    struct layout packed = {0}, scratch = {0};
    struct dw_plan p = {.g = *g, .run = dw_f32_run()};
    enum status st = activation_range(o->activation, &p.range, err);

    if (st)
        return st;
    layout_add(&packed, 1, sizeof p);
    p.zeros = layout_add(&packed, (size_t)g->oc, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct dw_plan *)c->packed = p;
    if (g->oc != g->ic)
        dw_expanded_layout(g, sizeof(float), &scratch);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static void dw_f32_run_all(struct cpu_call *c)
{
    const struct dw_plan *p = c->packed;
    const struct tensor *input = c->node->in[CONV_INPUT], *bias = node_in(c->node, CONV_BIAS);
    const struct dw_f32_post f32_post = {bias ? bias->data : (float *)((char *)c->packed + p->zeros), p->range.lo, p->range.hi};
    struct dw_rows r = {
        .g = p->g,
        .run = p->run,
        .x = input->data,
        .w = c->node->in[CONV_FILTER]->data,
        .y = c->node->out[0]->data,
        .x_bytes = sizeof(float),
        .w_bytes = sizeof(float),
        .y_bytes = sizeof(float),
        .post_arg = &f32_post,
    };

    if (p->g.oc != p->g.ic) {
        dw_expand(&p->g, input->data, sizeof(float), c->scratch, c->threads);
        r.x = c->scratch;
    }
    dw_rows_run(&r, c->threads);
}

const struct conv_impl dw_f32 = {dw_f32_prepare, dw_f32_run_all};
