/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_special.c - table of the kernels that guarantee little or nothing about special values. */
#include "bench/opcheck/gpu_special.h"

#include <math.h>
#include <string.h>

#include "bench/opcheck/compare.h"

static bool has_not_finite(const struct case_tensor *t)
{
    const uint16_t exponent = t->type == TYPE_FLOAT16 ? 0x7c00 : 0x7f80;
    size_t elems;

    if ((t->type != TYPE_FLOAT32 && t->type != TYPE_FLOAT16 && t->type != TYPE_BFLOAT16) || t->fill != FILL_GIVEN ||
        shape_elems(t->dim, t->rank, &elems, NULL))
        return false;
    for (size_t i = 0; i < elems; i++)
        if (t->type == TYPE_FLOAT32 ? !isfinite(((const float *)t->data)[i])
                                    : (((const uint16_t *)t->data)[i] & exponent) == exponent)
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
        if ((type_is_float(c->in[i].type) && c->in[i].fill == FILL_SPECIAL) || has_not_finite(&c->in[i]))
            return true;
    return false;
}

/* Why nothing is promised:
 *   function    GLSL leaves the built-in function to the driver for such values
 *   conversion  GLSL leaves what int() makes of them open
 *   order       the result depends on the order in which elements are taken, and lanes have another
 *   formula     the formula meets infinity - infinity or the like where the CPU's does not
 *   hybrid      the CPU quantizes them, the GPU does not
 *
 * Operators that compute value by value promise something nonetheless: ordinary numbers come out right, NaN as NaN. */
enum promise { NOTHING, ORDINARY, ORDINARY_AND_NAN };

static const struct open_case {
    const char *op;
    const char *name; /* cases whose name has this; "": all */
    const char *why;
    enum promise promise;
} open_cases[] = {
    {"ADD_N", "", "order", ORDINARY_AND_NAN},
    {"BITCAST", "special values", "conversion", ORDINARY},
    {"CAST", "to int", "conversion", ORDINARY},
    {"CONV_2D", "without bias", "order", NOTHING},
    {"CONV_3D_TRANSPOSE", "3x3x3 same", "order", NOTHING},
    {"COS", "", "function", ORDINARY_AND_NAN},
    {"FLOOR_MOD", "", "formula", ORDINARY_AND_NAN},
    {"FULLY_CONNECTED", "hybrid", "hybrid", NOTHING},
    {"LOG", "", "function", ORDINARY_AND_NAN},
    {"LSTM", "", "function", NOTHING},
    {"UNIDIRECTIONAL_SEQUENCE_LSTM", "", "function", NOTHING},
    {"BIDIRECTIONAL_SEQUENCE_LSTM", "", "function", NOTHING},
    {"RNN", "", "function", NOTHING},
    {"UNIDIRECTIONAL_SEQUENCE_RNN", "", "function", NOTHING},
    {"BIDIRECTIONAL_SEQUENCE_RNN", "", "function", NOTHING},
    {"SVDF", "", "order", NOTHING},
    {"MEAN", "", "order", NOTHING},
    {"POW", "", "function", ORDINARY_AND_NAN},
    {"REDUCE_MAX", ", all", "order", NOTHING},
    {"REDUCE_MIN", ", all", "order", NOTHING},
    {"REDUCE_PROD", "", "order", NOTHING},
    {"RESIZE_BILINEAR", "", "formula", NOTHING},
    {"Resampler", "a smaller grid", "formula", NOTHING},
    {"SIN", "", "function", ORDINARY_AND_NAN},
};

/* Cases that lose NaN where a shader cannot say `precise`: the compiler makes max() of a comparison and a choice. */
static const struct {
    const char *op, *name;
} imprecise_cases[] = {
    {"L2_NORMALIZATION", ""},
    {"MAXIMUM", ""},
    {"MINIMUM", ""},
};

/* Likewise of variants that are not the first: those in parts add in another order, those of transformed tiles make NaN of whole
 * tiles. */
static const char *const open_in_variants[][2] = {{"CONV_2D", "specials in the input"},
                                                  {"DEPTHWISE_CONV_2D", "specials in the input"}};

bool gpu_special_open_in_variants(const struct case_ref *ref)
{
    for (size_t i = 0; i < sizeof open_in_variants / sizeof *open_in_variants; i++)
        if (!strcmp(open_in_variants[i][0], ref->op->name) && strstr(ref->c->name, open_in_variants[i][1]))
            return true;
    return false;
}

static const struct open_case *find(const struct case_ref *ref)
{
    for (size_t i = 0; i < sizeof open_cases / sizeof *open_cases; i++)
        if (!strcmp(open_cases[i].op, ref->op->name) && strstr(ref->c->name, open_cases[i].name))
            return &open_cases[i];
    return NULL;
}

const char *gpu_special_open(const struct case_ref *ref, bool *partly)
{
    const struct open_case *c = find(ref);

    if (c && !case_has_specials(ref->c))
        c = NULL;
    *partly = c && c->promise != NOTHING;
    return c ? c->why : NULL;
}

bool gpu_special_is_imprecise(const struct case_ref *ref)
{
    for (size_t i = 0; i < sizeof imprecise_cases / sizeof *imprecise_cases; i++)
        if (!strcmp(imprecise_cases[i].op, ref->op->name) && strstr(ref->c->name, imprecise_cases[i].name))
            return true;
    return false;
}

/* Of a magnitude at which no function and no half comes to its limits. */
static bool is_ordinary(float x)
{
    return fabsf(x) >= 0x1p-10f && fabsf(x) <= 0x1p10f;
}

/* Whether anything is promised of output element i. A shorter input repeats. */
static bool is_promised(const struct open_case *c, const struct case_model *m, const struct op_case *op_case, size_t i)
{
    bool ordinary = true, nan = false;

    for (uint32_t k = 0; k < m->n_inputs; k++) {
        const size_t n = m->input_bytes[k] / sizeof(float);
        float x;

        if (op_case->in[m->slot[k]].type != TYPE_FLOAT32)
            continue;
        x = ((const float *)m->input[k])[i % n];
        ordinary &= is_ordinary(x);
        nan |= isnan(x);
    }
    return ordinary || (nan && c->promise == ORDINARY_AND_NAN);
}

/* How many output elements one input element becomes. */
static size_t parts_of(const struct open_case *c, const struct case_model *m, size_t elems)
{
    const size_t n = m->n_inputs ? m->input_bytes[0] / sizeof(float) : 0;

    return !strcmp(c->op, "BITCAST") && n && elems > n ? elems / n : 1;
}

void gpu_special_leave_open(const struct case_ref *ref, const struct case_model *m, const struct case_outputs *want,
                            struct case_outputs *got)
{
    const struct open_case *c = find(ref);
    const size_t elems = output_numbers(&want->out[0]), bytes = elems ? want->out[0].bytes / elems : 0;

    if (!c || got->out[0].bytes != want->out[0].bytes)
        return;
    for (size_t i = 0; i < elems; i++)
        if (!is_promised(c, m, ref->c, i / parts_of(c, m, elems)))
            memcpy((char *)got->out[0].data + i * bytes, (const char *)want->out[0].data + i * bytes, bytes);
}
