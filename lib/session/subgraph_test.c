/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph_test.c - subgraphs called from subgraphs: copies in and out, shapes, failures. */
#include "lib/testing/test_subgraph.h"

#include <unistd.h>

/* y = first ? x + 2 : (second ? x * 3 : x - 5): an IF in the other branch of an IF. */
static struct test_running nested(void)
{
    struct builder b;
    int32_t first_is, second_is, x, y;

    builder_init(&b, "nested");
    first_is = build_tensor(&b, "first", TYPE_BOOL, SCALAR);
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = test_vector(&b, "x", 2);
    y = test_vector(&b, "y", 2);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(first_is, second_is, x), INDICES(y));
    build_inputs(&b, INDICES(first_is, second_is, x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "then");
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = test_vector(&b, "x", 2);
    y = test_vector(&b, "y", 2);
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){2})), INDICES(y));
    build_inputs(&b, INDICES(second_is, x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "else");
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = test_vector(&b, "x", 2);
    y = test_vector(&b, "y", 2);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){3, 4}, INDICES(second_is, x), INDICES(y));
    build_inputs(&b, INDICES(second_is, x));
    build_outputs(&b, INDICES(y));
    test_map_subgraph(&b, BUILTIN_MUL, 3);
    test_map_subgraph(&b, BUILTIN_SUB, 5);
    return test_begin(&b);
}

/* Whatever branches ran before, with whatever shapes. */
static void nested_calls_take_the_callers_shape(void **state)
{
    struct test_running l = nested();
    uint64_t seed = 3;

    (void)state;
    for (int round = 0; round < 40; round++) {
        int32_t n = 1 + (int32_t)(test_random(&seed) % 9);
        bool a = test_random(&seed) % 2, b = test_random(&seed) % 2;
        struct err err = {""};

        if (round % 4 == 0) {
            TEST_OK(session_resize_input(l.s, 2, &n, 1, &err), err);
            TEST_OK(session_prepare(l.s, &err), err);
        }
        *(bool *)session_input(l.s, 0)->data = a;
        *(bool *)session_input(l.s, 1)->data = b;
        test_set(&l, 2, (float)round);
        test_run(&l);
        assert_int_equal(session_output(l.s, 0)->dim[0], session_input(l.s, 2)->dim[0]);
        for (int32_t i = 0; i < session_output(l.s, 0)->dim[0]; i++) {
            float x = (float)(round + i);

            assert_float_equal(((const float *)session_output(l.s, 0)->data)[i], a ? x + 2 : b ? x * 3 : x - 5, 0);
        }
    }
    test_stop(&l);
}

/* ---- failures ---- */

/* y = IF(yes, x): the first branch gathers x[at], which fails where there is no such element. */
static void failures_inside_are_told_and_pass(void **state)
{
    struct builder b;
    struct test_running l;
    struct err err = {""};
    int32_t yes, at, x, y;

    (void)state;
    builder_init(&b, "failing branch");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    at = build_tensor(&b, "at", TYPE_INT32, SHAPE(1));
    x = test_vector(&b, "x", 3);
    y = test_vector(&b, "y", 1);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 1}, INDICES(yes, x, at), INDICES(y));
    build_inputs(&b, INDICES(yes, at, x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "gather");
    x = test_vector(&b, "x", 3);
    at = build_tensor(&b, "at", TYPE_INT32, SHAPE(1));
    y = test_vector(&b, "y", 1);
    build_op(&b, BUILTIN_GATHER, 1, NULL, INDICES(x, at), INDICES(y));
    build_inputs(&b, INDICES(x, at));
    build_outputs(&b, INDICES(y));
    l = test_begin(&b);
    *(bool *)session_input(l.s, 0)->data = true;
    test_set(&l, 2, 5);
    for (int32_t i = 0; i < 5; i++) {
        *(int32_t *)session_input(l.s, 1)->data = i;
        if (i == 3) {
            assert_int_not_equal(session_run(l.s, &err), ST_OK);
            assert_non_null(strstr(err.msg, "node 0 IF("));
            assert_non_null(strstr(err.msg, "node 0 GATHER("));
            *(int32_t *)session_input(l.s, 1)->data = 0;
        }
        if (i == 4)
            break;
        test_run(&l);
        assert_float_equal(test_first(&l, 0), 5 + (float)(i % 3), 0);
    }
    test_stop(&l);
}

