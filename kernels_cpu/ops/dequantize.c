/* SPDX-License-Identifier: Apache-2.0 */
/* dequantize.c - DEQUANTIZE: integers with a scale, or float16, to float32. */
#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/common/map.h"
#include "kernels_cpu/quant/channel_runs.h"
#include "kernels_cpu/quant/packed_int.h"

static bool is_quantized_type(enum tensor_type type)
{
    return type == TYPE_INT8 || type == TYPE_UINT8 || type == TYPE_INT16 || type == TYPE_INT4 || type == TYPE_UINT4 ||
           type == TYPE_INT2;
}

/* The output is FLOAT32 whatever the file says, as in TFLite. */
static enum status dequantize_shape(struct node *n, struct err *err)
{
    n->out[0]->type = TYPE_FLOAT32;
    return shape_same(n, err);
}

static enum status dequantize_prepare(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];

    if (x->type == TYPE_FLOAT16)
        return ST_OK;
    return is_quantized_type(x->type) ? channel_runs_check(x, err) : cpu_bad_type(c->node, x, err);
}

CLONES static void half_row(const void *arg, void *out, const void *in, size_t n)
{
    (void)arg;
    for (size_t i = 0; i < n; i++)
        ((float *)out)[i] = half_to_float(((const uint16_t *)in)[i]);
}

CLONES static void dequantize_chunk(const int32_t *x, float scale, uint32_t zero, size_t count, float *y)
{
    for (size_t i = 0; i < count; i++)
        y[i] = scale * (float)(int32_t)((uint32_t)x[i] - zero);
}

static void dequantize_channel(const struct node *n, size_t at, size_t count, uint32_t channel)
{
    const struct tensor *x = n->in[0];
    int32_t chunk[QUANT_CHUNK];

    packed_int_load(x->type, x->data, at, count, chunk);
    dequantize_chunk(chunk, x->quant.scale[channel], (uint32_t)channel_zero(x, channel), count, (float *)n->out[0]->data + at);
}

static void dequantize_piece(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;

    channel_runs(n, n->in[0], begin, end, dequantize_channel);
}

/* The reference, value by value: scale * (x - zero point). */
static void dequantize_plain(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const struct tensor *x = n->in[0];

    for (size_t i = begin; i < end; i++) {
        const uint32_t channel = channel_of(x, i);
        int32_t v;

        packed_int_load(x->type, x->data, i, 1, &v);
        ((float *)n->out[0]->data)[i] = x->quant.scale[channel] *
                                        (float)(int32_t)((uint32_t)v - (uint32_t)channel_zero(x, channel));
    }
}

static void dequantize_run(struct cpu_call *c)
{
    if (c->node->in[0]->type == TYPE_FLOAT16)
        map_run(c, half_row, NULL);
    else
        threads_for(c->threads, tensor_elems(c->node->in[0]), MAP_GRAIN,
                    c->mode == CPU_REFERENCE ? dequantize_plain : dequantize_piece, c->node);
}

const struct cpu_kernel cpu_dequantize = {
    .arity = {1, 1, 1}, .shape = dequantize_shape, .prepare = dequantize_prepare, .compute = dequantize_run};
