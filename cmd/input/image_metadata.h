/* SPDX-License-Identifier: Apache-2.0 */
/* image_metadata.h - --input_from_metadata: the normalization of images that the model's metadata asks for. */
#pragma once

#include "cmd/input/image_input.h"
#include "lib/model/model.h"

/* Put mean and std of input `input` of a subgraph into *o, if that input, `t`, holds floats; 8-bit inputs get pixels, as in
 * TFLite's task library. ST_USAGE if the model has no metadata, or they name no normalization of it or one that is no numbers;
 * ST_BAD_MODEL if they are broken; ST_NOMEM. */
enum status image_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                           struct image_options *o, struct err *err);
