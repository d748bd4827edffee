/* SPDX-License-Identifier: Apache-2.0 */
/* move.c - copies along strides: neighbouring dimensions merged, lines shared between threads. */
#include "kernels_cpu/common/move.h"

#include <stdlib.h>
#include <string.h>

#include "kernels_cpu/common/strings.h"
#include "kernels_cpu/common/transpose_words.h"

/* Below this, handing a piece to another thread costs more than copying it. */
#define PIECE_BYTES (256 << 10)

void move_dim(struct move *m, size_t dim, ptrdiff_t dst, ptrdiff_t src)
{
    int32_t last = m->rank - 1;

    if (dim == 0)
        m->empty = true;
    if (dim == 1)
        return;
    if (last >= 0 && m->dst[last] == (ptrdiff_t)dim * dst && m->src[last] == (ptrdiff_t)dim * src) {
        m->dim[last] *= dim;
        m->dst[last] = dst;
        m->src[last] = src;
        return;
    }
    m->dim[m->rank] = dim;
    m->dst[m->rank] = dst;
    m->src[m->rank] = src;
    m->rank++;
}

/* Call fn on the lines [begin, end), counted over all outer dimensions. */
static void walk(const struct move *m, size_t begin, size_t end,
                 void (*fn)(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line), void *arg)
{
    int32_t outer = m->rank - 1;
    struct move_line line = {1, 1, 1};
    size_t at[MOVE_MAX_RANK];
    ptrdiff_t dst = m->dst0, src = m->src0;
    size_t rest = begin;

    if (begin == end)
        return;
    if (outer >= 0)
        line = (struct move_line){m->dim[outer], m->dst[outer], m->src[outer]};
    for (int32_t d = outer - 1; d >= 0; d--) {
        at[d] = rest % m->dim[d];
        rest /= m->dim[d];
        dst += (ptrdiff_t)at[d] * m->dst[d];
        src += (ptrdiff_t)at[d] * m->src[d];
    }
    for (size_t i = begin; i < end; i++) {
        fn(arg, dst, src, &line);
        for (int32_t d = outer - 1; d >= 0; d--) {
            dst += m->dst[d];
            src += m->src[d];
            if (++at[d] < m->dim[d])
                break;
            dst -= (ptrdiff_t)m->dim[d] * m->dst[d];
            src -= (ptrdiff_t)m->dim[d] * m->src[d];
            at[d] = 0;
        }
    }
}

static size_t lines(const struct move *m)
{
    size_t n = 1;

    if (m->empty)
        return 0;
    for (int32_t d = 0; d < m->rank - 1; d++)
        n *= m->dim[d];
    return n;
}

void move_walk(const struct move *m, void (*fn)(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line), void *arg)
{
    walk(m, 0, lines(m), fn, arg);
}

struct copy {
    const struct move *m;
    uint32_t bits;
    uint8_t *dst;
    const uint8_t *src;
    size_t rows;   /* in a strip, of copy_strip alone */
    ptrdiff_t row; /* bytes from one to the next in dst */
};

/* `pow2` bits each; element i starts at bit i * bits, low bits first. */
static void copy_bits(const struct copy *c, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)
{
    uint32_t per_byte = 8 / c->bits, mask = (1u << c->bits) - 1;

    for (size_t i = 0; i < line->n; i++) {
        size_t d = (size_t)(dst + (ptrdiff_t)i * line->dst_step), s = (size_t)(src + (ptrdiff_t)i * line->src_step);
        uint32_t value = c->src[s / per_byte] >> (s % per_byte * c->bits) & mask;
        uint32_t shift = (uint32_t)(d % per_byte) * c->bits;

        c->dst[d / per_byte] = (uint8_t)((c->dst[d / per_byte] & ~(mask << shift)) | value << shift);
    }
}

/* memcpy of a constant size compiles to one load and one store, without alignment requirements. */
#define COPY_STRIDED(bytes)                                                                                                        \
    for (size_t i = 0; i < line->n; i++)                                                                                           \
    memcpy(to + (ptrdiff_t)i * line->dst_step * (bytes), from + (ptrdiff_t)i * line->src_step * (bytes), bytes)

