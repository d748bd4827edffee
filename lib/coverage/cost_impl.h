/* SPDX-License-Identifier: Apache-2.0 */
/* cost_impl.h - declarations that the files of cost share. */
#pragma once

#include "lib/coverage/cost.h"

/* Count the bytes that a node reads and writes, each tensor once, into *bytes. Returns false if sizes depend on data. */
bool cost_node_bytes(const struct coverage *c, const struct verdict *v, uint64_t *bytes);

/* Fill out->advice, after all other members of *out. Fails only with ST_NOMEM. */
enum status cost_advise(const struct coverage *c, const struct cost_terms *terms, struct arena *a, struct cost *out,
                        struct err *err);
