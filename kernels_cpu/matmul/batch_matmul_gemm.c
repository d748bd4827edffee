/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_gemm.c - BATCH_MATMUL of any element type on the gemm loops. */
#include "kernels_cpu/matmul/batch_matmul_gemm.h"

void bmm_gemm_init(struct bmm_gemm *p, const struct gemm_type *type, const struct bmm_shape *s)
{
    *p = (struct bmm_gemm){.s = *s, .type = type, .isa = type->isa()};
    p->matrix = gemm_packed_bytes(type, p->isa, 1, s->k, s->n);
}

size_t bmm_gemm_weights_layout(const struct bmm_gemm *p, struct layout *l)
{
    return layout_add(l, p->s.w_batches, p->matrix);
}

struct move_job {
    const struct bmm_gemm *p;
    const char *from;
    char *to;
};

static void pack_matrices(void *arg, size_t begin, size_t end)
{
    const struct move_job *j = arg;
    const struct bmm_gemm *p = j->p;
    const struct bmm_shape *s = &p->s;
    const size_t zero = 0;

    for (size_t i = begin; i < end; i++) {
        struct gemm_source source = {j->from + i * s->k * s->n * p->type->bytes, &zero, s->adj_y ? 1 : s->n, s->adj_y ? s->k : 1};

        p->type->pack(p->isa, 1, s->k, s->n, source, j->to + i * p->matrix);
    }
}

void bmm_gemm_pack(const struct bmm_gemm *p, const void *w, void *packed, struct threads *threads)
{
    struct move_job job = {p, w, packed};

    threads_for(threads, p->s.w_batches, 1, pack_matrices, &job);
}

static void transpose_matrices(void *arg, size_t begin, size_t end)
{
    const struct move_job *j = arg;
    const struct bmm_shape *s = &j->p->s;
    size_t elems = s->k * s->m;

    for (size_t i = begin * elems; i < end * elems; i++) {
        size_t k = i % elems / s->m, m = i % s->m, to = i - i % elems + m * s->k + k;

        if (j->p->type->bytes == sizeof(float))
            ((float *)(void *)j->to)[to] = ((const float *)(const void *)j->from)[i];
        else
            ((int16_t *)(void *)j->to)[to] = ((const int16_t *)(const void *)j->from)[i];
    }
}

void bmm_gemm_transpose(const struct bmm_gemm *p, const void *x, void *out, struct threads *threads)
{
    struct move_job job = {p, x, out};

    threads_for(threads, p->s.x_batches, 1, transpose_matrices, &job);
}

void bmm_gemm_run(const struct bmm_gemm *p, const struct bmm_gemm_run *r, struct threads *threads)
{
    const struct bmm_shape *s = &p->s;
    const size_t zero = 0;
    struct gemm gemm = {
        .isa = p->isa,
        .rows = 1,
        .cols = s->m,
        .x_col = s->k * p->type->bytes,
        .y_col = s->n * r->y_bytes,
        .channels = s->n,
        .depth = s->k,
        .taps = 1,
        .tap_x = &zero,
        .tap_w = &zero,
        .w_taps = 1,
    };
    size_t batches = s->batches;

    /* One matrix w for all of x: they are one tall matrix. */
    if (s->w_batches == 1 && batches) {
        gemm.cols *= batches;
        batches = 1;
    }
    for (size_t i = 0; i < batches; i++) {
        char room[256] __attribute__((aligned(16)));
        size_t xi, wi;

        bmm_operands(s, i, &xi, &wi);
        gemm.x = (const char *)r->x + xi * s->m * s->k * p->type->bytes;
        gemm.w = (const char *)r->packed + wi * p->matrix;
        gemm.y = (char *)r->y + i * s->m * gemm.y_col;
        gemm.post = r->post ? r->post(r->post_arg, xi, room) : r->post_arg;
        gemm_run(&gemm, threads);
    }
}
