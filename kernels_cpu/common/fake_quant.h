/* SPDX-License-Identifier: Apache-2.0 */
/* fake_quant.h - parameters of FAKE_QUANT, whose results are the values lo, lo + scale, ... hi. */
#pragma once

#include "lib/graph/kernel.h"

struct fake_quant {
    float lo, hi, scale, per_scale; /* per_scale: 1 / scale */
};

/* Fill *out from the options, the range moved so that 0 is one of the values. Fails with ST_BAD_MODEL unless there are 2 to 16 bits
 * and a finite range that contains 0. */
enum status fake_quant_of(const struct opt_fake_quant *o, struct fake_quant *out, struct err *err);
