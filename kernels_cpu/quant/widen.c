/* SPDX-License-Identifier: Apache-2.0 */
/* widen.c - quantized tensors as int16 with their zero point subtracted. */
#include "kernels_cpu/quant/widen.h"

#include <math.h>

#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/quant/packed_int.h"

static CLONES void widen_u8(const uint8_t *restrict from, int16_t zero, size_t n, int16_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(from[i] - zero);
}

static CLONES void widen_i8(const int8_t *restrict from, int16_t zero, size_t n, int16_t *restrict out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = (int16_t)(from[i] - zero);
}

void widen(enum tensor_type type, const void *data, int32_t zero, size_t first, size_t n, int16_t *out)
{
    int16_t z = (int16_t)zero;

    switch (type) {
    case TYPE_UINT8: widen_u8((const uint8_t *)data + first, z, n, out); break;
    case TYPE_INT8: widen_i8((const int8_t *)data + first, z, n, out); break;
    case TYPE_INT4:
    case TYPE_INT2:
        for (size_t i = 0; i < n; i++)
            out[i] = (int16_t)(packed_int_get(type, data, first + i) - z);
        break;
    default:
        for (size_t i = 0; i < n; i++)
            out[i] = (int16_t)(((const int16_t *)data)[first + i] - z);
    }
}

struct widen_job {
    enum tensor_type type;
    const void *data;
    int32_t zero;
    int16_t *out;
};

static void widen_piece(void *arg, size_t begin, size_t end)
{
    const struct widen_job *j = arg;

    widen(j->type, j->data, j->zero, begin, end - begin, j->out + begin);
}

void widen_all(struct threads *threads, enum tensor_type type, const void *data, int32_t zero, size_t n, int16_t *out)
{
    struct widen_job job = {type, data, zero, out};

    threads_for(threads, n, 16384, widen_piece, &job);
}

static bool scale_ok(float scale)
{
    return isfinite(scale) && scale > 0;
}

enum status quant_check_channels(const struct tensor *t, int32_t dim, size_t channels, const char *what, struct err *err)
{
    if (t->quant.n == 1)
        return quant_check(t, err);
    if (t->quant.n != channels || t->quant.dim != dim)
        return err_set(err, ST_BAD_MODEL, "%s has %u scales along dimension %d for %zu channels of dimension %d", what,
                       (unsigned)t->quant.n, (int)t->quant.dim, channels, (int)dim);
    for (size_t i = 0; i < channels; i++)
        if (!scale_ok(t->quant.scale[i]))
            return err_set(err, ST_BAD_MODEL, "%s has scale %g for channel %zu", what, (double)t->quant.scale[i], i);
    return ST_OK;
}

bool quant_has_zero(const struct tensor *t)
{
    for (uint32_t i = 0; t->quant.zero_point && i < t->quant.n; i++)
        if (t->quant.zero_point[i])
            return true;
    return false;
}

enum status quant_check_filter(const struct tensor *filter, int32_t dim, struct err *err)
{
    enum status st = quant_check_channels(filter, dim, (size_t)filter->dim[dim], "the filter", err);

    if (st)
        return st;
    if (filter->type == TYPE_UINT8 && filter->quant.n > 1)
        return err_set(err, ST_UNSUPPORTED, "a UINT8 filter has one scale per channel");
    if (filter->type != TYPE_UINT8 && quant_has_zero(filter))
        return err_set(err, ST_UNSUPPORTED, "the filter's zero point is not 0");
    return ST_OK;
}
