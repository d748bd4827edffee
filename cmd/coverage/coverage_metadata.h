/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_metadata.h - what the model's metadata say: names, normalization of inputs, label files. */
#pragma once

#include "cmd/print/results.h"
#include "lib/model/model.h"

/* Add lines about the metadata of a subgraph, none if there are none; and put "metadata" into the report's root, null likewise.
 * Metadata that cannot be read are one line, and null. */
void coverage_metadata_results(struct result_section *to, struct report *r, const struct model *m, uint32_t subgraph);
