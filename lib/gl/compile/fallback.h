/* SPDX-License-Identifier: Apache-2.0 */
/* fallback.h - shaders that the driver takes: what it refuses is replaced by something else that computes the same, with a warning.
 */
#pragma once

#include "lib/gl/compile/settings.h"

/* Generates the partition and builds its programs; where the driver refuses some, generates it again with the next
 * variant, then unfused, telling the partition's delegate what the driver said, once per program. Where nothing is left for a node,
 * fills its refused[graph nodes] (REASON_DRIVER) and returns ST_OK with a draft that is good for nothing. The context is current.
 * The draft is zeroed, and the caller's to free (gl_draft_free), after failures too. */
enum status gl_build(const struct gl_settings *how, const struct graph *g, const struct partition *part, struct gl_draft *out,
                     struct reason *refused, struct err *err);
