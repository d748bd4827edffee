/* SPDX-License-Identifier: Apache-2.0 */
/* model_pairs.h - the matching of inputs and outputs of two models: a float model and its quantized twin, before and after a
 * conversion.
 *
 * By the names that both models' signatures give them, else by the tensors' names, else by their order: the first of these that
 * matches every one of them. */
#ifndef DELEGAUGE_MODEL_PAIRS_H
#define DELEGAUGE_MODEL_PAIRS_H

#include "lib/model/model.h"

enum pairs_by { PAIRS_BY_SIGNATURE, PAIRS_BY_NAME, PAIRS_BY_ORDER };

struct model_pairs {
    uint32_t *inputs, *outputs; /* [n_*]: of the test model, that goes with the reference's i-th */
    uint32_t n_inputs, n_outputs;
    enum pairs_by inputs_by, outputs_by;
};

/* Pair the inputs and outputs of a subgraph of each model. The lists belong to `a`. ST_USAGE, with both numbers, if the models do
 * not have equally many of them; ST_NOMEM. */
enum status model_pairs_find(const struct model *reference, uint32_t reference_subgraph, const struct model *test,
                             uint32_t test_subgraph, struct arena *a, struct model_pairs *out, struct err *err);

#endif
