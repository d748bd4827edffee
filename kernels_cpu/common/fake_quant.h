/* SPDX-License-Identifier: Apache-2.0 */
/* fake_quant.h - FAKE_QUANT as numbers: the values lo, lo + scale, ... hi. */
#ifndef DELEGAUGE_KERNELS_CPU_FAKE_QUANT_H
#define DELEGAUGE_KERNELS_CPU_FAKE_QUANT_H

#include "lib/graph/kernel.h"

struct fake_quant {
    float lo, hi, scale, per_scale; /* per_scale: 1 / scale */
};

/* ST_BAD_MODEL: no such number of bits, or a range without 0. */
enum status fake_quant_of(const struct opt_fake_quant *o, struct fake_quant *out, struct err *err);

#endif
