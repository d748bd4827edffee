/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess_metadata.c - mean and std of an input, as numbers of three channels. */
#include "lib/eval/preprocess_metadata.h"

#include <math.h>

#include "lib/model/metadata.h"
#include "lib/tensor/real_values.h"

/* `positive`: they divide. */
static enum status take_three(const float *list, uint32_t n, bool positive, const char *what, double out[3], struct err *err)
{
    if (n != 1 && n != 3)
        return err_set(err, ST_USAGE, "metadata: %u numbers for %s, not one or three", n, what);
    for (uint32_t c = 0; c < 3; c++) {
        out[c] = (double)list[n > 1 ? c : 0];
        if (!isfinite(out[c]) || (positive && !(out[c] > 0)))
            return err_set(err, ST_USAGE, "metadata: %s of %g", what, out[c]);
    }
    return ST_OK;
}

enum status preprocess_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                                struct preprocess *p, struct err *err)
{
    const struct metadata_tensor *x = NULL;
    struct arena arena = {0};
    struct metadata all;
    enum status st = preprocess_preset("squash", p, err);

    if (st)
        return st;
    snprintf(p->preset, sizeof p->preset, "metadata");
    if (!(st = metadata_read(m, subgraph, &arena, &all, err)) && !all.there)
        st = err_set(err, ST_USAGE, "the model has no metadata");
    if (!st && type_is_float(t->type)) {
        x = input < all.n_inputs ? &all.inputs[input] : NULL;
        p->has_mean = true;
        p->unit = 1;
        if (!x || (!x->n_mean && !x->n_std))
            st = err_set(err, ST_USAGE, "metadata: it names no normalization of input %u", input);
        else if (!(st = take_three(x->mean, x->n_mean, false, "mean", p->mean, err)))
            st = take_three(x->std, x->n_std, true, "std", p->std, err);
    }
    arena_free(&arena);
    return st;
}

bool metadata_output_name(const struct model *m, uint32_t subgraph, uint32_t output, char name[64])
{
    struct arena arena = {0};
    struct metadata all;
    struct err err;
    const bool there = !metadata_read(m, subgraph, &arena, &all, &err) && output < all.n_outputs;

    snprintf(name, 64, "%s", there ? all.outputs[output].name : "");
    arena_free(&arena);
    return there && *name;
}
