/* SPDX-License-Identifier: Apache-2.0 */
/* requant_one.c - one sum to one quantized output, any kind of scaling. */
#include "kernels_cpu/quant/requant_one.h"

#include <math.h>

static int32_t scale_real(double scaled)
{
    scaled = round(scaled);
    scaled = scaled < INT32_MIN ? INT32_MIN : scaled;
    return (int32_t)(scaled > INT32_MAX ? INT32_MAX : scaled);
}

int32_t requant_one(const struct requant *r, size_t channel, int64_t sum)
{
    struct fixed_mul m = {r->mult[channel], r->shift[channel]};
    int32_t narrow = (int32_t)((uint32_t)sum + (uint32_t)r->bias[channel]), y;

    switch (r->kind) {
    case REQUANT_FIXED: y = fixed_scale(narrow, m); break;
    case REQUANT_FIXED_WIDE: y = fixed_scale64(sum + r->bias_wide[channel], m); break;
    default: y = scale_real((double)(r->type == TYPE_INT16 ? sum + r->bias_wide[channel] : narrow) * r->scale[channel]);
    }
    return fixed_clamp((int32_t)((uint32_t)y + (uint32_t)r->zero), r->range.lo, r->range.hi);
}
