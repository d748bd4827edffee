/* SPDX-License-Identifier: Apache-2.0 */
/* tuning.c - see tuning.h */
#include "lib/gl/cache/tuning.h"

#include <stdlib.h>

enum { BIT_OWN = 1, BIT_NUMBERS = 2, BIT_DONE = 4, BIT_BLENDS = 8, OBJECTS_SHIFT = 4 };

size_t gl_tuning_bytes(uint32_t n)
{
    return sizeof(struct gl_tuning) + n * sizeof(struct gl_tuning_node);
}

struct gl_tuning *gl_tuning_new(uint32_t n)
{
    struct gl_tuning *t = calloc(1, gl_tuning_bytes(n));

    if (t)
        t->n = n;
    return t;
}

void gl_tuning_note(struct gl_tuning *t, const struct gl_pick *picks, const bool *done)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct gl_pick *p = &picks[i];

        t->of[i] = (struct gl_tuning_node){p->variant, p->group, p->reads, p->constants,
                                           (uint8_t)((p->own ? BIT_OWN : 0) | (p->numbers ? BIT_NUMBERS : 0) |
                                                     (p->blends ? BIT_BLENDS : 0) | (done[i] ? BIT_DONE : 0) |
                                                     p->objects << OBJECTS_SHIFT)};
    }
}

void gl_tuning_take(const struct gl_tuning *t, struct gl_pick *picks, bool *done)
{
    for (uint32_t i = 0; i < t->n; i++) {
        const struct gl_tuning_node *p = &t->of[i];

        picks[i] = (struct gl_pick){.variant = p->variant,
                                    .own = p->bits & BIT_OWN,
                                    .group = p->group,
                                    .numbers = p->bits & BIT_NUMBERS,
                                    .objects = (uint8_t)(p->bits >> OBJECTS_SHIFT),
                                    .blends = p->bits & BIT_BLENDS,
                                    .reads = p->reads,
                                    .constants = p->constants};
        done[i] = p->bits & BIT_DONE;
    }
}

bool gl_tuning_check(const void *bytes, size_t size, uint32_t n)
{
    const struct gl_tuning *t = bytes;

    if (size != gl_tuning_bytes(n) || t->n != n || t->is_cut > 1 || t->nodes > n)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (t->of[i].group >= GL_GROUPS || t->of[i].reads > GL_READS_TEXTURES || t->of[i].constants > GL_READS_FOUR ||
            t->of[i].bits >> OBJECTS_SHIFT > GL_OBJECTS_TEXTURES)
            return false;
    return true;
}
