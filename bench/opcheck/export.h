/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - writes a case as files that other programs can run.
 *
 * DIR/<kernel>__<n>.tflite, DIR/<kernel>__<n>/input_<i>.bin (so that benchmark_model --input_dir takes it), and a line of
 * DIR/manifest.tsv: kernel, n, runs, kind, op, case name. Kind is "golden" if the outputs are wanted, "variant" if a refusal will
 * do as well, else "none" or "fails". */
#ifndef DELEGAUGE_BENCH_EXPORT_H
#define DELEGAUGE_BENCH_EXPORT_H

#include <stdio.h>

#include "bench/opcheck/case_model.h"

/* Makes the directory and opens its manifest, which the caller closes. */
enum status export_open(const char *dir, FILE **manifest, struct err *err);

/* A case that is refused already while it is built is left out. */
enum status export_case(const char *dir, FILE *manifest, const struct case_ref *ref, uint64_t seed, struct err *err);

#endif
