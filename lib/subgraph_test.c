/* SPDX-License-Identifier: Apache-2.0 */
/* subgraph_test.c - subgraphs called from subgraphs: copies in and out, shapes, what is shared by name, what is reset, failures. */
#include "session.h"
#include "test_model.h"

#include <unistd.h>

struct running {
    struct loaded of;
    struct session *s;
};

/* Ends the builder and prepares a session. */
static struct running start(struct builder *b)
{
    struct running l = {.of = load(b)};
    struct err err = {""};

    TEST_OK(session_new(l.of.model, &(struct session_options){0}, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    return l;
}

static void stop(struct running *l)
{
    session_free(l->s);
    unload(&l->of);
}

static int32_t vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

static void set(struct running *l, uint32_t i, float start)
{
    struct tensor *t = session_input(l->s, i);

    for (size_t k = 0; k < tensor_elems(t); k++)
        ((float *)t->data)[k] = start + (float)k;
}

static float first(const struct running *l, uint32_t output)
{
    return ((const float *)session_output(l->s, output)->data)[0];
}

static void run(struct running *l)
{
    struct err err = {""};

    TEST_OK(session_run(l->s, &err), err);
}

/* A subgraph x -> op(x, constant) -> y of any length, the file saying 2. */
static void map_subgraph(struct builder *b, enum builtin op, float value)
{
    int32_t x, c, y;

    build_subgraph(b, "map");
    x = vector(b, "x", 2);
    c = build_const(b, "c", TYPE_FLOAT32, SHAPE(1), &value);
    y = vector(b, "y", 2);
    build_op(b, op, 1, NULL, INDICES(x, c), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y));
}

/* y = first ? x + 2 : (second ? x * 3 : x - 5): an IF in the other branch of an IF. */
static struct running nested(void)
{
    struct builder b;
    int32_t first_is, second_is, x, y;

    builder_init(&b, "nested");
    first_is = build_tensor(&b, "first", TYPE_BOOL, SCALAR);
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = vector(&b, "x", 2);
    y = vector(&b, "y", 2);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(first_is, second_is, x), INDICES(y));
    build_inputs(&b, INDICES(first_is, second_is, x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "then");
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = vector(&b, "x", 2);
    y = vector(&b, "y", 2);
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){2})), INDICES(y));
    build_inputs(&b, INDICES(second_is, x));
    build_outputs(&b, INDICES(y));

    build_subgraph(&b, "else");
    second_is = build_tensor(&b, "second", TYPE_BOOL, SCALAR);
    x = vector(&b, "x", 2);
    y = vector(&b, "y", 2);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){3, 4}, INDICES(second_is, x), INDICES(y));
    build_inputs(&b, INDICES(second_is, x));
    build_outputs(&b, INDICES(y));
    map_subgraph(&b, BUILTIN_MUL, 3);
    map_subgraph(&b, BUILTIN_SUB, 5);
    return start(&b);
}

/* Whatever branches ran before, with whatever shapes. */
static void nested_calls_take_the_callers_shape(void **state)
{
    struct running l = nested();
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
        set(&l, 2, (float)round);
        run(&l);
        assert_int_equal(session_output(l.s, 0)->dim[0], session_input(l.s, 2)->dim[0]);
        for (int32_t i = 0; i < session_output(l.s, 0)->dim[0]; i++) {
            float x = (float)(round + i);

            assert_float_equal(((const float *)session_output(l.s, 0)->data)[i], a ? x + 2 : b ? x * 3 : x - 5, 0);
        }
    }
    stop(&l);
}

/* ---- variables by name ---- */

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
static struct running counter(enum tensor_type read_type)
{
    struct builder b;
    int32_t yes, x, sum, h, y;

    builder_init(&b, "counter");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = vector(&b, "x", 1);
    y = vector(&b, "y", 1);
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
    x = vector(&b, "x", 1);
    sum = vector(&b, "sum", 1);
    h = handle(&b, "", "count");
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, read_as(&b, h, TYPE_FLOAT32)), INDICES(sum));
    assign(&b, h, sum);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(sum));
    map_subgraph(&b, BUILTIN_MUL, 1);
    return start(&b);
}

