/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_special.c - the exceptions: kernels that promise nothing about special values. */
#include "gpu_special.h"

#include <math.h>
#include <string.h>

static bool is_float(enum tensor_type type)
{
    return type == TYPE_FLOAT32 || type == TYPE_FLOAT16 || type == TYPE_BFLOAT16 || type == TYPE_FLOAT64;
}

static bool has_not_finite(const struct case_tensor *t)
{
    size_t elems;

    if (t->type != TYPE_FLOAT32 || t->fill != FILL_GIVEN || shape_elems(t->dim, t->rank, &elems, NULL))
        return false;
    for (size_t i = 0; i < elems; i++)
        if (!isfinite(((const float *)t->data)[i]))
            return true;
    return false;
}

bool case_has_extremes(const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if (c->in[i].type != TYPE_NONE && (c->in[i].fill == FILL_SPECIAL || has_not_finite(&c->in[i])))
            return true;
    return false;
}

bool case_has_specials(const struct op_case *c)
{
    for (uint32_t i = 0; i < CASE_INPUTS; i++)
        if ((is_float(c->in[i].type) && c->in[i].fill == FILL_SPECIAL) || has_not_finite(&c->in[i]))
            return true;
    return false;
}

/* Why nothing is promised:
 *   function    GLSL leaves the built-in function to the driver for such values
 *   conversion  GLSL leaves what int() makes of them open
 *   order       the result depends on the order in which elements are taken, and lanes have another
 *   formula     the formula meets infinity - infinity or the like where the CPU's does not
 *   hybrid      the CPU quantizes them, the GPU does not */
static const struct {
    const char *op;
    const char *name; /* cases whose name has this; "": all */
    const char *why;
} open_cases[] = {
    {"ADD_N", "", "order"},       {"CAST", "to int", "conversion"},   {"CONV_2D", "without bias", "order"},
    {"COS", "", "function"},      {"FLOOR_MOD", "", "formula"},       {"FULLY_CONNECTED", "hybrid", "hybrid"},
    {"LOG", "", "function"},      {"LSTM", "", "function"},           {"MEAN", "", "order"},
    {"POW", "", "function"},      {"REDUCE_MAX", ", all", "order"},   {"REDUCE_MIN", ", all", "order"},
    {"REDUCE_PROD", "", "order"}, {"RESIZE_BILINEAR", "", "formula"}, {"SIN", "", "function"},
};

const char *gpu_special_open(const struct case_ref *ref)
{
    for (size_t i = 0; i < sizeof open_cases / sizeof *open_cases; i++)
        if (!strcmp(open_cases[i].op, ref->op->name) && strstr(ref->c->name, open_cases[i].name))
            return open_cases[i].why;
    return NULL;
}
