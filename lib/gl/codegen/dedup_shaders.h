/* SPDX-License-Identifier: Apache-2.0 */
/* dedup_shaders.h - shaders that are the same but for what some of them need and others leave out, as what clears the channels
 * that the last slice of a value lacks.
 *
 * A text says in comments what it leaves out: a line that begins with GL_LEFT_OUT, and the one behind it, if that begins with
 * GL_INSTEAD, takes its place. With all that is left out it computes the same. */
#ifndef DELEGAUGE_GL_ALIKE_H
#define DELEGAUGE_GL_ALIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

#define GL_LEFT_OUT "//~"
#define GL_INSTEAD  "/**/"

/* Which of texts[n] would be equal with all that they leave out, gets it, since programs cost more than what it takes: all of them
 * the same memory, one of the texts' or the arena's, from which nothing else is taken. False: out of memory. */
bool gl_make_alike(struct arena *a, const char **texts, uint32_t n);

#endif
