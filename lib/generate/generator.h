/* SPDX-License-Identifier: Apache-2.0 */
/* generator.h - runs a language model token by token: one signature reads a prompt (prefill), another makes the next token
 * (decode), and both name the same state (KV cache).
 *
 *   generator_new(model, &options, &g, &err);
 *   generator_begin(g, &err);                   empty state, position 0
 *   generator_prefill(g, prompt, n, &err);
 *   generator_decode(g, prompt[n - 1], &err);   makes the logits of token n
 *   next = generator_greedy(g);
 *   generator_decode(g, next, &err);            and so on
 *
 * Inputs and outputs are found by the names in the signatures, as exported by AI Edge Torch and read by LiteRT-LM:
 *
 * - "tokens" (or "token_ids", "input_ids"): INT32 or INT64, as many elements as tokens of a run.
 * - "input_pos" (or "positions", "position_ids"): likewise; the position of each token. May be missing.
 * - "mask" (or "attention_mask"): BOOL, or FLOAT32 with 0 for what a token may see and -1e9 for the rest; a row for each
 *   token, with a column for each that the state holds. May be missing.
 * - state: each input of decode that is an output of decode by the same name, type and shape. No two are one tensor.
 * - logits: the one other output of decode; the last row of its last dimension counts.
 *
 * The state is never copied: two buffers hold each tensor of it, one is read and the other written, and they change places after
 * each run. They lie on the delegate's device where both signatures can bind them there, else in host memory. */
#pragma once

#include "lib/session/session.h"

struct generator;

struct generator_options {
    const char *prefill, *decode;   /* keys of the signatures */
    struct session_options session; /* for both sessions; subgraph does not count */
};

/* Facts of the model. */
struct generator_facts {
    uint32_t chunk;       /* tokens that one run of prefill reads */
    uint32_t capacity;    /* most tokens that the model holds: the lesser of `masked` and the largest dimension of the state */
    uint32_t masked;      /* columns of the mask; 0: there is none */
    uint32_t vocabulary;  /* length of a row of logits */
    uint32_t n_states;    /* tensors of the state */
    uint32_t n_on_device; /* of these, tensors in buffers of the delegate's device */
    uint64_t state_bytes; /* of one copy of the state; there are two */
};

/* Make both sessions, prepare them, and bind the state. Fails with ST_USAGE for an unknown signature, and for one in which an input
 * has none of the meanings above; else as session_new and session_prepare do. */
enum status generator_new(const struct model *m, const struct generator_options *o, struct generator **out, struct err *err);

/* Free the generator; accepts NULL. */
void generator_free(struct generator *g);

void generator_facts(const struct generator *g, struct generator_facts *out);

/* Return the sessions, for their partitions, memory and times. */
struct session *generator_prefill_session(const struct generator *g);
struct session *generator_decode_session(const struct generator *g);

/* Forget all tokens: the state becomes zeros. */
enum status generator_begin(struct generator *g, struct err *err);

/* Read n tokens, in runs of `chunk`. A last run of fewer is filled up with tokens 0 behind them, which later tokens overwrite; if
 * the state has no room for these, decode reads the rest one by one. Fails with ST_USAGE if the state has no room for n tokens. */
enum status generator_prefill(struct generator *g, const int32_t *tokens, uint32_t n, struct err *err);

/* Read one token, and make logits. It takes the position of the last token if that was read by prefill, which makes no logits,
 * and is the same; else the next one. Fails with ST_USAGE if the state is full. */
enum status generator_decode(struct generator *g, int32_t token, struct err *err);

/* Return the number of tokens in the state. */
uint32_t generator_position(const struct generator *g);

/* Return logit i of the last run of decode as a real number; i is below the vocabulary. */
double generator_logit(const struct generator *g, uint32_t i);

/* Return the token with the largest logit, the first of equals; NaN is below all. */
int32_t generator_greedy(const struct generator *g);

/* Give all inputs of `to`, a prepared session on the subgraph of decode, the content that they had in the last run of decode. Fails
 * with ST_USAGE if the last run was none of decode, and as the delegate's buffer_read does. */
enum status generator_last_inputs(const struct generator *g, struct session *to, struct err *err);