static void copy_line(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)
{
    const struct copy *c = arg;
    ptrdiff_t size = c->bits / 8;
    uint8_t *to = c->dst + dst * size;
    const uint8_t *from = c->src + src * size;

    if (size == 0) {
        copy_bits(c, dst, src, line);
        return;
    }
    if (line->dst_step == 1 && line->src_step == 1) {
        memcpy(to, from, line->n * (size_t)size);
        return;
    }
    switch (size) {
    case 1: COPY_STRIDED(1); break;
    case 2: COPY_STRIDED(2); break;
    case 4: COPY_STRIDED(4); break;
    case 8: COPY_STRIDED(8); break;
    case 16: COPY_STRIDED(16); break;
    }
}

/* A strip of a transposition: `rows` lines of dst, neighbouring elements in src. Whole cache lines are read and written. */
#define STRIP(bytes)                                                                                                               \
    for (size_t i = 0; i < line->n; i++)                                                                                           \
        for (size_t k = 0; k < c->rows; k++)                                                                                       \
    memcpy(to + (ptrdiff_t)k * c->row + i * (bytes), from + (ptrdiff_t)i * line->src_step * (bytes) + k * (bytes), bytes)

static void strip_words(const struct copy *c, uint8_t *to, const uint8_t *from, const struct move_line *line)
{
    const ptrdiff_t column = 4 * line->src_step;
    const size_t n = line->n / 4 * 4;

    for (size_t i = 0; i < n; i += 4)
        for (size_t k = 0; k < c->rows; k += 4)
            transpose_words(to + (ptrdiff_t)k * c->row + 4 * i, c->row, from + (ptrdiff_t)i * column + 4 * k, column);
    for (size_t i = n; i < line->n; i++)
        for (size_t k = 0; k < c->rows; k++)
            memcpy(to + (ptrdiff_t)k * c->row + 4 * i, from + (ptrdiff_t)i * column + 4 * k, 4);
}

static void copy_strip(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)
{
    const struct copy *c = arg;
    ptrdiff_t size = c->bits / 8;
    uint8_t *to = c->dst + dst * size;
    const uint8_t *from = c->src + src * size;

    switch (size) {
    case 1: STRIP(1); break;
    case 2: STRIP(2); break;
    case 4:
        if (c->rows % 4 == 0)
            strip_words(c, to, from, line);
        else
            STRIP(4);
        break;
    case 8: STRIP(8); break;
    case 16: STRIP(16); break;
    }
}

static void copy_piece(void *arg, size_t begin, size_t end)
{
    const struct copy *c = arg;

    walk(c->m, begin, end, c->rows ? copy_strip : copy_line, arg);
}

static void copy_run(struct copy *c, struct threads *threads)
{
    const struct move *m = c->m;
    size_t n = lines(m), line_bytes = ((m->rank ? m->dim[m->rank - 1] : 1) * c->bits / 8 + 1) * (c->rows ? c->rows : 1);
    size_t grain = PIECE_BYTES / line_bytes + 1;

    if (c->bits < 8 || n <= grain) /* neighbouring sub-byte elements share a byte, hence one thread */
        copy_piece(c, 0, n);
    else
        threads_for(threads, n, grain, copy_piece, c);
}

/* Return the dimension whose elements are neighbours in src, if the last dimension's are neighbours in dst alone; else -1. */
static int32_t transposed_dim(const struct move *m)
{
    int32_t d = m->rank - 1;

    if (d < 1 || m->dst[d] != 1 || m->src[d] == 1)
        return -1;
    while (--d >= 0 && m->src[d] != 1) {
    }
    return d;
}

/* Cut dimension d into strips of STRIP_ROWS and one strip of the remainder. */
static void copy_transposed(const struct move *m, int32_t d, struct copy c, struct threads *threads)
{
    enum { STRIP_ROWS = 16 };
    struct move strips = *m;
    const size_t whole = m->dim[d] / STRIP_ROWS;

    c.m = &strips;
    c.row = m->dst[d] * (ptrdiff_t)(c.bits / 8);
    strips.dim[d] = whole;
    strips.dst[d] *= STRIP_ROWS;
    strips.src[d] *= STRIP_ROWS;
    c.rows = STRIP_ROWS;
    if (whole)
        copy_run(&c, threads);
    strips.dim[d] = 1;
    strips.dst0 += (ptrdiff_t)whole * strips.dst[d];
    strips.src0 += (ptrdiff_t)whole * strips.src[d];
    c.rows = m->dim[d] % STRIP_ROWS;
    if (c.rows)
        copy_run(&c, threads);
}

