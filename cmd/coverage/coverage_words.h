/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_words.h - the sentences of all op_coverage outputs about a node, a gain and the question: one sentence, one place. */
#pragma once

#include "cmd/coverage/op_coverage.h"

#define COVERAGE_WORDS_SIZE 320

/* Fate of a node. Left out: accepted, but its partition is not among the partitions that run. */
enum verdict_kind { VERDICT_COVERED, VERDICT_FOLDED, VERDICT_LEFT_OUT, VERDICT_REFUSED, VERDICT_KINDS };

enum verdict_kind coverage_kind(const struct verdict *v);

/* Return the kind's name: "covered", "folded", "left out", "refused". */
const char *coverage_kind_name(enum verdict_kind k);

/* Return a light colour, for black text on it: "#cfe6c8". */
const char *coverage_kind_color(enum verdict_kind k);

/* Return "GPU", or "CPU" if the CPU kernels were asked. */
const char *coverage_backend(const struct coverage_run *r);

/* Return the name of the backend that runs that partition. */
const char *coverage_whose(const struct coverage_run *r, uint32_t partition);

/* Write the question: "GPU, judged by the least that any device must offer (--device asks the device)". */
const char *coverage_asked(const struct coverage_run *r, char out[COVERAGE_WORDS_SIZE]);

/* Return "crash: " or "incorrect: " if a rule set takes the node and it fails there; else "". */
const char *coverage_failure(const struct verdict *v);

/* Write the verdict: "GPU, partition 0", "CPU kernel", "folded into a constant", or "UNSUPPORTED_OPERATOR: no shader for this
 * operator". It may hold names of the model, unchanged. Returns `out`, as the others do. */
const char *coverage_words(const struct coverage_run *r, const struct verdict *v, char out[COVERAGE_WORDS_SIZE]);

/* Write the answer of one rule set of several: "yes", or "crash: UNSUPPORTED_OPERATOR: …". */
const char *coverage_answer_words(const struct verdict *v, char out[COVERAGE_WORDS_SIZE]);

/* Return the label of the delegate that would take the node. */
const char *coverage_gain_whose(const struct coverage_run *r, const struct coverage_gain *g);

/* Write "With node 3 CONV_2D taken as well"; with several delegates, "… by GPU". */
const char *coverage_gain_words(const struct coverage_run *r, const struct coverage_gain *g, char out[COVERAGE_WORDS_SIZE]);

/* Write the gain: "8 nodes in 2 partitions". */
const char *coverage_gain_counts(const struct coverage_gain *g, char out[COVERAGE_WORDS_SIZE]);

/* Write the coverage of called subgraphs: "2 of 3 nodes of 2 subgraphs on the GPU, in 1 partition; the shapes of 1 show in a run
 * alone"; "" if none is called, or the CPU kernels are asked. */
const char *coverage_called_words(const struct coverage_run *r, char out[COVERAGE_WORDS_SIZE]);

/* Write "20000 more refused nodes were not tried one by one"; "" if all were tried. */
const char *coverage_untried_words(const struct coverage *c, char out[COVERAGE_WORDS_SIZE]);
