/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph_state_test.c - state of subgraphs: what is shared by name, what is reset, what is done once. */
#include "lib/testing/test_subgraph.h"

/* A node that assigns the current subgraph's tensor `value` to the variable `name`, or reads that into a new tensor. */
static int32_t handle(struct builder *b, const char *container, const char *name)
{
    int32_t h = build_tensor(b, "handle", TYPE_RESOURCE, SCALAR);

    build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){container, name}, NULL, 0, INDICES(h));
    return h;
}

static void assign(struct builder *b, int32_t h, int32_t value)
{
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, value), NULL, 0);
}

static int32_t read_as(struct builder *b, int32_t h, enum tensor_type type)
{
    int32_t y = build_tensor(b, "read", type, SHAPE(1));

    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    return y;
}

/* Once: "count" becomes 10, "other" (in a container) 100. Each run: count += x in a branch that IF calls; both are read. */
static struct test_running counter(enum tensor_type read_type)
{
    struct builder b;
    int32_t yes, x, sum, h, y;

    builder_init(&b, "counter");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = test_vector(&b, "x", 1);
    y = test_vector(&b, "y", 1);
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){2, 3}, INDICES(yes, x), INDICES(y));
    build_inputs(&b, INDICES(yes, x));
    build_outputs(
        &b, INDICES(y, read_as(&b, handle(&b, "", "count"), read_type), read_as(&b, handle(&b, "box", "count"), TYPE_FLOAT32)));

    build_subgraph(&b, "once");
    assign(&b, handle(&b, "", "count"), build_const(&b, "ten", TYPE_FLOAT32, SHAPE(1), (float[]){10}));
    assign(&b, handle(&b, "box", "count"), build_const(&b, "hundred", TYPE_FLOAT32, SHAPE(1), (float[]){100}));
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);

    build_subgraph(&b, "add");
    x = test_vector(&b, "x", 1);
    sum = test_vector(&b, "sum", 1);
    h = handle(&b, "", "count");
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, read_as(&b, h, TYPE_FLOAT32)), INDICES(sum));
    assign(&b, h, sum);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(sum));
    test_map_subgraph(&b, BUILTIN_MUL, 1);
    return test_begin(&b);
}

static void step(struct test_running *l, bool add, float x, float count)
{
    *(bool *)session_input(l->s, 0)->data = add;
    test_set(l, 1, x);
    test_run(l);
    assert_float_equal(test_first(l, 1), count, 0);
    assert_float_equal(test_first(l, 2), 100, 0);
}

static void variables_are_shared_by_name(void **state)
{
    struct test_running l = counter(TYPE_FLOAT32);

    (void)state;
    step(&l, true, 1, 11);
    step(&l, true, 5, 16);
    step(&l, false, 7, 16);
    step(&l, true, -6, 10);
    test_stop(&l);
}

/* A session that is prepared or reset is as one that has never run. */
static void reset_and_prepare_begin_anew(void **state)
{
    struct test_running l = counter(TYPE_FLOAT32);
    struct err err = {""};

    (void)state;
    step(&l, true, 1, 11);
    session_reset_variables(l.s);
    step(&l, true, 2, 12);
    TEST_OK(session_prepare(l.s, &err), err);
    step(&l, true, 3, 13);
    test_stop(&l);
}

static void variables_keep_their_type(void **state)
{
    struct test_running l = counter(TYPE_INT32);
    struct err err = {""};

    (void)state;
    *(bool *)session_input(l.s, 0)->data = true;
    for (int i = 0; i < 2; i++) { /* a failure leaves the session usable */
        assert_int_equal(session_run(l.s, &err), ST_BAD_MODEL);
        assert_non_null(strstr(err.msg, "READ_VARIABLE"));
        assert_non_null(strstr(err.msg, "variable \"/count\" is FLOAT32[1], not INT32"));
    }
    test_stop(&l);
}

/* ---- variable tensors inside a subgraph ---- */

/* Each run: a branch's SVDF-like state, here an LSTM cell with variables of its own, grows; y tells how often it has run. */
static struct test_running stateful_branch(void)
{
    struct builder b;
    int32_t yes, x, y, f, t, bias, state;
    const struct opt_svdf opt = {.rank = 1};

    builder_init(&b, "state in a branch");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 1));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(yes, x), INDICES(y));
    build_inputs(&b, INDICES(yes, x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "svdf"); /* y = the sum of the last four inputs */
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 1));
    f = build_const(&b, "features", TYPE_FLOAT32, SHAPE(1, 1), (float[]){1});
    t = build_const(&b, "time", TYPE_FLOAT32, SHAPE(1, 4), (float[]){1, 1, 1, 1});
    bias = build_const(&b, "bias", TYPE_FLOAT32, SHAPE(1), (float[]){0});
    state = build_tensor(&b, "state", TYPE_FLOAT32, SHAPE(1, 4));
    build_at(&b, state)->is_variable = true;
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&b, BUILTIN_SVDF, 1, &opt, INDICES(x, f, t, bias, state), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "same");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 1));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return test_begin(&b);
}

static void state_step(struct test_running *l, bool branch, float x, float want)
{
    *(bool *)session_input(l->s, 0)->data = branch;
    *(float *)session_input(l->s, 1)->data = x;
    test_run(l);
    assert_float_equal(test_first(l, 0), want, 0);
}

static void state_inside_lives_and_is_reset(void **state)
{
    struct test_running l = stateful_branch();
    struct err err = {""};

    (void)state;
    state_step(&l, true, 1, 1);
    state_step(&l, false, 7, -7);
    state_step(&l, true, 2, 3);
    session_reset_variables(l.s);
    state_step(&l, true, 4, 4);
    TEST_OK(session_prepare(l.s, &err), err);
    state_step(&l, true, 8, 8);
    test_stop(&l);
}

/* IF(yes) assigns x to "gate"; CALL_ONCE copies "gate" to "count", which fails while nothing was assigned; y reads "count". */
static void a_failed_call_once_is_not_done(void **state)
{
    struct builder b;
    struct test_running l;
    struct err err = {""};
    int32_t yes, x, y;

    (void)state;
    builder_init(&b, "gate");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = test_vector(&b, "x", 1);
    y = test_vector(&b, "y", 1);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(yes, x), INDICES(y));
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){3}, NULL, 0, NULL, 0);
    build_inputs(&b, INDICES(yes, x));
    build_outputs(&b, INDICES(read_as(&b, handle(&b, "", "count"), TYPE_FLOAT32)));
    build_subgraph(&b, "assign");
    x = test_vector(&b, "x", 1);
    assign(&b, handle(&b, "", "gate"), x);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(x));
    test_map_subgraph(&b, BUILTIN_MUL, 1);
    build_subgraph(&b, "once");
    x = read_as(&b, handle(&b, "", "gate"), TYPE_FLOAT32);
    assign(&b, handle(&b, "", "count"), x);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    l = test_begin(&b);
    for (int i = 0; i < 3; i++) { /* fails; is done; is not done again */
        *(bool *)session_input(l.s, 0)->data = i > 0;
        test_set(&l, 1, 5 + (float)i);
        assert_int_equal(session_run(l.s, &err) == ST_OK, i > 0);
        if (!i)
            assert_non_null(strstr(err.msg, "CALL_ONCE"));
        else
            assert_float_equal(test_first(&l, 0), 6, 0);
    }
    test_stop(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variables_are_shared_by_name),   cmocka_unit_test(reset_and_prepare_begin_anew),
        cmocka_unit_test(variables_keep_their_type),      cmocka_unit_test(state_inside_lives_and_is_reset),
        cmocka_unit_test(a_failed_call_once_is_not_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