static void step(struct running *l, bool add, float x, float count)
{
    *(bool *)session_input(l->s, 0)->data = add;
    set(l, 1, x);
    run(l);
    assert_float_equal(first(l, 1), count, 0);
    assert_float_equal(first(l, 2), 100, 0);
}

static void variables_are_shared_by_name(void **state)
{
    struct running l = counter(TYPE_FLOAT32);

    (void)state;
    step(&l, true, 1, 11);
    step(&l, true, 5, 16);
    step(&l, false, 7, 16);
    step(&l, true, -6, 10);
    stop(&l);
}

/* A session that is prepared or reset is as one that has never run. */
static void reset_and_prepare_begin_anew(void **state)
{
    struct running l = counter(TYPE_FLOAT32);
    struct err err = {""};

    (void)state;
    step(&l, true, 1, 11);
    session_reset_variables(l.s);
    step(&l, true, 2, 12);
    TEST_OK(session_prepare(l.s, &err), err);
    step(&l, true, 3, 13);
    stop(&l);
}

static void variables_keep_their_type(void **state)
{
    struct running l = counter(TYPE_INT32);
    struct err err = {""};

    (void)state;
    *(bool *)session_input(l.s, 0)->data = true;
    for (int i = 0; i < 2; i++) { /* a failure leaves the session usable */
        assert_int_equal(session_run(l.s, &err), ST_BAD_MODEL);
        assert_non_null(strstr(err.msg, "READ_VARIABLE"));
        assert_non_null(strstr(err.msg, "variable \"/count\" is FLOAT32[1], not INT32"));
    }
    stop(&l);
}

/* ---- variable tensors inside a subgraph ---- */

/* Each run: a branch's SVDF-like state, here an LSTM cell with variables of its own, grows; y tells how often it has run. */
static struct running stateful_branch(void)
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
    return start(&b);
}

static void state_step(struct running *l, bool branch, float x, float want)
{
    *(bool *)session_input(l->s, 0)->data = branch;
    *(float *)session_input(l->s, 1)->data = x;
    run(l);
    assert_float_equal(first(l, 0), want, 0);
}

static void state_inside_lives_and_is_reset(void **state)
{
    struct running l = stateful_branch();
    struct err err = {""};

    (void)state;
    state_step(&l, true, 1, 1);
    state_step(&l, false, 7, -7);
    state_step(&l, true, 2, 3);
    session_reset_variables(l.s);
    state_step(&l, true, 4, 4);
    TEST_OK(session_prepare(l.s, &err), err);
    state_step(&l, true, 8, 8);
    stop(&l);
}

/* ---- failures ---- */

/* y = IF(yes, x): the first branch gathers x[at], which fails where there is no such element. */
static void failures_inside_are_told_and_pass(void **state)
{
    struct builder b;
    struct running l;
    struct err err = {""};
    int32_t yes, at, x, y;

    (void)state;
    builder_init(&b, "failing branch");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    at = build_tensor(&b, "at", TYPE_INT32, SHAPE(1));
    x = vector(&b, "x", 3);
    y = vector(&b, "y", 1);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 1}, INDICES(yes, x, at), INDICES(y));
    build_inputs(&b, INDICES(yes, at, x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "gather");
    x = vector(&b, "x", 3);
    at = build_tensor(&b, "at", TYPE_INT32, SHAPE(1));
    y = vector(&b, "y", 1);
    build_op(&b, BUILTIN_GATHER, 1, NULL, INDICES(x, at), INDICES(y));
    build_inputs(&b, INDICES(x, at));
    build_outputs(&b, INDICES(y));
    l = start(&b);
    *(bool *)session_input(l.s, 0)->data = true;
    set(&l, 2, 5);
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
        run(&l);
        assert_float_equal(first(&l, 0), 5 + (float)(i % 3), 0);
    }
    stop(&l);
}

