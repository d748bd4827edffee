/* SPDX-License-Identifier: Apache-2.0 */
/* conformance.h - cases that scripts/reference/conformance.py drew at random, kept as an archive per operator.
 *
 * A folder of OPERATOR.tar (tar.h). Its first member, golden.txt, has the outputs of TFLite's reference kernels in the format of
 * golden.h, case "TYPE.SEED". Each other member, TYPE.SEED.tflite, is a real model whose metadata hold the bytes of each input
 * ("input_0", ...) and, unless it is up to the checks how often to run it, "runs" as INT32. */
#ifndef DELEGAUGE_BENCH_CONFORMANCE_H
#define DELEGAUGE_BENCH_CONFORMANCE_H

#include "bench/opcheck/check.h"

/* Sees one case: m and golden, valid during the call, or in `bad` why the model cannot be used. */
typedef void (*conformance_visitor)(void *user, const struct case_ref *ref, const struct golden *golden, const struct case_model *m,
                                    const struct err *bad);

/* Calls visit for each case: archives in alphabetical order, members in theirs. Fails if the folder has no archive, or one that no
 * operator is named by, that is broken (ST_BAD_MODEL) or without cases. */
enum status conformance_visit(const char *dir, conformance_visitor visit, void *user, struct err *err);

#endif
