/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.h - text from a model may hold any bytes; files that say they are UTF-8 may not. */
#ifndef DELEGAUGE_CMD_UTF8_H
#define DELEGAUGE_CMD_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Return the number of bytes of the well-formed UTF-8 character at s, which ends with a NUL somewhere; 0 if there is none. Overlong
 * forms, surrogates and codes beyond U+10FFFF are none. */
size_t utf8_length(const char *s);

/* True if XML, and with it HTML, allows the character at s: no control character but tab and line break, and neither of the two
 * codes that are no characters. */
bool utf8_is_text(const char *s);

/* Return a copy in which each byte that belongs to no character is U+FFFD; the caller frees it. NULL if memory runs out. */
char *utf8_valid(const char *text);

#endif
