/* SPDX-License-Identifier: Apache-2.0 */
/* requant_test.c - scales of sums at and beyond the limits of fixed point. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels_cpu/quant/requant.h"

/* One channel whose sums are scaled by 1 / `output_scale`. */
struct one_channel {
    struct tensor one, output;
    float scales[2];
    struct requant r;
    char *memory;
};

static enum status make(struct one_channel *c, enum requant_kind kind, enum tensor_type type, float output_scale, struct err *err)
{
    struct layout l = {0};
    struct requant_spec s = {.kind = kind, .input = &c->one, .filter = &c->one, .output = &c->output, .channels = 1};
    enum status st;

    *c = (struct one_channel){.scales = {1, output_scale}};
    c->one.quant = (struct quant){.n = 1, .scale = &c->scales[0]};
    c->output.quant = (struct quant){.n = 1, .scale = &c->scales[1]};
    c->output.type = type;
    requant_layout(&l, 1);
    assert_non_null(c->memory = calloc(1, l.bytes));
    if (!(st = requant_init(&c->r, &s, c->memory, err)))
        requant_set_bias(&c->r, NULL, 1);
    return st;
}

/* An output scale that is next to nothing sends sums to the ends of the range, and only a sum of 0 to 0. */
static void wide_sums_saturate(void **state)
{
    const enum requant_kind kinds[] = {REQUANT_FIXED_WIDE, REQUANT_REAL};
    struct err err = {0};
    struct one_channel c;

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(make(&c, kinds[i], TYPE_INT16, 3.6e-43f, &err), ST_OK);
        assert_int_equal(requant_one(&c.r, 0, 3), 32767);
        assert_int_equal(requant_one(&c.r, 0, 0), 0);
        assert_int_equal(requant_one(&c.r, 0, -3), -32768);
        free(c.memory);
    }
}

static void narrow_sums_are_refused(void **state)
{
    struct err err = {0};
    struct one_channel c;

    (void)state;
    assert_int_equal(make(&c, REQUANT_FIXED, TYPE_INT8, 3.6e-43f, &err), ST_BAD_MODEL);
    assert_non_null(strstr(err.msg, "beyond fixed point"));
    free(c.memory);
}

static void a_scale_of_0_is_refused(void **state)
{
    struct err err = {0};
    struct one_channel c;

    (void)state;
    assert_int_equal(make(&c, REQUANT_FIXED_WIDE, TYPE_INT16, 0, &err), ST_BAD_MODEL);
    free(c.memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_sums_saturate),
        cmocka_unit_test(narrow_sums_are_refused),
        cmocka_unit_test(a_scale_of_0_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
