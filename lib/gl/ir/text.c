/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - text that grows in an arena. */
#include "lib/gl/ir/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool reserve(struct text *t, size_t more)
{
    size_t cap = t->cap ? t->cap : 1024;
    char *s;

    if (t->failed || t->n + more + 1 <= t->cap)
        return !t->failed;
    while (cap < t->n + more + 1)
        cap *= 2;
    if (!(s = arena_alloc(t->arena, cap, 1))) {
        t->failed = true;
        return false;
    }
    if (t->n)
        memcpy(s, t->s, t->n);
    t->s = s;
    t->cap = cap;
    return true;
}

void text_bytes(struct text *t, const char *s, size_t n)
{
    if (!t->arena || !n || !reserve(t, n))
        return;
    memcpy(t->s + t->n, s, n);
    t->n += n;
    t->s[t->n] = 0;
}

void text_add(struct text *t, const char *fmt, ...)
{
    size_t room = t->cap ? t->cap - t->n : 0;
    va_list ap;
    int n;

    if (!t->arena)
        return;
    va_start(ap, fmt);
    n = vsnprintf(room ? t->s + t->n : NULL, room, fmt, ap);
    va_end(ap);
    if (n < 0 || !reserve(t, (size_t)n))
        return;
    if ((size_t)n >= room) {
        va_start(ap, fmt);
        vsnprintf(t->s + t->n, (size_t)n + 1, fmt, ap);
        va_end(ap);
    }
    t->n += (size_t)n;
}
