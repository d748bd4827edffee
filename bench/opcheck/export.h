/* SPDX-License-Identifier: Apache-2.0 */
/* export.h - writes cases as files that other programs can run.
 *
 * DIR/<kernel>__<n>.tflite, DIR/<kernel>__<n>/input_<i>.bin (for benchmark_model --input_dir), and a line of DIR/manifest.tsv:
 * kernel, n, runs, kind, op, case name. Kind is "golden" if the outputs are wanted, "variant" if a refusal is accepted too, else
 * "none" or "fails". */
#pragma once

#include <stdio.h>

#include "bench/opcheck/case_model.h"

/* Create the folder and open its manifest, to be closed by the caller. */
enum status export_open(const char *dir, FILE **manifest, struct err *err);

/* Write one case. A case that is refused while it is built is left out. */
enum status export_case(const char *dir, FILE *manifest, const struct case_ref *ref, uint64_t seed, struct err *err);
