/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul_int.c - BATCH_MATMUL on integers: quantized, INT8 with INT32 sums as the result, and hybrid (a float left
 * side, whose rows are quantized on the fly, times an INT8 one). Both sides are widened to int16 first. */
#include <string.h>

#include "kernels_cpu/matmul/batch_matmul_gemm.h"
#include "kernels_cpu/matmul/int_weights.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/requant.h"
#include "kernels_cpu/quant/widen.h"

struct bmm_plan {
    struct bmm_gemm p;
    struct requant requant;    /* of quantized outputs */
    struct gemm_i16_post sums; /* of INT32 ones */
    struct int_weights weights;
    size_t w, x, transposed, factor; /* offsets: of packed w in packed or scratch, of the rest in scratch */
};

/* INT32 results are plain products: zero points do not count. */
static int32_t zero_of(const struct node *n, const struct tensor *t)
{
    return n->out[0]->type == TYPE_INT32 || n->in[0]->type == TYPE_FLOAT32 ? 0 : quant_zero(t);
}

static void pack(const struct cpu_call *c, const int16_t *widened, char *base)
{
    const struct bmm_plan *p = c->packed;

    bmm_gemm_pack(&p->p, widened, base + p->w, c->threads);
}

/* Lays out and packs; `packed` holds what comes before the weights. */
static enum status prepare(struct cpu_call *c, struct bmm_plan *p, struct layout *packed, struct err *err)
{
    const struct tensor *x = c->node->in[0], *w = c->node->in[1];
    struct layout scratch = {0};
    enum status st;

    p->weights = int_weights_init(w, zero_of(c->node, w));
    p->w = bmm_gemm_weights_layout(&p->p, int_weights_layout(&p->weights, packed, &scratch));
    p->x = layout_add(&scratch, tensor_elems(x) + 1, p->p.s.adj_x && x->type == TYPE_FLOAT32 ? sizeof(float) : sizeof(int16_t));
    p->transposed = layout_add(&scratch, tensor_elems(x) + 1, sizeof(int16_t));
    p->factor = layout_add(&scratch, p->p.s.x_batches * p->p.s.m, sizeof(float));
    if ((st = cpu_pack(c, packed->bytes, err)))
        return st;
    *(struct bmm_plan *)c->packed = *p;
    c->scratch_bytes = scratch.bytes;
    return int_weights_prepare(c, &p->weights, pack, err);
}

/* Runs on x as [m][k], widened. */
static void run(struct cpu_call *c, const int16_t *x, const void *(*post)(const void *, size_t, void *), const void *post_arg)
{
    const struct bmm_plan *p = c->packed;
    const struct tensor *output = c->node->out[0];
    struct bmm_gemm_run r = {
        .x = x,
        .packed = int_weights_run(c, &p->weights, pack) + p->w,
        .y = output->data,
        .y_bytes = type_bits(output->type) / 8,
        .post = post,
        .post_arg = post_arg,
    };

    bmm_gemm_run(&p->p, &r, c->threads);
}

/* Quantized. */

static void store_sums(const struct gemm *g, const int32_t *sum, void *y, size_t channel, size_t count)
{
    (void)g;
    memcpy((int32_t *)y + channel, sum, count * sizeof *sum);
}

enum status bmm_quant_check(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *w = n->in[1], *y = n->out[0];
    enum status st;

    /* Scales per column are read as no scale: TFLite's result is all zero then, and so is ours. */
    if ((st = quant_check_all((const struct tensor *[]){x, w->quant.n > 1 ? NULL : w, y}, 3, err)) ||
        (st = quant_check_symmetric(x, err)) || (st = quant_check_symmetric(y, err)))
        return st;
    return quant_check_symmetric(w, err);
}

struct requant_spec bmm_quant_spec(const struct node *n, const struct bmm_shape *s)
{
    return (struct requant_spec){
        .kind = n->in[0]->type == TYPE_INT16 ? REQUANT_FIXED_WIDE : REQUANT_FIXED,
        .input = n->in[0],
        .filter = n->in[1],
        .output = n->out[0],
        .channels = s->n,
        .float_product = true,
    };
}

static enum status bmm_quant_prepare(struct cpu_call *c, const struct bmm_shape *s, struct err *err)
{
    struct requant_spec spec = bmm_quant_spec(c->node, s);
    struct bmm_plan p = {.sums = {.store = store_sums}};
    struct layout packed = {0};
    size_t requant;
    enum status st;

