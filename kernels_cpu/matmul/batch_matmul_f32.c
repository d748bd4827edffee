/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_f32.c - float32 BATCH_MATMUL. */
#include <math.h>

#include "kernels_cpu/matmul/batch_matmul_gemm.h"

struct bmm_plan {
    struct bmm_gemm p;
    bool constant;      /* w was packed by prepare; else each run packs it into scratch */
    size_t w, zeros, x; /* offsets: packed w, the bias in packed, transposed x in scratch */
};

static enum status bmm_f32_prepare(struct cpu_call *c, const struct bmm_shape *s, struct err *err)
{
    const struct tensor *w = c->node->in[1];
    struct bmm_plan p = {.constant = w->is_const};
    struct layout packed = {0}, scratch = {0};
    enum status st;

    bmm_gemm_init(&p.p, &gemm_f32, s);
    layout_add(&packed, 1, sizeof p);
    p.zeros = layout_add(&packed, gemm_panels(p.p.isa, s->n) * (size_t)p.p.isa->lanes, sizeof(float));
    p.w = bmm_gemm_weights_layout(&p.p, p.constant ? &packed : &scratch);
    if (s->adj_x)
        p.x = layout_add(&scratch, tensor_elems(c->node->in[0]), sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct bmm_plan *)c->packed = p;
    if (p.constant)
        bmm_gemm_pack(&p.p, w->data, (char *)c->packed + p.w, c->threads);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static void bmm_f32_run(struct cpu_call *c)
{
    const struct bmm_plan *p = c->packed;
    const struct node *n = c->node;
    char *w = (p->constant ? (char *)c->packed : (char *)c->scratch) + p->w;
    const struct gemm_f32_post f32_post = {(const float *)((char *)c->packed + p->zeros), false, -INFINITY, INFINITY};
    struct bmm_gemm_run r = {
        .x = n->in[0]->data,
        .packed = w,
        .y = n->out[0]->data,
        .y_bytes = sizeof(float),
        .post_arg = &f32_post,
    };

    if (!p->constant)
        bmm_gemm_pack(&p->p, n->in[1]->data, w, c->threads);
    if (p->p.s.adj_x) {
        bmm_gemm_transpose(&p->p, r.x, (char *)c->scratch + p->x, c->threads);
        r.x = (char *)c->scratch + p->x;
    }
    bmm_gemm_run(&p->p, &r, c->threads);
}

const struct bmm_impl bmm_f32 = {bmm_f32_prepare, bmm_f32_run};
