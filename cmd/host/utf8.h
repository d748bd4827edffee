/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - UTF-8: text from a model may contain any bytes, files in UTF-8 may not. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Return the number of bytes of the UTF-8 character at s, a text that ends with NUL; 0 if it is not well-formed (overlong, a
 * surrogate, beyond U+10FFFF). */
size_t utf8_length(const char *s);

/* Return true if XML and HTML allow the character at s: no control character but tab and line break, and not U+FFFE or U+FFFF. */
bool utf8_is_text(const char *s);

/* Return a copy in which each malformed byte is U+FFFD, to be freed by the caller; NULL if memory runs out. */
char *utf8_valid(const char *text);
