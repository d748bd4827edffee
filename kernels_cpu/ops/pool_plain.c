/* SPDX-License-Identifier: Apache-2.0 */
/* pool_plain.c - the reference loops of 2-D pooling. */
#include "kernels_cpu/ops/pool_plain.h"
#include "kernels_cpu/quant/packed_int.h"

static float float_of(const struct pool_plain *p, size_t image, int64_t y0, int64_t x0, int32_t c)
{
    const struct conv_geometry *g = p->g;
    float sum = 0, most = -FLT_MAX, count = 0;
    double exact = 0;

    for (int64_t iy = y0; iy < y0 + g->kh; iy++)
        for (int64_t ix = x0; ix < x0 + g->kw; ix++) {
            float v;

            if (iy < 0 || iy >= g->ih || ix < 0 || ix >= g->iw)
                continue;
            v = ((const float *)
                     p->x)[((image * (size_t)g->ih + (size_t)iy) * (size_t)g->iw + (size_t)ix) * (size_t)g->ic + (size_t)c];
            sum += p->fold == POOL_L2 ? v * v : v;
            exact += p->fold == POOL_L2 ? (double)v * (double)v : (double)v;
            most = v > most ? v : most;
            count++;
        }
    if (p->fold == POOL_MAX)
        return most;
    if (p->doubles)
        return (float)(p->fold == POOL_L2 ? sqrt(exact / (double)count) : exact / (double)count);
    return p->fold == POOL_L2 ? sqrtf(sum / count) : sum / count;
}

static int64_t integer_of(const struct pool_plain *p, size_t image, int64_t y0, int64_t x0, int32_t c)
{
    const struct conv_geometry *g = p->g;
    int64_t sum = 0, most = int_limits(p->type).lo, count = 0;

    for (int64_t iy = y0; iy < y0 + g->kh; iy++)
        for (int64_t ix = x0; ix < x0 + g->kw; ix++) {
            int32_t v;

            if (iy < 0 || iy >= g->ih || ix < 0 || ix >= g->iw)
                continue;
            packed_int_load(p->type, p->x,
                            ((image * (size_t)g->ih + (size_t)iy) * (size_t)g->iw + (size_t)ix) * (size_t)g->ic + (size_t)c, 1, &v);
            sum += v;
            most = v > most ? v : most;
            count++;
        }
    if (p->fold == POOL_MAX)
        return most;
    return sum < 0 ? -((-sum + count / 2) / count) : (sum + count / 2) / count;
}

static void put(const struct pool_plain *p, size_t at, int64_t v)
{
    const int32_t clamped = (int32_t)(v < p->range_quant.lo ? p->range_quant.lo : v > p->range_quant.hi ? p->range_quant.hi : v);

    packed_int_store(p->type, p->y, at, 1, &clamped);
}

void pool_plain_rows(void *arg, size_t begin, size_t end)
{
    const struct pool_plain *p = arg;
    const struct conv_geometry *g = p->g;

    for (size_t row = begin; row < end; row++)
        for (int32_t ox = 0; ox < g->ow; ox++)
            for (int32_t c = 0; c < g->ic; c++) {
                const size_t image = row / (size_t)g->oh, oy = row % (size_t)g->oh;
                const size_t at = (row * (size_t)g->ow + (size_t)ox) * (size_t)g->ic + (size_t)c;
                const int64_t y0 = (int64_t)oy * g->sh - g->pt, x0 = (int64_t)ox * g->sw - g->pl;

                if (p->type == TYPE_FLOAT32)
                    ((float *)p->y)[at] = activation_clamp(float_of(p, image, y0, x0, c), p->range);
                else
                    put(p, at, integer_of(p, image, y0, x0, c));
            }
}
