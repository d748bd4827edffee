/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - build a text piece by piece in an arena. */
#pragma once

#include "lib/base/arena.h"

#include <stdbool.h>

/* After a failed allocation the text takes nothing more, and `failed` stays set. */
struct text {
    struct arena *arena; /* NULL: nothing is written */
    char *s;
    size_t n, cap;
    bool failed;
};

/* Append as printf does, or n bytes as they are. */
void text_add(struct text *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_bytes(struct text *t, const char *s, size_t n);
