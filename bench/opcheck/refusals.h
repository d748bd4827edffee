/* SPDX-License-Identifier: Apache-2.0 */
/* refusals.h - counts the GPU's refusals of cases with 8- and 16-bit tensors by reason, in both modes of quantized tensors. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "lib/delegate/delegate.h"

struct refusals;

/* Return an empty count; NULL if memory runs out. */
struct refusals *refusals_new(void);
void refusals_free(struct refusals *r);

/* Return true if the case has an INT8, UINT8 or INT16 tensor that is computed at run time. */
bool refusals_concern(const struct case_model *m);

/* Record the answers (check_gpu_ask) to such a case of `op` with --gpu_quant=simulate and with exact. */
void refusals_add(struct refusals *r, const char *op, const char *simulated, const char *exact);

/* Print the counts; refusals because of types and quantization are counted by operator. *same: they equal the file REFUSALS_PATH;
 * `write_anew` writes it. Fails with ST_IO or ST_NOMEM. */
#define REFUSALS_PATH "testdata/gpu/refusals.txt"
enum status refusals_hold(const struct refusals *r, bool write_anew, bool *same, struct err *err);
