/* filter.c - packing of filters. */
#include "filter.h"

static uint64_t slices(int64_t channels)
{
    return ((uint64_t)channels + 3) / 4;
}

static uint64_t vectors(int64_t n_out, int64_t taps, int64_t n_in)
{
    return slices(n_out) * (1 + 4 * (uint64_t)taps * slices(n_in));
}

void gl_filter(struct gl_pass *p, const struct filter *f)
{
    float *to = gl_weights(p, "w", (size_t)vectors(f->n_out, f->taps, f->n_in));
    const float *from = f->w;

    if (!to)
        return;
    for (int32_t o = 0; f->bias && o < f->n_out; o++)
        to[o] = f->bias[o];
    to += 4 * slices(f->n_out);
    for (int32_t o = 0; o < f->n_out; o++)
        for (int32_t tap = 0; tap < f->taps; tap++)
            for (int32_t i = 0; i < f->n_in; i++) {
                size_t block = ((size_t)(o / 4) * (size_t)f->taps + (size_t)tap) * slices(f->n_in) + (size_t)(i / 4);

                to[block * 16 + (size_t)(i % 4) * 4 + (size_t)(o % 4)] = *from++;
            }
}

bool gl_filter_fits(const struct gl_limits *lim, int64_t n_out, int64_t taps, int64_t n_in, struct reason *why)
{
    uint64_t bytes = 16 * vectors(n_out, taps, n_in);

    if (bytes <= lim->storage_block_bytes)
        return true;
    return reason_set(why, REASON_DEVICE_LIMIT, "the filter [%lld,%lld,%lld] needs %llu bytes, a buffer holds %llu",
                      (long long)n_out, (long long)taps, (long long)n_in, (unsigned long long)bytes,
                      (unsigned long long)lim->storage_block_bytes);
}
