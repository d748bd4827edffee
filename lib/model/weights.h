/* SPDX-License-Identifier: Apache-2.0 */
/* weights.h - the stores of a model's external buffers: files beside it, sections of its bundle, or files that the user names.
 *
 * The order is LiteRT's: what the user names, then the bundle, then the file of the group's name beside the model. A name that
 * leads out of that folder is refused, as a model may come from anywhere. */
#pragma once

#include "lib/base/sha256.h"
#include "lib/model/bundle.h"
#include "lib/model/model.h"

struct weight_places {
    const char *given;                    /* FILE or FILE:GROUP, a line each; NULL or "": none */
    const char *path;                     /* the model's file, or its bundle; NULL: in memory, and nothing is beside it */
    const struct bundle *bundle;          /* NULL: it is in none */
    const struct bundle_section *section; /* of the model in it */
    const struct model *same;             /* a model with the same groups, whose mappings are borrowed; NULL: none */
};

/* Map bytes `from` to `to` of the store of group->name into *group; texts lie in `a`. Fails with ST_IO, ST_BAD_MODEL if the store
 * is smaller, ST_USAGE for a name that leads elsewhere, ST_NOMEM. */
enum status weights_map(const struct weight_places *p, uint64_t from, uint64_t to, struct model_group *group, struct arena *a,
                        struct err *err);

/* Write the SHA-256 of the constants outside of the model's file, in the order of their buffers, and return `out`; NULL: it has
 * none. It is a chain: the hash of the one so far and that of the next buffer, both as hexadecimal digits. */
const char *weights_sha256(const struct model *m, char out[SHA256_HEX_SIZE]);

/* Fail with ST_USAGE, naming the line, if none of the n models takes constants from a line of `given` (weight_places.given). */
enum status weights_check_used(const char *given, const struct model *const *models, uint32_t n, struct err *err);
