/* SPDX-License-Identifier: Apache-2.0 */
/* summary_text.h - the answer, as the last lines of text. */
#ifndef DELEGAUGE_CMD_SUMMARY_TEXT_H
#define DELEGAUGE_CMD_SUMMARY_TEXT_H

#include "cmd/benchmark/benchmark.h"

/* Print two lines, and a third with --compare_cpu: the median in ms with its 95 % interval, percentiles and inferences per second;
 * the requested executor, the one used, and why not for all nodes; the speed-up. Fails only with ST_NOMEM. */
enum status summary_say(const struct benchmark *b, struct err *err);

#define SUMMARY_MS_SIZE 32

/* Write microseconds as milliseconds with four digits, in whole ones from 1000 on; "?" for NAN. Returns `out`. */
const char *summary_ms(double us, char out[SUMMARY_MS_SIZE]);

#endif
