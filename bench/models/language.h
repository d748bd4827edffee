/* SPDX-License-Identifier: Apache-2.0 */
/* language.h - a small decoder of tokens with the signatures of a language model. */
#pragma once

#include "bench/models/builder.h"

enum { LANGUAGE_VOCABULARY = 128, LANGUAGE_CAPACITY = 320, LANGUAGE_CHUNK = 16 };

/* Build a decoder with causal attention and seeded weights, in the form of AI Edge Torch's exports: the signature "prefill" reads
 * LANGUAGE_CHUNK tokens, "decode" reads one and makes logits; both share the weights and name the state (KV cache) of at most
 * LANGUAGE_CAPACITY tokens. */
void language_model(struct builder *b);
