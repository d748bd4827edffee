/* batch_matmul_f32.c - float32 BATCH_MATMUL on the gemm loops: every matrix of w is packed, once where it is constant. */
#include <math.h>

#include "batch_matmul.h"
#include "gemm.h"
#include "layout.h"

struct bmm_plan {
    const struct bmm_impl *impl;
    struct bmm_shape s;
    const struct gemm_isa *isa;
    bool constant;               /* w was packed by prepare; else each run packs it into scratch */
    size_t w, bias, x;           /* offsets of packed w, of zeros in packed, of transposed x in scratch */
    size_t matrix;               /* bytes of one packed matrix */
};

struct pack_job {
    const struct bmm_plan *p;
    const float *from;
    float *to;
};

static void w_pack(void *arg, size_t begin, size_t end)
{
    const struct pack_job *j = arg;
    const struct bmm_shape *s = &j->p->s;
    const size_t zero = 0;

    for (size_t i = begin; i < end; i++) {
        struct gemm_source source = {j->from + i * s->k * s->n, &zero, s->adj_y ? 1 : s->n, s->adj_y ? s->k : 1};

        gemm_f32.pack(j->p->isa, 1, s->k, s->n, source, (char *)j->to + i * j->p->matrix);
    }
}

static void x_transpose(void *arg, size_t begin, size_t end)
{
    const struct pack_job *j = arg;
    const struct bmm_shape *s = &j->p->s;

    for (size_t i = begin; i < end; i++) {
        const float *from = j->from + i * s->k * s->m;
        float *to = j->to + i * s->k * s->m;

        for (size_t m = 0; m < s->m; m++)
            for (size_t k = 0; k < s->k; k++)
                to[m * s->k + k] = from[k * s->m + m];
    }
}

static enum status bmm_f32_prepare(struct cpu_call *c, const struct bmm_shape *s, struct err *err)
{
    struct bmm_plan p = {.impl = &bmm_f32, .s = *s, .isa = gemm_f32.isa(c->mode)}, *kept;
    struct layout packed = {0}, scratch = {0};
    const struct tensor *w = c->node->in[1];
    enum status st;

    p.constant = w->is_const;
    p.matrix = gemm_f32.packed_bytes(p.isa, 1, s->k, s->n);
    layout_add(&packed, 1, sizeof p);
    p.bias = layout_add(&packed, gemm_panels(p.isa, s->n) * (size_t)p.isa->lanes, sizeof(float));
    p.w = layout_add(p.constant ? &packed : &scratch, s->w_batches, p.matrix);
    if (s->adj_x)
        p.x = layout_add(&scratch, tensor_elems(c->node->in[0]), sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    kept = c->packed;
    *kept = p;
    if (p.constant)
        w_pack(&(struct pack_job){kept, w->data, (float *)((char *)c->packed + p.w)}, 0, s->w_batches);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

static enum status bmm_f32_run(struct cpu_call *c, struct err *err)
{
    const struct bmm_plan *p = c->packed;
    const struct bmm_shape *s = &p->s;
    const float *x = c->node->in[0]->data;
    float *w = (float *)((p->constant ? (char *)c->packed : (char *)c->scratch) + p->w);
    const struct gemm_f32_post post = {(const float *)((char *)c->packed + p->bias), false, -INFINITY, INFINITY};
    const size_t zero = 0;
    struct gemm gemm = {
        .isa = p->isa, .rows = 1, .cols = s->m, .x_col = s->k * sizeof(float), .y_col = s->n * sizeof(float),
        .channels = s->n, .depth = s->k, .taps = 1, .tap_x = &zero, .tap_w = &zero, .w_taps = 1, .post = &post,
    };
    size_t batches = s->batches, xi, wi;

    (void)err;
    if (!p->constant)
        threads_for(c->threads, s->w_batches, 1, w_pack, &(struct pack_job){p, c->node->in[1]->data, w});
    if (s->adj_x) {
        float *transposed = (float *)((char *)c->scratch + p->x);

        threads_for(c->threads, s->x_batches, 1, x_transpose, &(struct pack_job){p, x, transposed});
        x = transposed;
    }
    if (s->w_batches == 1 && batches) {
        gemm.cols *= batches;
        batches = 1;
    }
    for (size_t i = 0; i < batches; i++) {
        bmm_operands(s, i, &xi, &wi);
        gemm.x = x + xi * s->m * s->k;
        gemm.w = (char *)w + wi * p->matrix;
        gemm.y = (float *)c->node->out[0]->data + i * s->m * s->n;
        gemm_run(&gemm, c->threads);
    }
    return ST_OK;
}

const struct bmm_impl bmm_f32 = {bmm_f32_prepare, bmm_f32_run};
