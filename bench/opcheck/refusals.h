/* SPDX-License-Identifier: Apache-2.0 */
/* refusals.h - the GPU's refusals of cases with 8- and 16-bit tensors, in each mode of quantized tensors, counted by reason. */
#ifndef DELEGAUGE_BENCH_REFUSALS_H
#define DELEGAUGE_BENCH_REFUSALS_H

#include "bench/opcheck/case_model.h"
#include "lib/delegate/delegate.h"

struct refusals;

/* NULL when memory runs out. */
struct refusals *refusals_new(void);
void refusals_free(struct refusals *r);

/* Return true if the case has a tensor of INT8, UINT8 or INT16 that is made at run time. */
bool refusals_concern(const struct case_model *m);

/* Note the answers (check_gpu_ask) for such a case of `op` with --gpu_quant=simulate and with exact. */
void refusals_add(struct refusals *r, const char *op, const char *simulated, const char *exact);

/* Print the counts, the counts of types and quantization by operators. *same: REFUSALS_PATH has them, too; `write_anew` makes it
 * so. Fails with ST_IO and ST_NOMEM. */
#define REFUSALS_PATH "testdata/gpu/refusals.txt"
enum status refusals_hold(const struct refusals *r, bool write_anew, bool *same, struct err *err);

#endif
