/* SPDX-License-Identifier: Apache-2.0 */
/* fake_quant.c - cases of FAKE_QUANT. */
#include "bench/opcheck/opcheck.h"

const struct op_case fake_quant_cases[] = {
    { "8 bits", .opt = &(struct opt_fake_quant){ -1.3f, 2.1f, 8, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "8 bits, narrow (TFLite leaves that to weights)", .opt = &(struct opt_fake_quant){ -1.3f, 2.1f, 8, true },
      .no_golden = true, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "4 bits, from 0", .opt = &(struct opt_fake_quant){ 0, 2.1f, 4, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "16 bits", .opt = &(struct opt_fake_quant){ -2, 0, 16, false }, .in = { F32_IN(-3, 3, 3, 5, 7) } },
    { "17 bits", .opt = &(struct opt_fake_quant){ -2, 1, 17, false }, .in = { F32(3) }, .no_golden = true, .fails = "17 bits" },
    { "range without 0", .opt = &(struct opt_fake_quant){ 1, 2, 8, false }, .in = { F32(3) }, .no_golden = true,
      .fails = "does not hold 0" },
    { 0 }
};
