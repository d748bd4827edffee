/* SPDX-License-Identifier: Apache-2.0 */
/* flex_text.h - options of custom operators as text.
 *
 *   "stride=16 score_threshold=0.2 use_regular_nms=true padding=SAME ksize=1,2,2,1"
 *
 * becomes a FlexBuffers map with an integer, a float (has a point or an exponent), a bool, a string and a vector of integers (has a
 * comma). */
#pragma once

#include <stdint.h>

#include "lib/base/arena.h"

/* Return the map's bytes, in `a`; NULL if memory runs out or the text is too long. */
uint8_t *flex_from_text(const char *text, struct arena *a, size_t *bytes);
