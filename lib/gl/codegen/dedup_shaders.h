/* SPDX-License-Identifier: Apache-2.0 */
/* dedup_shaders.h - shaders that are the same but for lines that some of them need and others leave out, such as the code that
 * clears the channels that the last slice of a value lacks.
 *
 * A text has the lines that it leaves out in comments: a line that begins with GL_LEFT_OUT, and the one behind it, if that begins
 * with GL_INSTEAD, takes its place. With all the left-out lines it computes the same. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

#define GL_LEFT_OUT "//~"
#define GL_INSTEAD  "/**/"

/* Make texts alike: each of texts[n] that would equal others with all its left-out lines gets these lines, since programs cost more
 * than the lines take. All of them get the same memory, one of the texts' or the arena's, from which nothing else is taken. False
 * if memory runs out. */
bool gl_dedup_shaders(struct arena *a, const char **texts, uint32_t n);
