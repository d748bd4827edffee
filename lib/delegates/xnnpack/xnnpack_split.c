/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_split.c - a measurement of XNNPACK's multithreaded fully connected layers: for which input counts are they correct? */
#include <math.h>

#include "lib/delegates/xnnpack/xnnpack_net.h"

#define MOST_INPUTS 16 /* multiples of it are taken to be correct */
#define OUTPUTS     64 /* a multiple of every kernel's columns, and enough for several threads */

/* A layer without bias: the filter is [OUTPUTS][inputs]. */
static enum xnn_status define(xnn_subgraph_t s, size_t inputs, const float *filter)
{
    const size_t in[2] = {1, inputs}, of[2] = {OUTPUTS, inputs}, out[2] = {1, OUTPUTS};
    uint32_t x, w, y;
    enum xnn_status st;

    if ((st = xnn_define_tensor_value(s, xnn_datatype_fp32, 2, in, NULL, 0, XNN_VALUE_FLAG_EXTERNAL_INPUT, &x)) ||
        (st = xnn_define_tensor_value(s, xnn_datatype_fp32, 2, of, filter, XNN_INVALID_VALUE_ID, 0, &w)) ||
        (st = xnn_define_tensor_value(s, xnn_datatype_fp32, 2, out, NULL, 1, XNN_VALUE_FLAG_EXTERNAL_OUTPUT, &y)))
        return st;
    return xnn_define_fully_connected(s, -INFINITY, INFINITY, x, w, XNN_INVALID_VALUE_ID, y, 0);
}

/* Small integers, so that sums are exact. */
static float weight(size_t output, size_t input, size_t inputs)
{
    return (float)(output * inputs + input);
}

static enum xnn_status compute(size_t inputs, pthreadpool_t pool, float y[OUTPUTS])
{
    float filter[OUTPUTS * MOST_INPUTS], x[MOST_INPUTS + XNN_EXTRA_BYTES / sizeof(float)] = {0};
    const struct xnn_external_value values[2] = {{0, x}, {1, y}};
    xnn_subgraph_t s = NULL;
    xnn_runtime_t runtime = NULL;
    enum xnn_status st;

    for (size_t i = 0; i < OUTPUTS * inputs; i++)
        filter[i] = weight(i / inputs, i % inputs, inputs);
    for (size_t i = 0; i < inputs; i++)
        x[i] = (float)(i + 1);
    if (!(st = xnn_create_subgraph(2, 0, &s)) && !(st = define(s, inputs, filter)) &&
        !(st = xnn_create_runtime_v2(s, pool, 0, &runtime)) && !(st = xnn_setup_runtime(runtime, 2, values)))
        st = xnn_invoke_runtime(runtime);
    if (runtime)
        xnn_delete_runtime(runtime);
    if (s)
        xnn_delete_subgraph(s);
    return st;
}

static bool is_right(size_t inputs, const float y[OUTPUTS])
{
    for (size_t i = 0; i < OUTPUTS; i++) {
        float sum = 0;

        for (size_t k = 0; k < inputs; k++)
            sum += weight(i, k, inputs) * (float)(k + 1);
        if (y[i] != sum)
            return false;
    }
    return true;
}

static enum xnn_status find_unit(struct xnnpack_pool *pool)
{
    uint32_t unit = 1;

    for (; unit < MOST_INPUTS; unit *= 2) {
        float y[OUTPUTS] = {0};
        const enum xnn_status st = compute(unit, pool->threads, y);

        if (st)
            return st;
        if (is_right(unit, y))
            break;
    }
    pool->unit = unit;
    return xnn_status_success;
}

bool xnnpack_splits(struct xnnpack_net *x, uint32_t inputs, struct reason *why)
{
    struct xnnpack_pool *pool = x->pool;

    if (!pool->threads || inputs % MOST_INPUTS == 0)
        return true;
    if (!pool->unit && !xnnpack_took(find_unit(pool), why))
        return false;
    return inputs % pool->unit == 0 ||
           reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT,
                      "XNNPACK computes %u inputs wrongly by several threads on this CPU (--num_threads=1)", inputs);
}
