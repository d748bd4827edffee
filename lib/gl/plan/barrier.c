/* SPDX-License-Identifier: Apache-2.0 */
/* barrier.c - where a dispatch must wait for those before it.
 *
 * Only ranges of the values buffer and textures meet: constants are never written, and each range of the staging buffer is touched
 * once. A range counts from the last barrier on, and of a view what it spans. */
#include "lib/gl/plan/draft.h"

static bool overlap(const struct gl_range *a, const struct gl_range *b)
{
    return a->store == b->store && a->offset + a->skip < b->offset + b->bytes - b->tail &&
           b->offset + b->skip < a->offset + a->bytes - a->tail;
}

/* Whether `later` must see, or must not disturb, what `earlier` does. */
static bool depends(const struct gl_dispatch *later, const struct gl_dispatch *earlier)
{
    for (uint32_t i = 0; i < later->shader.n_bind; i++)
        for (uint32_t j = 0; j < earlier->shader.n_bind; j++)
            if ((later->ranges[i].write || earlier->ranges[j].write) && overlap(&later->ranges[i], &earlier->ranges[j]))
                return true;
    return false;
}

void gl_plan_barriers(struct gl_dispatch *d, uint32_t n)
{
    uint32_t since = 0;

    for (uint32_t i = 0; i < n; i++) {
        d[i].barrier = i == 0; /* what ran before, another run of these dispatches too, may have used the same bytes */
        for (uint32_t j = since; j < i && !d[i].barrier; j++)
            d[i].barrier = depends(&d[i], &d[j]);
        if (d[i].barrier)
            since = i;
    }
}
