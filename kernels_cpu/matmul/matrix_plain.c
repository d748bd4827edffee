/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_plain.c - matrix products by their definition. */
#include "kernels_cpu/matmul/matrix_plain.h"

struct rows_job {
    const struct cpu_call *c;
    const struct matrix_plain *m;
};

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct rows_job *j = arg;
    const struct matrix_plain *m = j->m;
    const size_t channels = m->p.channels, step = reference_product_is_across(&m->p) ? channels : m->depth;

    for (size_t row = begin; row < end; row++) {
        void *sums = reference_product_sums(j->c, &m->p, row, row);
        size_t x = row, w = 0;

        if (m->operands)
            m->operands(m->arg, row, &x, &w);
        reference_product_add(j->c, &m->p, x, x * m->depth, m->depth, w * m->depth * channels, step, 0, channels, sums);
        reference_product_finish(j->c, &m->p, x, row, sums);
    }
}

void matrix_plain_compute(struct cpu_call *c)
{
    struct matrix_plain *m = c->packed;
    struct rows_job job = {c, m};

    reference_product_begin(c, &m->p);
    threads_for(c->threads, m->p.lines, 1, rows_run, &job);
}