void move_run(const struct move *m, uint32_t bits, void *dst, const void *src, struct threads *threads)
{
    struct copy c = {.m = m, .bits = bits, .dst = dst, .src = src};
    const int32_t transposed = bits < 8 ? -1 : transposed_dim(m);

    if (m->empty)
        return;
    if (transposed >= 0)
        copy_transposed(m, transposed, c, threads);
    else
        copy_run(&c, threads);
}

void move_fill(void *dst, size_t at, size_t n, uint32_t bits, const void *value)
{
    size_t size = bits / 8, bytes = n * size, done;
    uint8_t *to = (uint8_t *)dst + at * size;

    if (bits < 8) {
        struct move m = {.dst0 = (ptrdiff_t)at};

        move_dim(&m, n, 1, 0);
        move_run(&m, bits, dst, value, NULL);
        return;
    }
    if (n == 0)
        return;
    /* Twice as much each time. */
    memcpy(to, value, size);
    for (done = size; done < bytes; done *= 2)
        memcpy(to + done, to, done < bytes - done ? done : bytes - done);
}

void move_strides(const int32_t *dim, int32_t rank, ptrdiff_t *stride)
{
    ptrdiff_t n = 1;

    for (int32_t i = rank - 1; i >= 0; i--) {
        stride[i] = n;
        n *= dim[i];
    }
}

/* Move the strings' indices, then copy the strings in that order. */
static enum status move_strings(struct cpu_call *c, uint32_t in, move_fn fn, const void *arg, struct err *err)
{
    const struct tensor *x = c->node->in[in];
    size_t from = tensor_elems(x), to = tensor_elems(c->node->out[0]);
    int32_t *identity, *pick;
    enum status st = strings_check(x, err);

    if (st)
        return st;
    identity = malloc((from + to + 1) * sizeof *identity);
    if (!identity)
        return err_set(err, ST_NOMEM, "out of memory for %zu strings", to);
    pick = identity + from;
    for (size_t i = 0; i < from; i++)
        identity[i] = (int32_t)i;
    if (!(st = fn(c, arg, 32, pick, identity, err)))
        st = strings_pick(c, 0, x, pick, err);
    free(identity);
    return st;
}

enum status move_elements(struct cpu_call *c, uint32_t in, move_fn fn, const void *arg, struct err *err)
{
    const struct tensor *x = c->node->in[in];

    if (x->type == TYPE_STRING)
        return move_strings(c, in, fn, arg, err);
    return fn(c, arg, type_bits(x->type), c->node->out[0]->data, x->data, err);
}

static enum status run_one(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err)
{
    (void)err;
    move_run(arg, bits, dst, src, c->threads);
    return ST_OK;
}

enum status move_tensor(struct cpu_call *c, const struct move *m, struct err *err)
{
    return move_elements(c, 0, run_one, m, err);
}

enum status move_same_type(const struct node *n, const struct tensor *a, const struct tensor *b, struct err *err)
{
    if (!a || !b)
        return ST_OK;
    if (a->type != b->type)
        return err_set(err, ST_BAD_MODEL, "types %s and %s must be the same", type_name(a->type), type_name(b->type));
    return type_bits(a->type) ? ST_OK : cpu_bad_type(n, a, err);
}

enum status move_prepare(struct cpu_call *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->node->n_out && !st; i++)
        st = move_same_type(c->node, c->node->in[0], c->node->out[i], err);
    return st;
}

enum status move_prepare_strings(struct cpu_call *c, struct err *err)
{
    if (c->node->in[0]->type == TYPE_STRING && c->node->out[0]->type == TYPE_STRING)
        return ST_OK;
    return move_prepare(c, err);
}

enum status move_prepare_two(struct cpu_call *c, struct err *err)
{
    enum status st = move_same_type(c->node, c->node->in[0], c->node->in[1], err);

    return st ? st : move_prepare(c, err);
}
