/* SPDX-License-Identifier: Apache-2.0 */
/* conformance.h - reads cases drawn at random by scripts/reference/conformance.py, one archive for each operator.
 *
 * A folder of OPERATOR.tar (tar.h). The first member, golden.txt, has the outputs of TFLite's reference kernels in the format of
 * golden.h, as case "TYPE.SEED". The others, TYPE.SEED.tflite, are models with the bytes of each input in metadata "input_0", ...,
 * and optionally the number of runs, an INT32, in "runs". */
#pragma once

#include "bench/opcheck/check.h"

/* Receives one case: `m` and `golden`, valid during the call, or in `bad` why the model cannot be used. */
typedef void (*conformance_visitor)(void *user, const struct case_ref *ref, const struct golden *golden, const struct case_model *m,
                                    const struct err *bad);

/* Call visit for each case: archives in alphabetical order, members in their own. Fails if the folder has no archive, or one that
 * is not named after an operator, is broken (ST_BAD_MODEL) or has no cases. */
enum status conformance_visit(const char *dir, conformance_visitor visit, void *user, struct err *err);
