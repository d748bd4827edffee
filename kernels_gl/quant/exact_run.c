/* SPDX-License-Identifier: Apache-2.0 */
/* exact_run.c - see exact_run.h */
#include "kernels_gl/quant/exact_run.h"

#include "kernels_cpu/quant/packed_int.h"
#include "kernels_cpu/quant/quant_check.h"
#include "lib/base/threads.h"
#include "lib/graph/kernel.h"

#define MOST_ENTRIES (1 << 16)

/* `t` with other content. */
static struct tensor stand_in(const struct tensor *t, void *data, size_t n)
{
    struct tensor s = *t;

    s.rank = 1;
    s.dim[0] = (int32_t)n;
    s.data = data;
    s.bytes = n * type_bits(t->type) / 8;
    s.is_const = s.is_known = s.is_variable = s.is_dynamic = false;
    s.sparsity = NULL;
    return s;
}

enum status exact_run(const struct node *n, void *const *x, uint32_t n_x, void *y, size_t n_elems, struct err *err)
{
    struct tensor in[2], out = stand_in(n->out[0], y, n_elems);
    struct tensor *ins[2] = {&in[0], &in[1]}, *outs[1] = {&out};
    struct node node = *n;
    struct cpu_call call = {.node = &node, .mode = CPU_REFERENCE};
    enum status st = threads_new(1, &call.threads, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < n_x; i++)
        in[i] = stand_in(n->in[i], x[i], n_elems);
    node.in = ins;
    node.n_in = n_x;
    node.out = outs;
    node.n_out = 1;
    st = cpu_run_once(&call, err);
    threads_free(call.threads);
    return st;
}

bool exact_table_fits(const struct node *n, uint32_t n_x, struct reason *why)
{
    const uint32_t bits = type_bits(n->in[0]->type) + (n_x > 1 ? type_bits(n->in[1]->type) : 0);

    if (bits <= 16)
        return true;
    return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION,
                      "functions of two values of %u bits together have no exact integer shader, which are tables of %d", bits,
                      MOST_ENTRIES);
}

/* What the CPU's kernel is asked in the place of value v of input i: those at which a run of it fails have an answer, too. */
static int32_t taken(const struct node *n, uint32_t i, int32_t v)
{
    const int32_t zero = quant_zero(n->in[i]);

    if (n->builtin == BUILTIN_SQRT || n->builtin == BUILTIN_RSQRT)
        return v < zero ? zero : v;
    if (n->builtin == BUILTIN_DIV && i == 1 && v == zero)
        return zero < int_limits(n->in[i]->type).hi ? zero + 1 : zero - 1;
    return v;
}

enum status exact_table_fill(const struct node *n, uint32_t n_x, struct arena *a, struct exact_table *t, struct err *err)
{
    const size_t bytes = type_bits(n->out[0]->type) / 8;
    void *x[2] = {NULL, NULL}, *y;
    size_t entries = 1;

    *t = (struct exact_table){.count = {1, 1}, .type = n->out[0]->type};
    for (uint32_t i = 0; i < n_x; i++) {
        const struct range_i32 range = int_limits(n->in[i]->type);

        t->first[i] = range.lo;
        t->count[i] = range.hi - range.lo + 1;
        entries *= (size_t)t->count[i];
    }
    if (!(t->entries = y = arena_alloc(a, entries, bytes)))
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < n_x; i++)
        if (!(x[i] = arena_alloc(a, entries, type_bits(n->in[i]->type) / 8)))
            return err_set(err, ST_NOMEM, "out of memory");
    for (size_t e = 0; e < entries; e++)
        for (uint32_t i = 0; i < n_x; i++) {
            const size_t k = n_x == 2 && i == 0 ? e / (size_t)t->count[1] : e % (size_t)t->count[i];
            const int32_t v = taken(n, i, t->first[i] + (int32_t)k);

            packed_int_store(n->in[i]->type, x[i], e, 1, &v);
        }
    return exact_run(n, x, n_x, y, entries, err);
}
