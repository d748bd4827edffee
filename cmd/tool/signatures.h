/* SPDX-License-Identifier: Apache-2.0 */
/* signatures.h - which of a model's signatures a tool runs, and the list of them. */
#pragma once

#include "lib/model/model.h"

/* Find the subgraph of the signature called `key`; for "" the primary one, unless the model has several signatures: measuring one
 * of these in silence would answer another question. ST_USAGE then and for an unknown key, after listing them on stderr; `flag` is
 * the name of the key's flag in the message, without its dashes. */
enum status signatures_choose(const struct model *m, const char *flag, const char *key, uint32_t *subgraph, struct err *err);

/* Return true if `key` asks for every signature, each in a row of its own: "all". */
bool signatures_are_all(const char *key);

/* Print every signature in the lines of TFLite's tool, with the names, types and shapes of its inputs and outputs. */
void signatures_say(const struct model *m);

/* Print name, type and shape of every input and output of a subgraph, with the names that its signatures give them: the names that
 * flags about inputs take, of models without signatures, too. */
void signatures_say_inputs(const struct model *m, uint32_t subgraph);
