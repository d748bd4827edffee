/* SPDX-License-Identifier: Apache-2.0 */
/* reference_product.c - operands, sums and results of the reference kernels of matrix products and convolutions. */
#include "kernels_cpu/matmul/reference_product.h"

#include <string.h>

#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/matmul/products_plain.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/hybrid_plain.h"
#include "kernels_cpu/quant/requant_plain.h"
#include "kernels_cpu/quant/widen.h"

enum { PIECE = 256 }; /* elements that pass through a buffer on the stack */

static bool is_hybrid(const struct reference_product *p)
{
    return p->kind == REFERENCE_HYBRID || p->kind == REFERENCE_HYBRID_FLOATS;
}

/* Reading an operand: elements of 4 bytes are floats, of 2 bytes integers that become int16. */

struct reader {
    enum tensor_type type;
    const void *data;
    int32_t zero;
    struct reference_product_turn turn;
    size_t bytes;
    char *out;
};

static void read_run(const struct reader *r, size_t first, size_t n, void *out)
{
    if (r->bytes == sizeof(float))
        memcpy(out, (const float *)r->data + first, n * sizeof(float));
    else
        widen(r->type, r->data, r->zero, first, n, out);
}

static void read_elems(void *arg, size_t begin, size_t end)
{
    const struct reader *r = arg;

    read_run(r, begin, end - begin, r->out + begin * r->bytes);
}

/* Transpose rows of the stored matrices. */
static void read_turned(void *arg, size_t begin, size_t end)
{
    const struct reader *r = arg;
    const size_t rows = r->turn.rows, cols = r->turn.cols;
    union {
        float f[PIECE];
        int16_t i[PIECE];
    } piece;

    for (size_t row = begin; row < end; row++) {
        char *out = r->out + (row / rows * rows * cols + row % rows) * r->bytes;

        for (size_t col = 0; col < cols; col += PIECE) {
            size_t n = cols - col < PIECE ? cols - col : PIECE;

            read_run(r, row * cols + col, n, &piece);
            for (size_t i = 0; i < n; i++)
                memcpy(out + (col + i) * rows * r->bytes, (const char *)&piece + i * r->bytes, r->bytes);
        }
    }
}

static void operand_read(struct threads *threads, const struct tensor *t, int32_t zero, struct reference_product_turn turn,
                         size_t bytes, void *out)
{
    struct reader r = {t->type, t->data, zero, turn, bytes, out};

    if (turn.matrices)
        threads_for(threads, turn.matrices * turn.rows, 16, read_turned, &r);
    else
        threads_for(threads, tensor_elems(t), 16384, read_elems, &r);
}

/* Return true if x is copied; floats without a transposition are read in place. */
static bool reads_x(const struct reference_product *p)
{
    return p->kind != REFERENCE_F32 || p->x_turn.matrices;
}

static bool reads_w(const struct reference_product *p)
{
    return p->kind != REFERENCE_F32 || p->w_turn.matrices;
}

static size_t elem_bytes(const struct reference_product *p)
{
    return p->kind == REFERENCE_F32 ? sizeof(float) : sizeof(int16_t);
}

static void w_read(const struct cpu_call *c, const struct reference_product *p, char *base)
{
    struct tensor as_read = is_hybrid(p) ? hybrid_filter(p->w) : *p->w;

    operand_read(c->threads, &as_read, p->w_zero, p->w_turn, elem_bytes(p), base + p->w_at);
}

static void layout(struct reference_product *p, struct layout *packed, struct layout *scratch)
{
    size_t bytes = elem_bytes(p), x = tensor_elems(p->x);

    p->constant = p->w->is_const && reads_w(p);
    if (reads_w(p))
        p->w_at = layout_add(p->constant ? packed : scratch, tensor_elems(p->w), bytes);
    if (reads_x(p))
        p->x_at = layout_add(scratch, x, bytes);
    if (is_hybrid(p)) {
        p->w_scale = p->w->quant.scale;
        p->w_scale_step = p->w->quant.n > 1;
        p->floats_at = layout_add(scratch, p->x_turn.matrices ? x : 0, sizeof(float));
        p->factor_at = layout_add(scratch, p->pieces, sizeof(float));
    }
    if (p->kind == REFERENCE_QUANT || p->kind == REFERENCE_HYBRID || p->doubles) {
        size_t sums;

        if (__builtin_mul_overflow(p->lines, p->channels, &sums))
            sums = SIZE_MAX;
        p->sum_at = layout_add(scratch, sums, sizeof(int64_t));
    }
}

