/* SPDX-License-Identifier: Apache-2.0 */
/* cumsum.c - CUMSUM: running sums along an axis. */
#include "kernels_cpu/common/axis.h"
#include "kernels_cpu/common/move.h"

/* One line of n elements `step` apart. U is where integers wrap. */
#define LINE(T, U)                                                                                                                 \
    static void line_##T(const void *src, void *dst, size_t at, size_t n, ptrdiff_t step, bool exclusive)                          \
    {                                                                                                                              \
        const T *x = (const T *)src + at;                                                                                          \
        T *y = (T *)dst + at, sum = 0;                                                                                             \
                                                                                                                                   \
        for (size_t i = 0; i < n; i++, x += step, y += step) {                                                                     \
            T next = (T)((U)sum + (U)*x);                                                                                          \
                                                                                                                                   \
            *y = exclusive ? sum : next;                                                                                           \
            sum = next;                                                                                                            \
        }                                                                                                                          \
    }

LINE(float, float)
LINE(int32_t, uint32_t)
LINE(int64_t, uint64_t)

static enum status cumsum_run(struct cpu_call *c, struct err *err)
{
    const struct opt_cumsum *opt = c->node->opt;
    const struct tensor *x = c->node->in[0];
    void (*line)(const void *, void *, size_t, size_t, ptrdiff_t, bool);
    size_t outer, inner, n;
    int32_t axis;
    enum status st = axis_read(c->node->in[1], c->node->in[0]->rank, &axis, err);

    if (st)
        return st;
    line = x->type == TYPE_FLOAT32 ? line_float : x->type == TYPE_INT32 ? line_int32_t : line_int64_t;
    outer = shape_count(x->dim, 0, axis);
    n = (size_t)x->dim[axis];
    inner = shape_count(x->dim, axis + 1, x->rank);
    for (size_t o = 0; o < outer && n; o++)
        for (size_t i = 0; i < inner; i++)
            line(x->data, c->node->out[0]->data, (o * n + (opt->reverse ? n - 1 : 0)) * inner + i, n,
                 opt->reverse ? -(ptrdiff_t)inner : (ptrdiff_t)inner, opt->exclusive);
    return ST_OK;
}

const struct cpu_kernel cpu_cumsum = {
    .arity = {2, 2, 1}, .shape = shape_same, .in = {CPU_F32 | CPU_INDEX}, .prepare = move_prepare, .run = cumsum_run};
