/* SPDX-License-Identifier: Apache-2.0 */
/* dedup_shaders.c - see dedup_shaders.h */
#include "lib/gl/codegen/dedup_shaders.h"

#include "lib/base/hash64.h"

#include <string.h>

static bool begins(const char *s, const char *with)
{
    return !strncmp(s, with, strlen(with));
}

/* The text with all that it leaves out; itself where that is nothing. NULL: out of memory. */
static const char *whole(struct arena *a, const char *text)
{
    char *out, *to;

    if (!strstr(text, "\n" GL_LEFT_OUT))
        return text;
    if (!(out = to = ARENA_ARRAY(a, strlen(text) + 1, char)))
        return NULL;
    while (*text) {
        const bool left_out = begins(text, GL_LEFT_OUT);
        size_t n = strcspn(text, "\n");

        n += text[n] == '\n';
        memcpy(to, text + (left_out ? strlen(GL_LEFT_OUT) : 0), n - (left_out ? strlen(GL_LEFT_OUT) : 0));
        to += n - (left_out ? strlen(GL_LEFT_OUT) : 0);
        text += n;
        if (left_out && begins(text, GL_INSTEAD)) {
            text += strcspn(text, "\n");
            text += *text == '\n';
        }
    }
    *to = '\0';
    return out;
}

struct form {
    const char *whole;
    uint64_t own, all; /* hashes of the text as it is, and of that */
    uint32_t first;    /* which is the first with the same `whole` */
    bool differs;      /* of that one: not all leave out the same */
};

/* Fills forms[n]; what is not the text itself is in the arena. */
static bool find_forms(struct arena *a, const char *const *texts, uint32_t n, struct form *forms)
{
    for (uint32_t i = 0; i < n; i++) {
        struct form *f = &forms[i];

        if (!(f->whole = whole(a, texts[i])))
            return false;
        f->own = hash64(texts[i], strlen(texts[i]));
        f->all = hash64(f->whole, strlen(f->whole));
        while (forms[f->first].all != f->all || strcmp(forms[f->first].whole, f->whole) != 0)
            f->first++;
        forms[f->first].differs |= forms[f->first].own != f->own;
    }
    return true;
}

bool gl_dedup_shaders(struct arena *a, const char **texts, uint32_t n)
{
    struct arena scratch = {0};
    struct form *forms = ARENA_ARRAY(&scratch, n, struct form);
    bool ok = forms && find_forms(&scratch, texts, n, forms);

    for (uint32_t i = 0; i < n && ok; i++) {
        const struct form *f = &forms[i];

        if (!forms[f->first].differs)
            continue;
        if (f->first < i)
            texts[i] = texts[f->first];
        else if (f->whole != texts[i])
            ok = (texts[i] = arena_strdup(a, f->whole)) != NULL;
    }
    arena_free(&scratch);
    return ok;
}