enum status reference_product_prepare(struct cpu_call *c, const void *plan, size_t bytes, const struct reference_product *p,
                                      const struct requant_spec *spec, struct err *err)
{
    struct layout packed = {0}, scratch = {0};
    struct reference_product q = *p, *kept;
    size_t requant;
    enum status st;

    q.doubles = c->double_sums && q.kind == REFERENCE_F32;
    layout_add(&packed, 1, bytes);
    requant = requant_layout(&packed, spec ? spec->channels : 0);
    layout(&q, &packed, &scratch);
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    memcpy(c->packed, plan, bytes);
    kept = (struct reference_product *)((char *)c->packed + ((const char *)p - (const char *)plan));
    c->scratch_bytes = scratch.bytes;
    if (spec && (st = requant_init(&q.requant, spec, (char *)c->packed + requant, err)))
        return st;
    if (q.constant) {
        w_read(c, &q, c->packed);
        q.w = NULL;
    }
    *kept = q;
    return ST_OK;
}

struct quantizer {
    const struct cpu_call *c;
    const struct reference_product *p;
    const float *x;
    size_t elems; /* of a piece */
};

static void pieces_quantize(void *arg, size_t begin, size_t end)
{
    const struct quantizer *q = arg;
    char *scratch = q->c->scratch;

    for (size_t i = begin; i < end; i++)
        ((float *)(scratch + q->p->factor_at))[i] = hybrid_quantize_plain(q->x + i * q->elems, q->elems, q->p->asymmetric,
                                                                          (int16_t *)(scratch + q->p->x_at) + i * q->elems, NULL);
}

static void x_quantize(const struct cpu_call *c, const struct reference_product *p)
{
    struct quantizer q = {c, p, p->x->data, p->pieces ? tensor_elems(p->x) / p->pieces : 0};
    float *floats = (float *)((char *)c->scratch + p->floats_at);

    if (p->x_turn.matrices) {
        operand_read(c->threads, p->x, 0, p->x_turn, sizeof(float), floats);
        q.x = floats;
    }
    threads_for(c->threads, p->pieces, 1, pieces_quantize, &q);
}

void reference_product_begin(const struct cpu_call *c, struct reference_product *p)
{
    if (!p->constant && reads_w(p))
        w_read(c, p, c->scratch);
    if (p->kind == REFERENCE_QUANT)
        requant_set_bias(&p->requant, p->bias, p->channels);
    if (is_hybrid(p))
        x_quantize(c, p);
    else if (reads_x(p))
        operand_read(c->threads, p->x, p->x_zero, p->x_turn, elem_bytes(p), (char *)c->scratch + p->x_at);
}

const void *reference_product_x(const struct cpu_call *c, const struct reference_product *p)
{
    return reads_x(p) ? (const char *)c->scratch + p->x_at : p->x->data;
}

const void *reference_product_w(const struct cpu_call *c, const struct reference_product *p)
{
    return !reads_w(p) ? p->w->data : (const char *)(p->constant ? c->packed : c->scratch) + p->w_at;
}

void *reference_product_sums(const struct cpu_call *c, const struct reference_product *p, size_t line, size_t position)
{
    const size_t bytes = p->wide ? sizeof(int64_t) : sizeof(int32_t);
    const bool in_place = (reference_product_is_across(p) && !p->doubles) || p->kind == REFERENCE_SUMS;
    char *sums = in_place ? (char *)c->node->out[0]->data + position * p->channels * bytes
                          : (char *)c->scratch + p->sum_at + line * p->channels * sizeof(int64_t);

    if (p->doubles)
        memset(sums, 0, p->channels * sizeof(double));
    else if (p->bias_first && p->bias)
        memcpy(sums, p->bias->data, p->channels * bytes);
    else
        memset(sums, 0, p->channels * bytes);
    return sums;
}