    bmm_gemm_init(&p.p, spec.kind == REQUANT_FIXED_WIDE ? &gemm_i16_wide : &gemm_i16, s);
    layout_add(&packed, 1, sizeof p);
    requant = requant_layout(&packed, s->n);
    if (c->node->out[0]->type == TYPE_INT32)
        return prepare(c, &p, &packed, err);
    if ((st = bmm_quant_check(c->node, err)) || (st = prepare(c, &p, &packed, err)))
        return st;
    return requant_init(&((struct bmm_plan *)c->packed)->requant, &spec, (char *)c->packed + requant, err);
}

static void bmm_quant_run(struct cpu_call *c)
{
    struct bmm_plan *p = c->packed;
    const struct tensor *x = c->node->in[0];
    int16_t *widened = (int16_t *)((char *)c->scratch + p->x), *transposed = (int16_t *)((char *)c->scratch + p->transposed);
    size_t elems = tensor_elems(x);

    widen_all(c->threads, x->type, x->data, zero_of(c->node, x), elems, widened);
    widened[elems] = transposed[elems] = 0;
    if (p->p.s.adj_x) {
        bmm_gemm_transpose(&p->p, widened, transposed, c->threads);
        widened = transposed;
    }
    run(c, widened, NULL, c->node->out[0]->type == TYPE_INT32 ? (const void *)&p->sums : &p->requant);
}

const struct bmm_impl bmm_quant = {bmm_quant_prepare, bmm_quant_run};

/* Hybrid. */

enum status bmm_hybrid_check(const struct node *n, const struct bmm_shape *s, struct err *err)
{
    const struct tensor *w = n->in[1];
    enum status st = quant_check_channels(w, w->rank - (s->adj_y ? 2 : 1), s->n, "the right side", err);

    if (st)
        return st;
    return quant_has_zero(w) ? err_set(err, ST_UNSUPPORTED, "the right side's zero point is not 0") : ST_OK;
}

static enum status bmm_hybrid_prepare(struct cpu_call *c, const struct bmm_shape *s, struct err *err)
{
    struct bmm_plan p = {0};
    struct layout packed = {0};
    enum status st = bmm_hybrid_check(c->node, s, err);

    if (st)
        return st;
    bmm_gemm_init(&p.p, &gemm_i16, s);
    layout_add(&packed, 1, sizeof p);
    return prepare(c, &p, &packed, err);
}

static const void *hybrid_post_make(const void *arg, size_t xi, void *room)
{
    const struct cpu_call *c = arg;
    const struct bmm_plan *p = c->packed;
    const struct quant *q = &c->node->in[1]->quant;
    struct hybrid_post *out = room;

    *out = (struct hybrid_post){
        .order = HYBRID_FACTOR_FIRST,
        .scale = q->scale,
        .scale_step = q->n > 1,
        .factor = (const float *)((char *)c->scratch + p->factor) + xi * p->p.s.m,
        .factor_step = 1,
        .like_rnn = true,
    };
    hybrid_post_init(out);
    return out;
}

struct rows_job {
    const struct cpu_call *c;
    const float *x; /* [m][k] */
};

static void rows_quantize(void *arg, size_t begin, size_t end)
{
    const struct rows_job *j = arg;
    const struct bmm_plan *p = j->c->packed;
    const struct opt_batch_matmul *o = j->c->node->opt;
    size_t k = p->p.s.k;

    for (size_t i = begin; i < end; i++)
        ((float *)((char *)j->c->scratch + p->factor))[i] = hybrid_quantize(
            j->c->mode, j->x + i * k, k, o->asymmetric_quantize_inputs, (int16_t *)((char *)j->c->scratch + p->transposed) + i * k,
            NULL);
}

static void bmm_hybrid_run(struct cpu_call *c)
{
    const struct bmm_plan *p = c->packed;
    const struct bmm_shape *s = &p->p.s;
    struct rows_job job = {c, c->node->in[0]->data};
    int16_t *x = (int16_t *)((char *)c->scratch + p->transposed);

    if (s->adj_x) {
        struct bmm_gemm floats = {.s = *s, .type = &gemm_f32};

        bmm_gemm_transpose(&floats, job.x, (char *)c->scratch + p->x, c->threads);
        job.x = (const float *)((char *)c->scratch + p->x);
    }
    threads_for(c->threads, s->x_batches * s->m, 4, rows_quantize, &job);
    x[s->x_batches * s->m * s->k] = 0;
    run(c, x, hybrid_post_make, c);
}

const struct bmm_impl bmm_hybrid = {bmm_hybrid_prepare, bmm_hybrid_run};
