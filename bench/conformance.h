/* SPDX-License-Identifier: Apache-2.0 */
/* conformance.h - cases that scripts/conformance.py drew at random, kept as files.
 *
 * A folder of OPERATOR.TYPE.SEED.tflite: real models, whose metadata hold the bytes of each input ("input_0", ...) and, where it
 * is not up to the checks how often to run it, "runs" as INT32. OPERATOR.txt beside them has the outputs of TFLite's reference
 * kernels, case "TYPE.SEED", in the format of golden.h. */
#ifndef DELEGAUGE_BENCH_CONFORMANCE_H
#define DELEGAUGE_BENCH_CONFORMANCE_H

#include "check.h"

/* Sees one case: m and golden, valid during the call, or in `bad` why the model cannot be used. */
typedef void (*conformance_visitor)(void *user, const struct case_ref *ref, const struct golden *golden, const struct case_model *m,
                                    const struct err *bad);

/* Calls visit for each case in alphabetical order of files. Fails where the folder has none, or one that no operator is named by.
 */
enum status conformance_visit(const char *dir, conformance_visitor visit, void *user, struct err *err);

#endif
