/* SPDX-License-Identifier: Apache-2.0 */
/* language.h - a small decoder of tokens with the signatures of a language model. */
#pragma once

#include "bench/models/builder.h"

enum { LANGUAGE_VOCABULARY = 128, LANGUAGE_CAPACITY = 320, LANGUAGE_CHUNK = 16 };

/* Build a decoder with causal attention and seeded weights, in the form of AI Edge Torch's exports: the signature "prefill" reads
 * LANGUAGE_CHUNK tokens, "decode" reads one and makes logits; both share the weights and name the state (KV cache) of at most
 * LANGUAGE_CAPACITY tokens. */
void language_model(struct builder *b);

/* What other exporters write. */
struct language_form {
    enum tensor_type numbers; /* of tokens and positions: TYPE_INT32 or TYPE_INT64 */
    enum tensor_type state;   /* TYPE_FLOAT32, or TYPE_INT8 with zero point 5 */
    enum tensor_type mask;    /* the input "mask" says what a token may see: TYPE_BOOL or TYPE_FLOAT32; TYPE_NONE: no such input */
    int32_t spare;            /* columns of the mask beyond the state's rows, which the model cuts off */
};

/* Build the same model in that form; all but those with a state of TYPE_INT8 make the same logits. */
void language_model_of(struct builder *b, const struct language_form *form);
