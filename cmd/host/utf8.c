/* SPDX-License-Identifier: Apache-2.0 */
/* utf8.c - validation of UTF-8. */
#include "cmd/host/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t utf8_length(const char *text)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    size_t n = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
    uint32_t code = n > 1 ? s[0] & (0x7fu >> n) : s[0];

    for (size_t i = 1; i < n; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3f);
    }
    if (n && (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)))
        return 0;
    return n;
}

bool utf8_is_text(const char *s)
{
    const unsigned char c = (unsigned char)*s;

    if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7f)
        return false;
    return strncmp(s, "\xef\xbf\xbe", 3) != 0 && strncmp(s, "\xef\xbf\xbf", 3) != 0;
}

char *utf8_valid(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *out = malloc(3 * strlen(text) + 1), *to = out;

    while (out && *text) {
        size_t n = utf8_length(text);

        memcpy(to, n ? text : replacement, n ? n : 3);
        to += n ? n : 3;
        text += n ? n : 1;
    }
    if (out)
        *to = '\0';
    return out;
}
