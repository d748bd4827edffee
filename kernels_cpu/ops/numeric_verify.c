/* SPDX-License-Identifier: Apache-2.0 */
/* numeric_verify.c - NumericVerify, which the quantization debugger puts beside each operator: how far a quantized tensor, made
 * real again, lies from its float twin. */
#include "kernels_cpu/common/map.h"
#include "kernels_cpu/quant/channel_runs.h"
#include "kernels_cpu/quant/packed_int.h"
#include "lib/base/flexbuffer.h"

#include <math.h>

enum { QUANTIZED, TWIN };

struct plan {
    float limit;
}; /* a greater difference fails the run; infinite: none does */

static enum status verify_shape(struct node *n, struct err *err)
{
    if (tensor_elems(n->in[TWIN]) < tensor_elems(n->in[QUANTIZED]))
        return err_set(err, ST_BAD_MODEL, "%s is larger than %s", TENSOR_TEXT(n->in[QUANTIZED]), TENSOR_TEXT(n->in[TWIN]));
    n->out[0]->type = TYPE_FLOAT32; /* whatever the file says, as in TFLite */
    return shape_like(n, 0, n->in[QUANTIZED], err);
}

static enum status check_types(const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[QUANTIZED];

    if (x->type == TYPE_FLOAT16)
        return ST_OK;
    if (x->type != TYPE_UINT8 && x->type != TYPE_INT8 && x->type != TYPE_INT16)
        return cpu_bad_type(n, x, err);
    return channel_runs_check(x, err);
}

static enum status verify_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct quant *q = &n->in[QUANTIZED]->quant;
    struct plan p = {INFINITY};
    struct flex_map m;
    float tolerance;
    enum status st = check_types(n, err);

    if (st || (st = flex_open(n->custom, n->n_custom, &m, err)) || (st = cpu_pack(c, sizeof p, err)))
        return st;
    tolerance = (float)flex_number(&m, "tolerance", 0);
    if (flex_number(&m, "log_if_failed", 0) != 0 && (double)tolerance >= 0.1)
        p.limit = tolerance * (q->n ? q->scale[0] : 0);
    *(struct plan *)c->packed = p;
    return ST_OK;
}

static void channel_difference(const struct node *n, size_t at, size_t count, uint32_t channel)
{
    const struct tensor *x = n->in[QUANTIZED];
    const float scale = x->quant.scale[channel], *twin = (const float *)n->in[TWIN]->data + at;
    const uint32_t zero = (uint32_t)channel_zero(x, channel);
    float *y = (float *)n->out[0]->data + at;
    int32_t chunk[QUANT_CHUNK];

    packed_int_load(x->type, x->data, at, count, chunk);
    for (size_t i = 0; i < count; i++)
        y[i] = scale * (float)(int32_t)((uint32_t)chunk[i] - zero) - twin[i];
}

static void difference(void *arg, size_t begin, size_t end)
{
    const struct node *n = arg;
    const struct tensor *x = n->in[QUANTIZED];
    const float *twin = n->in[TWIN]->data;
    float *y = n->out[0]->data;

    if (x->type != TYPE_FLOAT16) {
        channel_runs(n, x, begin, end, channel_difference);
        return;
    }
    for (size_t i = begin; i < end; i++)
        y[i] = half_to_float(((const uint16_t *)x->data)[i]) - twin[i];
}

static enum status verify_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct plan *p = c->packed;
    const float *y = n->out[0]->data, *twin = n->in[TWIN]->data;
    size_t elems = tensor_elems(n->out[0]);

    threads_for(c->threads, elems, MAP_GRAIN, difference, c->node);
    for (size_t i = 0; i < elems; i++)
        if (fabsf(y[i]) > p->limit)
            return err_set(err, ST_FAILED, "element %zu is %g for the real %g: %g apart, more than the tolerance of %g", i,
                           (double)(y[i] + twin[i]), (double)twin[i], (double)fabsf(y[i]), (double)p->limit);
    return ST_OK;
}

const struct cpu_kernel cpu_numeric_verify = {
    .arity = {2, 2, 1}, .shape = verify_shape, .in = {[TWIN] = CPU_F32}, .prepare = verify_prepare, .run = verify_run};