static float factor_of(const struct cpu_call *c, const struct reference_product *p, size_t piece)
{
    return ((const float *)((const char *)c->scratch + p->factor_at))[piece];
}

/* Vectors lie across channels. */
static CLONES void products_scaled(const int16_t *restrict x, size_t depth, const int16_t *restrict w, size_t w_step,
                                   size_t channels, const float *scale, size_t scale_step, float factor, float *restrict sum)
{
    for (size_t k = 0; k < depth; k++)
        for (size_t c = 0; c < channels; c++)
            sum[c] += (float)(x[k] * w[k * w_step + c]) * scale[c * scale_step] * factor;
}

void reference_product_add(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t x_at, size_t depth,
                           size_t w_at, size_t w_step, size_t first, size_t channels, void *sums)
{
    const void *x = reference_product_x(c, p), *w = reference_product_w(c, p);
    const int16_t *xi = (const int16_t *)x + x_at, *wi = (const int16_t *)w + w_at;

    if (p->doubles)
        products_f64((const float *)x + x_at, depth, (const float *)w + w_at, w_step, channels, (double *)sums + first);
    else if (p->kind == REFERENCE_F32)
        products_f32((const float *)x + x_at, depth, (const float *)w + w_at, w_step, channels, (float *)sums + first);
    else if (p->kind == REFERENCE_HYBRID_FLOATS)
        products_scaled(xi, depth, wi, w_step, channels, p->w_scale + first * p->w_scale_step, p->w_scale_step,
                        factor_of(c, p, piece), (float *)sums + first);
    else if (p->wide)
        products_i64(xi, depth, wi, w_step, channels, (int64_t *)sums + first);
    else
        products_i32(xi, depth, wi, w_step, channels, (int32_t *)sums + first);
}

static CLONES void sums_scale(const struct reference_product *p, const int32_t *restrict sum, float factor, float *restrict y)
{
    for (size_t i = 0; i < p->channels; i++) {
        float scale = p->w_scale[i * p->w_scale_step];

        y[i] = p->channel_first ? (float)sum[i] * scale * factor : (float)sum[i] * (factor * scale);
    }
}

static CLONES void floats_finish(float *y, const float *bias, size_t n, struct range_f32 range)
{
    for (size_t i = 0; bias && i < n; i++)
        y[i] += bias[i];
    for (size_t i = 0; i < n; i++)
        y[i] = activation_clamp(y[i], range);
}

/* Where the bias is added does not matter to sums of double. */
static CLONES void doubles_round(const double *restrict sum, const float *bias, size_t n, float *restrict y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = (float)(sum[i] + (bias ? (double)bias[i] : 0));
}

void reference_product_finish(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t position,
                              const void *sums)
{
    struct tensor *out = c->node->out[0];
    void *y = (char *)out->data + position * p->channels * (type_bits(out->type) / 8);

    if (p->kind == REFERENCE_QUANT && p->wide)
        requant_plain_wide(&p->requant, sums, p->channels, y);
    else if (p->kind == REFERENCE_QUANT)
        requant_plain(&p->requant, sums, p->channels, y);
    if (p->kind == REFERENCE_HYBRID)
        sums_scale(p, sums, factor_of(c, p, piece), y);
    if (p->doubles)
        doubles_round(sums, p->bias ? p->bias->data : NULL, p->channels, y);
    if (p->kind == REFERENCE_F32 || is_hybrid(p)) {
        floats_finish(y, p->bias && !p->bias_first && !p->doubles ? p->bias->data : NULL, p->channels, p->range);
        activation_apply(y, p->channels, p->activation);
    }
}
