/* SPDX-License-Identifier: Apache-2.0 */
/* choose.c - see choose.h */
#include "choose.h"

bool gl_variant_fits(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim)
{
    return (!v->fits || v->fits(op, lim)) && (!v->iterations || v->iterations(op) <= gl_most_passes(lim));
}

const struct gl_variant *gl_choose(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice)
{
    const struct gl_variant *chosen = NULL;
    uint32_t fitting = 0, wanted = choice ? choice->index : 0;

    for (const struct gl_variant *v = op->kind->variants; v->name; v++)
        if (gl_variant_fits(v, op, lim) && fitting++ <= wanted)
            chosen = v;
    if (choice && fitting > choice->most)
        choice->most = fitting;
    return chosen;
}

enum status gl_choose_none(const struct ir_op *op, const struct gl_limits *lim, struct err *err)
{
    uint64_t fewest = UINT64_MAX;

    for (const struct gl_variant *v = op->kind->variants; v->name; v++)
        if (v->iterations && (!v->fits || v->fits(op, lim)) && v->iterations(op) < fewest)
            fewest = v->iterations(op);
    return err_set(err, ST_UNSUPPORTED, "%s needs %llu iterations of one invocation, the device has %u", op->kind->name,
                   (unsigned long long)fewest, lim->policy.iterations);
}
