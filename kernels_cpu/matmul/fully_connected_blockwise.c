/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected_blockwise.c - FULLY_CONNECTED on float activations with INT4 weights that have a scale for each block of a
 * row. Every row of the input is quantized on its own, with a zero point. */
#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/matmul/fully_connected.h"
#include "kernels_cpu/quant/hybrid.h"
#include "kernels_cpu/quant/widen.h"
#include "lib/session/session.h"

struct fc_plan {
    struct fc_shape s;
    size_t block, blocks; /* weights in a block; blocks in a row */
    size_t w, scale, sum; /* offsets in packed: int16 weights, float scales [units][blocks], their products' sums [units] */
    size_t x, rows;       /* offsets in scratch */
    struct range_f32 range;
};

/* Quantization of one row of the input. */
struct row {
    float scale;
    int32_t zero;
};

static enum status scales_find(const struct cpu_call *c, const struct fc_plan *p, const struct tensor **scales, struct err *err)
{
    const struct quant *q = &c->node->in[FC_FILTER]->quant;
    const struct graph *g;

    if (!c->session)
        return err_set(err, ST_UNSUPPORTED, "blockwise weights cannot be computed before there is a session");
    g = session_graph(c->session);
    if (q->block_scales < 0 || (uint32_t)q->block_scales >= g->n_tensors)
        return err_set(err, ST_BAD_MODEL, "the tensor %d of scales does not exist", (int)q->block_scales);
    *scales = &g->tensors[q->block_scales];
    if (!(*scales)->is_const || ((*scales)->type != TYPE_FLOAT16 && (*scales)->type != TYPE_FLOAT32) ||
        tensor_elems(*scales) != p->s.units * p->blocks)
        return err_set(err, ST_BAD_MODEL, "%s holds no scales for %zu blocks of %zu units", TENSOR_TEXT(*scales), p->blocks,
                       p->s.units);
    return ST_OK;
}

/* Store what a zero point of -1 adds to each unit: the sum of its weights. */
static void weights_sum(const struct cpu_call *c, const struct fc_plan *p)
{
    const int16_t *w = (const int16_t *)((char *)c->packed + p->w);
    const float *scale = (const float *)((char *)c->packed + p->scale);
    float *sum = (float *)((char *)c->packed + p->sum);

    for (size_t unit = 0; unit < p->s.units; unit++) {
        sum[unit] = 0;
        for (size_t b = 0; b < p->blocks; b++, w += p->block) {
            int32_t ones = 0;

            for (size_t k = 0; k < p->block; k++)
                ones += w[k];
            sum[unit] += *scale++ * (float)ones;
        }
    }
}

static enum status fc_blockwise_prepare(struct cpu_call *c, struct fc_shape s, struct err *err)
{
    const struct tensor *filter = c->node->in[FC_FILTER], *scales = NULL;
    struct fc_plan p = {.s = s, .block = (size_t)filter->quant.block_size};
    struct layout packed = {0}, scratch = {0};
    enum status st;
    float *scale;

    if ((st = activation_range(((const struct opt_fully_connected *)c->node->opt)->activation, &p.range, err)))
        return st;
    if (!filter->is_const)
        return err_set(err, ST_UNSUPPORTED, "blockwise weights are known only while running");
    if (!p.block || s.depth % p.block)
        return err_set(err, ST_BAD_MODEL, "a depth of %zu cannot be cut into blocks of %zu", s.depth, p.block);
    p.blocks = s.depth / p.block;
    if ((st = scales_find(c, &p, &scales, err)))
        return st;
    layout_add(&packed, 1, sizeof p);
    p.w = layout_add(&packed, s.units * s.depth, sizeof(int16_t));
    p.scale = layout_add(&packed, s.units * p.blocks, sizeof(float));
    p.sum = layout_add(&packed, s.units, sizeof(float));
    p.x = layout_add(&scratch, s.batch * s.depth, sizeof(int16_t));
    p.rows = layout_add(&scratch, s.batch, sizeof(struct row));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    *(struct fc_plan *)c->packed = p;
    widen_all(c->threads, filter->type, filter->data, 0, s.units * s.depth, (int16_t *)((char *)c->packed + p.w));
    scale = (float *)((char *)c->packed + p.scale);
    for (size_t i = 0; i < s.units * p.blocks; i++)
        scale[i] = scales->type == TYPE_FLOAT16 ? half_to_float(((const uint16_t *)scales->data)[i])
                                                : ((const float *)scales->data)[i];
    weights_sum(c, &p);
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* Sum over the blocks of a row of x times w; TFLite takes the zero point's share off that sum. */
static CLONES float row_product(const struct fc_plan *p, const int16_t *x, const int16_t *w, const float *scale)
{
    float sum = 0;

    for (size_t b = 0; b < p->blocks; b++, x += p->block, w += p->block) {
        int32_t products = 0;

        for (size_t k = 0; k < p->block; k++)
            products += x[k] * w[k];
        sum += (float)products * scale[b];
    }
    return sum;
}

static void units_run(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct fc_plan *p = c->packed;
    const struct tensor *bias = node_in(c->node, FC_BIAS);
    const int16_t *x = (const int16_t *)((char *)c->scratch + p->x), *w = (const int16_t *)((char *)c->packed + p->w);
    const struct row *rows = (const struct row *)((char *)c->scratch + p->rows);
    const float *scale = (const float *)((char *)c->packed + p->scale), *sum = (const float *)((char *)c->packed + p->sum);
    float *y = c->node->out[0]->data;

    for (size_t unit = begin; unit < end; unit++) {
        for (size_t i = 0; i < p->s.batch; i++) {
            float product = row_product(p, x + i * p->s.depth, w + unit * p->s.depth, scale + unit * p->blocks);
            float v = (product - (float)rows[i].zero * sum[unit]) * rows[i].scale;

            v = bias ? v + ((const float *)bias->data)[unit] : v;
            y[i * p->s.units + unit] = v < p->range.lo ? p->range.lo : v > p->range.hi ? p->range.hi : v;
        }
    }
}

static void fc_blockwise_run(struct cpu_call *c)
{
    const struct fc_plan *p = c->packed;
    const float *x = c->node->in[FC_INPUT]->data;
    struct row *rows = (struct row *)((char *)c->scratch + p->rows);
    int16_t *to = (int16_t *)((char *)c->scratch + p->x);

    for (size_t i = 0; i < p->s.batch; i++, x += p->s.depth, to += p->s.depth) {
        rows[i].scale = hybrid_quantize(c->mode, x, p->s.depth, true, to, &rows[i].zero);
        for (size_t k = 0; k < p->s.depth; k++)
            to[k] = (int16_t)(to[k] + rows[i].zero);
    }
    threads_for(c->threads, p->s.units, 16, units_run, c);
}

const struct fc_impl fc_blockwise = {fc_blockwise_prepare, fc_blockwise_run};
