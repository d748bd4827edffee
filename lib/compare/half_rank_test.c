/* SPDX-License-Identifier: Apache-2.0 */
/* half_rank_test.c - what single nodes in half precision do to the outputs. */
#include "lib/compare/half_rank.h"
#include "lib/testing/test.h"
#include "lib/testing/test_delegate.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
    struct builder b;
    struct loaded l;
    struct session *s;
    struct half_rank rank;
    int32_t x, y;
};

static void begin(struct ranked *r)
{
    *r = (struct ranked){0};
    builder_init(&r->b, "ranked");
    r->x = build_tensor(&r->b, "x", TYPE_FLOAT32, SHAPE(1));
    r->y = build_tensor(&r->b, "y", TYPE_FLOAT32, SHAPE(1));
    build_inputs(&r->b, INDICES(r->x));
    build_outputs(&r->b, INDICES(r->y));
}

static int32_t value(struct ranked *r)
{
    return build_tensor(&r->b, "t", TYPE_FLOAT32, SHAPE(1));
}

static int32_t constant(struct ranked *r, float c)
{
    return build_const(&r->b, "c", TYPE_FLOAT32, SHAPE(1), &c);
}

static void run(struct ranked *r, enum cpu_mode mode, float x, bool (*stop)(void *arg), void *arg)
{
    const struct session_options opt = {.mode = mode, .after_node = half_rank_node, .after_node_arg = &r->rank};
    struct err err;

    r->s = load_and_prepare(&r->b, &opt, &r->l);
    TEST_OK(session_set_input(r->s, 0, &x, sizeof x, &err), err);
    TEST_OK(half_rank_run(&r->rank, r->s, stop, arg, &err), err);
}

static void end(struct ranked *r)
{
    half_rank_free(&r->rank);
    half_rank_free(&r->rank);
    session_free(r->s);
    unload(&r->l);
}

/* x + 4096 -> t loses bits of x that the others keep; t - 4096 -> u is exact; u * 2 -> y too. */
static void build_sum(struct ranked *r)
{
    const int32_t t = value(r), u = value(r);

    build_op(&r->b, BUILTIN_ADD, 1, NULL, INDICES(r->x, constant(r, 4096)), INDICES(t));
    build_op(&r->b, BUILTIN_SUB, 1, NULL, INDICES(t, constant(r, 4096)), INDICES(u));
    build_op(&r->b, BUILTIN_MUL, 1, NULL, INDICES(u, constant(r, 2)), INDICES(r->y));
}

static void errors_are_those_of_the_outputs(void **state)
{
    (void)state;
    for (enum cpu_mode mode = CPU_REFERENCE; mode <= CPU_FAST; mode++) {
        struct ranked r;

        begin(&r);
        build_sum(&r);
        run(&r, mode, 1.5f, NULL, NULL);
        assert_int_equal(r.rank.looked, 3);
        assert_float_equal(r.rank.error[0], 1, 1e-12); /* 4097.5 is 4096 as a half: y is 0 instead of 3 */
        assert_float_equal(r.rank.error[1], 0, 0);
        assert_float_equal(r.rank.error[2], 0, 0);
        end(&r);
    }
}

static void constants_and_overflows_count(void **state)
{
    struct ranked r;
    int32_t t;

    (void)state;
    begin(&r);
    t = value(&r);
    build_op(&r.b, BUILTIN_MUL, 1, NULL, INDICES(r.x, constant(&r, 1 + 0x1p-11f)), INDICES(t)); /* 1 as a half */
    build_op(&r.b, BUILTIN_MUL, 1, NULL, INDICES(t, constant(&r, 65536)), INDICES(r.y));
    run(&r, CPU_FAST, 2048, NULL, NULL);
    assert_float_equal(r.rank.error[0], 1.0 / 2049, 1e-9);
    assert_true(isinf(r.rank.error[1]));
    end(&r);
}

static bool after_two(void *arg)
{
    return ++*(int *)arg > 2;
}

static void it_can_be_stopped(void **state)
{
    struct ranked r;
    int asked = 0;

    (void)state;
    begin(&r);
    build_sum(&r);
    run(&r, CPU_FAST, 1.5f, after_two, &asked);
    assert_int_equal(r.rank.looked, 2);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_are_those_of_the_outputs),
        cmocka_unit_test(constants_and_overflows_count),
        cmocka_unit_test(it_can_be_stopped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