/* IF(yes) assigns x to "gate"; CALL_ONCE copies "gate" to "count", which fails while nothing was assigned; y reads "count". */
static void a_failed_call_once_is_not_done(void **state)
{
    struct builder b;
    struct running l;
    struct err err = {""};
    int32_t yes, x, y;

    (void)state;
    builder_init(&b, "gate");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = vector(&b, "x", 1);
    y = vector(&b, "y", 1);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(yes, x), INDICES(y));
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){3}, NULL, 0, NULL, 0);
    build_inputs(&b, INDICES(yes, x));
    build_outputs(&b, INDICES(read_as(&b, handle(&b, "", "count"), TYPE_FLOAT32)));
    build_subgraph(&b, "assign");
    x = vector(&b, "x", 1);
    assign(&b, handle(&b, "", "gate"), x);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(x));
    map_subgraph(&b, BUILTIN_MUL, 1);
    build_subgraph(&b, "once");
    x = read_as(&b, handle(&b, "", "gate"), TYPE_FLOAT32);
    assign(&b, handle(&b, "", "count"), x);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);
    l = start(&b);
    for (int i = 0; i < 3; i++) { /* fails; is done; is not done again */
        *(bool *)session_input(l.s, 0)->data = i > 0;
        set(&l, 1, 5 + (float)i);
        assert_int_equal(session_run(l.s, &err) == ST_OK, i > 0);
        if (!i)
            assert_non_null(strstr(err.msg, "CALL_ONCE"));
        else
            assert_float_equal(first(&l, 0), 6, 0);
    }
    stop(&l);
}

/* IF with `n_in` inputs of `type` that returns `out_type`, calling a branch that takes and returns one FLOAT32. */
static void refuse(uint32_t n_in, enum tensor_type type, enum tensor_type out_type, uint32_t n_out, const char *text)
{
    struct builder b;
    struct running l;
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
    map_subgraph(&b, BUILTIN_ADD, 1);
    l = start(&b);
    assert_int_equal(session_run(l.s, &err), ST_BAD_MODEL);
    if (!strstr(err.msg, text))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, text);
    stop(&l);
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
    struct running l;
    struct builder b;
    int32_t x, y;
    struct err err = {""};

    (void)state;
    alarm(60); /* should nobody be asked */
    builder_init(&b, "forever");
    x = vector(&b, "x", 2);
    y = vector(&b, "y", 2);
    build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "condition");
    build_inputs(&b, INDICES(vector(&b, "x", 2)));
    build_outputs(&b, INDICES(build_const(&b, "yes", TYPE_BOOL, SHAPE(1), yes)));
    map_subgraph(&b, BUILTIN_ADD, 1);
    l.of = load(&b);
    TEST_OK(session_new(l.of.model, &opt, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    assert_int_equal(session_run(l.s, &err), ST_FAILED);
    assert_string_equal(err.msg, "node 0 WHILE(FLOAT32[2]): enough");
    assert_int_equal(p.rounds, 11);
    p = (struct patience){.answer = ST_LATER};
    assert_int_equal(session_run(l.s, &err), ST_LATER);
    assert_int_equal(p.rounds, 11);
    stop(&l);
    alarm(0);
}

/* The second subgraph of the model, run for itself. */
static void any_subgraph_may_be_the_outermost(void **state)
{
    struct running l;
    struct builder b;
    struct err err = {""};

    (void)state;
    builder_init(&b, "two");
    build_inputs(&b, INDICES(vector(&b, "x", 2)));
    map_subgraph(&b, BUILTIN_ADD, 3);
    l.of = load(&b);
    assert_int_equal(session_new(l.of.model, &(struct session_options){.subgraph = 2}, &l.s, &err), ST_USAGE);
    TEST_OK(session_new(l.of.model, &(struct session_options){.subgraph = 1}, &l.s, &err), err);
    TEST_OK(session_prepare(l.s, &err), err);
    set(&l, 0, 4);
    run(&l);
    assert_true(first(&l, 0) == 7);
    stop(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_endless_loop_ends_when_told),      cmocka_unit_test(any_subgraph_may_be_the_outermost),
        cmocka_unit_test(nested_calls_take_the_callers_shape), cmocka_unit_test(variables_are_shared_by_name),
        cmocka_unit_test(reset_and_prepare_begin_anew),        cmocka_unit_test(variables_keep_their_type),
        cmocka_unit_test(state_inside_lives_and_is_reset),     cmocka_unit_test(failures_inside_are_told_and_pass),
        cmocka_unit_test(a_failed_call_once_is_not_done),      cmocka_unit_test(what_does_not_match_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
