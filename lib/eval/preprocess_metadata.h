/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess_metadata.h - the normalization that a model's metadata asks for, and the names that it has for outputs. */
#pragma once

#include "lib/eval/preprocess.h"
#include "lib/model/model.h"

/* Fill *p with preset squash, as TFLite's task library resizes, and with mean and std of NormalizationOptions in the metadata
 * TFLITE_METADATA of input `input` of subgraph `subgraph`: one number each, or three. 8-bit inputs get pixels, whatever these are:
 * `t` is the input. ST_USAGE if the model has no metadata, or none of a normalization; ST_BAD_MODEL if they are broken; ST_NOMEM.
 */
enum status preprocess_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                                struct preprocess *p, struct err *err);

/* Store the name of output `output` in the metadata, cut to the size; false if it has none. */
bool metadata_output_name(const struct model *m, uint32_t subgraph, uint32_t output, char name[64]);
