/* SPDX-License-Identifier: Apache-2.0 */
/* image_metadata.c - numbers of the metadata as image options. */
#include "cmd/input/image_metadata.h"

#include <math.h>

#include "lib/model/metadata.h"
#include "lib/tensor/real_values.h"

/* `positive`: they divide. */
static enum status take(const float *list, uint32_t n, bool positive, const char *what, double out[IMAGE_MAX_CHANNELS],
                        uint32_t *n_out, struct err *err)
{
    if (!n || n > IMAGE_MAX_CHANNELS)
        return err_set(err, ST_USAGE, "%u numbers for %s", n, what);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (double)list[i];
        if (!isfinite(out[i]) || (positive && !(out[i] > 0)))
            return err_set(err, ST_USAGE, "%s of %g", what, out[i]);
    }
    *n_out = n;
    return ST_OK;
}

enum status image_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                           struct image_options *o, struct err *err)
{
    const struct metadata_tensor *x;
    struct arena arena = {0};
    struct metadata all;
    enum status st = type_is_float(t->type) ? metadata_read(m, subgraph, &arena, &all, err) : ST_OK;

    if (!st && type_is_float(t->type)) {
        x = input < all.n_inputs ? &all.inputs[input] : NULL;
        if (!all.there)
            st = err_set(err, ST_USAGE, "the model has no metadata");
        else if (!x || (!x->n_mean && !x->n_std))
            st = err_set(err, ST_USAGE, "the metadata name no normalization of input %u '%.80s'", input, t->name);
        else if (!(st = take(x->mean, x->n_mean, false, "mean", o->mean, &o->n_mean, err)))
            st = take(x->std, x->n_std, true, "std", o->std, &o->n_std, err);
    }
    arena_free(&arena);
    return st ? err_prefix(err, st, "--input_from_metadata") : ST_OK;
}
