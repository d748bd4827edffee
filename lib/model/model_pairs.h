/* SPDX-License-Identifier: Apache-2.0 */
/* model_pairs.h - matching of inputs and outputs of two models: a float model and its quantized version, before and after a
 * conversion.
 *
 * By the first of these that matches all of them: names in the signatures of both models, names of tensors, order. */
#pragma once

#include "lib/model/model.h"

enum pairs_by { PAIRS_BY_SIGNATURE, PAIRS_BY_NAME, PAIRS_BY_ORDER };

struct model_pairs {
    uint32_t *inputs, *outputs; /* [n_inputs], [n_outputs] index in the test model of the match for the reference's i-th */
    uint32_t n_inputs, n_outputs;
    enum pairs_by inputs_by, outputs_by;
};

/* Match the inputs and the outputs of one subgraph of each model. The arrays belong to `a`. Fails with ST_USAGE if their numbers
 * differ, with ST_NOMEM. */
enum status model_pairs_find(const struct model *reference, uint32_t reference_subgraph, const struct model *test,
                             uint32_t test_subgraph, struct arena *a, struct model_pairs *out, struct err *err);
