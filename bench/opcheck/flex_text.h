/* SPDX-License-Identifier: Apache-2.0 */
/* flex_text.h - the option bytes of custom operators, written as text.
 *
 *   "stride=16 score_threshold=0.2 use_regular_nms=true padding=SAME ksize=1,2,2,1"
 *
 * becomes a FlexBuffers map of an integer, a float (it has a point or an exponent), a bool, a string and a vector of integers
 * (it has a comma). */
#ifndef DELEGAUGE_BENCH_FLEX_TEXT_H
#define DELEGAUGE_BENCH_FLEX_TEXT_H

#include <stdint.h>

#include "lib/base/arena.h"

/* The map's bytes, in `a`'s memory; NULL when memory runs out or the text is too long. */
uint8_t *flex_from_text(const char *text, struct arena *a, size_t *bytes);

#endif
