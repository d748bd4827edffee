/* SPDX-License-Identifier: Apache-2.0 */
/* texts.h - the shaders' texts, which programs carry packed.
 *
 * shaders.h, made by make, names them: X_comp is the text of kernels_gl/X.comp without the lines that are comments, and it is empty
 * until gl_texts_unpack has been called. GL_TEXTS(X) lists the names.
 *
 * The packed form, which scripts/make/embed.awk writes, is a range coder's: 32 bits of range, and for every kind of bit the chance
 * of a zero in 4096ths, which moves by a 16th of what is missing. A bit tells a character from a repeat of what was before; a
 * character has seven bits, whose chances depend on the one before it. A repeat says whether it goes as far back as the last one
 * did, how long it is (less 3, or less 1 if it goes as far), and how far back: its number of binary digits, then those below the
 * first. */
#pragma once

#include "shaders.h"

/* Fills X_comp of every shader, the first time that it is called. From any thread. */
void gl_texts_unpack(void);
