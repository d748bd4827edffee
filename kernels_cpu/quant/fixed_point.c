/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_point.c - from a real number to a multiplier and a shift. */
#include "kernels_cpu/quant/fixed_point.h"

bool fixed_from_double(double real, struct fixed_mul *out)
{
    int shift;
    int64_t q;

    *out = (struct fixed_mul){0, 0};
    if (!isfinite(real) || fabs(real) >= 0x1p30)
        return false;
    if (real == 0)
        return true;
    q = (int64_t)round(frexp(real, &shift) * 0x1p31);
    if (q == INT64_C(1) << 31) {
        q /= 2;
        shift++;
    }
    if (shift >= -31)
        *out = (struct fixed_mul){(int32_t)q, shift};
    return true;
}
