/* SPDX-License-Identifier: Apache-2.0 */
/* measure_json.h - "measurement" of benchmark_model's report. */
#ifndef DELEGAUGE_CMD_MEASURE_JSON_H
#define DELEGAUGE_CMD_MEASURE_JSON_H

#include "cmd/benchmark/benchmark.h"
#include "cmd/print/report.h"

/* Put the whole object into the root. */
void measure_put(struct report *r, const struct benchmark *b);

/* Put {"ratio": …, "low": …, "high": …, "p": …}: a ratio of medians with its interval, and the U test. */
void measure_put_ratio(struct report *r, struct json *in, const char *key, const struct median_ratio *ratio,
                       const struct mann_whitney *test);

#endif