/* IF with `n_in` inputs of `type` that returns `out_type`, calling a branch that takes and returns one FLOAT32. */
static void refuse(uint32_t n_in, enum tensor_type type, enum tensor_type out_type, uint32_t n_out, const char *text)
{
    struct builder b;
    struct test_running l;
    struct err err = {""};
    int32_t in[3], out[2];

    builder_init(&b, "mismatch");
    in[0] = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    in[1] = build_tensor(&b, "x", type, SHAPE(2));
    in[2] = build_tensor(&b, "z", type, SHAPE(2));
    out[0] = build_tensor(&b, "y", out_type, SHAPE(2));
    out[1] = build_tensor(&b, "y2", out_type, SHAPE(2));
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 1}, in, 1 + n_in, out, n_out);
    build_inputs(&b, in, 3);
    build_outputs(&b, out, n_out);
    test_map_subgraph(&b, BUILTIN_ADD, 1);
    l = test_begin(&b);
    assert_int_equal(session_run(l.s, &err), ST_BAD_MODEL);
    if (!strstr(err.msg, text))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, text);
    test_stop(&l);
}

static void what_does_not_match_is_refused(void **state)
{
    (void)state;
    refuse(2, TYPE_FLOAT32, TYPE_FLOAT32, 1, "subgraph 1 takes 1 inputs, not 2");
    refuse(0, TYPE_FLOAT32, TYPE_FLOAT32, 1, "subgraph 1 takes 1 inputs, not 0");
    refuse(1, TYPE_INT32, TYPE_FLOAT32, 1, "subgraph 1 takes FLOAT32[2] as input 0, not INT32[2]");
    refuse(1, TYPE_FLOAT32, TYPE_INT32, 1, "output 0 of subgraph 1 is FLOAT32[2], not INT32");
    refuse(1, TYPE_FLOAT32, TYPE_FLOAT32, 2, "subgraph 1 has 1 outputs, the node 2");
}

struct patience {
    uint32_t rounds; /* asked so far */
    enum status answer;
};

static enum status ten_rounds(void *arg, double run_secs, struct err *err)
{
    struct patience *p = arg;

    assert_true(run_secs >= 0 && run_secs < 3600);
    if (++p->rounds <= 10)
        return ST_OK;
    return p->answer == ST_LATER ? ST_LATER : err_set(err, p->answer, "enough");
}

/* WHILE (true): it ends with whoever is asked before each round, and a later run is asked anew. */
static void an_endless_loop_ends_when_told(void **state)
{
    static const uint8_t yes[] = {1};
    struct patience p = {.answer = ST_FAILED};
    const struct session_options opt = {.go_on = ten_rounds, .go_on_arg = &p};
    struct test_running l;
    struct builder b;
    int32_t x, y;
    struct err err = {""};

    (void)state;
    alarm(60); /* should nobody be asked */
    builder_init(&b, "forever");
    x = test_vector(&b, "x", 2);
    y = test_vector(&b, "y", 2);
    build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "condition");
    build_inputs(&b, INDICES(test_vector(&b, "x", 2)));
    build_outputs(&b, INDICES(build_const(&b, "yes", TYPE_BOOL, SHAPE(1), yes)));
    test_map_subgraph(&b, BUILTIN_ADD, 1);
    l.of = load(&b);
    TEST_OK(session_new(l.of.model, &opt, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    assert_int_equal(session_run(l.s, &err), ST_FAILED);
    assert_string_equal(err.msg, "node 0 WHILE(FLOAT32[2]): enough");
    assert_int_equal(p.rounds, 11);
    p = (struct patience){.answer = ST_LATER};
    assert_int_equal(session_run(l.s, &err), ST_LATER);
    assert_int_equal(p.rounds, 11);
    test_stop(&l);
    alarm(0);
}

/* The second subgraph of the model, run for itself. */
static void any_subgraph_may_be_the_outermost(void **state)
{
    struct test_running l;
    struct builder b;
    struct err err = {""};

    (void)state;
    builder_init(&b, "two");
    build_inputs(&b, INDICES(test_vector(&b, "x", 2)));
    test_map_subgraph(&b, BUILTIN_ADD, 3);
    l.of = load(&b);
    assert_int_equal(session_new(l.of.model, &(struct session_options){.subgraph = 2}, &l.s, &err), ST_USAGE);
    TEST_OK(session_new(l.of.model, &(struct session_options){.subgraph = 1}, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    test_set(&l, 0, 4);
    test_run(&l);
    assert_true(test_first(&l, 0) == 7);
    test_stop(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_loop_ends_when_told),      cmocka_unit_test(any_subgraph_may_be_the_outermost),
        cmocka_unit_test(nested_calls_take_the_callers_shape), cmocka_unit_test(failures_inside_are_told_and_pass),
        cmocka_unit_test(what_does_not_match_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
