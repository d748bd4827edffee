/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow_forms_test.c - branches and loops of forms that few write: with the GPU they give the CPU's results, or its error.
 */
#include "lib/gl/testing/test_gpu.h"

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* Every model has these inputs: BOOL[1], INT32[1], FLOAT32 of the case's shape. */
struct flow {
    struct builder b;
    int32_t yes, n, x;
};

static const int32_t high[] = {1, 2, 1, 3, 2, 2}, five[] = {2, 3, 1, 2, 2}, flat[] = {2, 6};

static int32_t floats(struct flow *f, const int32_t *dim, int32_t rank)
{
    return build_tensor(&f->b, "v", TYPE_FLOAT32, dim, rank);
}

static int32_t number(struct flow *f, int32_t value)
{
    return build_const(&f->b, "number", TYPE_INT32, SHAPE(1), &value);
}

/* y = op(x, with), or op(x) where `with` is -1. */
static int32_t apply(struct flow *f, enum builtin op, int32_t x, int32_t with, const int32_t *dim, int32_t rank)
{
    int32_t y = floats(f, dim, rank);

    build_op(&f->b, op, 1, NULL, with < 0 ? &x : (const int32_t[]){x, with}, with < 0 ? 1 : 2, INDICES(y));
    return y;
}

static int32_t by_half(struct flow *f, int32_t x, const int32_t *dim, int32_t rank)
{
    return apply(f, BUILTIN_MUL, x, build_const(&f->b, "half", TYPE_FLOAT32, SHAPE(1), (float[]){0.5f}), dim, rank);
}

static void begin(struct flow *f, const int32_t *dim, int32_t rank)
{
    f->yes = build_tensor(&f->b, "yes", TYPE_BOOL, SHAPE(1));
    f->n = build_tensor(&f->b, "n", TYPE_INT32, SHAPE(1));
    f->x = floats(f, dim, rank);
    build_inputs(&f->b, INDICES(f->yes, f->n, f->x));
}

/* y = -IF(yes, then, else)(x) of the main graph. */
static void branch(struct flow *f, int then, const int32_t *dim, int32_t rank)
{
    int32_t y = floats(f, dim, rank);

    build_op(&f->b, BUILTIN_IF, 1, &(struct opt_if){then, then + 1}, INDICES(f->yes, f->x), INDICES(y));
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_NEG, y, -1, dim, rank)));
}

static int32_t of_x(struct flow *f, const int32_t *dim, int32_t rank)
{
    int32_t x;

    build_subgraph(&f->b, "of x");
    x = floats(f, dim, rank);
    build_inputs(&f->b, INDICES(x));
    return x;
}

/* (i, x) of a condition or body. */
static int32_t of_round(struct flow *f, const int32_t *dim, int32_t rank, int32_t *i)
{
    int32_t x;

    build_subgraph(&f->b, "round");
    *i = build_tensor(&f->b, "i", TYPE_INT32, SHAPE(1));
    x = floats(f, dim, rank);
    build_inputs(&f->b, INDICES(*i, x));
    return x;
}

/* 0 < i. */
static void build_condition(struct flow *f, const int32_t *dim, int32_t rank)
{
    int32_t i, more;

    of_round(f, dim, rank, &i);
    more = build_tensor(&f->b, "more", TYPE_BOOL, SHAPE(1));
    build_op(&f->b, BUILTIN_LESS, 1, NULL, INDICES(number(f, 0), i), INDICES(more));
    build_outputs(&f->b, INDICES(more));
}

static int32_t less_one(struct flow *f, int32_t i)
{
    int32_t y = build_tensor(&f->b, "i2", TYPE_INT32, SHAPE(1));

    build_op(&f->b, BUILTIN_SUB, 1, NULL, INDICES(i, number(f, 1)), INDICES(y));
    return y;
}

/* x after the loop. */
static int32_t loop(struct flow *f, int condition, int32_t i, int32_t x, const int32_t *dim, int32_t rank)
{
    int32_t y[2] = {build_tensor(&f->b, "i", TYPE_INT32, SHAPE(1)), floats(f, dim, rank)};

    build_op(&f->b, BUILTIN_WHILE, 1, &(struct opt_while){condition, condition + 1}, INDICES(i, x), y, 2);
    return y[1];
}

/* ---- what is run ---- */

static void branches_of_high_rank(struct flow *f)
{
    int32_t x, y;

    begin(f, high, 6);
    branch(f, 1, high, 6);
    x = of_x(f, high, 6);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_ABS, by_half(f, x, high, 6), -1, high, 6)));
    x = of_x(f, high, 6);
    y = floats(f, five, 5);
    build_op(&f->b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, build_const(&f->b, "five", TYPE_INT32, SHAPE(5), five)), INDICES(y));
    x = floats(f, high, 6);
    build_op(&f->b, BUILTIN_RESHAPE, 1, NULL,
             INDICES(by_half(f, y, five, 5), build_const(&f->b, "high", TYPE_INT32, SHAPE(6), high)), INDICES(x));
    build_outputs(&f->b, INDICES(x));
}

/* x, or the sums of its columns: what follows has its shape in the run. */
static void branches_of_two_shapes(struct flow *f)
{
    int32_t x, y;

    begin(f, flat, 2);
    branch(f, 1, flat, 2);
    x = of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(by_half(f, x, flat, 2)));
    x = of_x(f, flat, 2);
    y = floats(f, flat + 1, 1);
    build_op(&f->b, BUILTIN_SUM, 1, &(struct opt_reducer){false}, INDICES(x, number(f, 0)), INDICES(y));
    build_outputs(&f->b, INDICES(y));
}

static void branches_that_compute_nothing(struct flow *f)
{
    static const float c[12] = {1, 2, 3};

    begin(f, flat, 2);
    branch(f, 1, flat, 2);
    build_outputs(&f->b, INDICES(of_x(f, flat, 2)));
    of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(build_const(&f->b, "c", TYPE_FLOAT32, flat, 2, c)));
}

static void a_loop_of_high_rank(struct flow *f)
{
    int32_t i, x;

    begin(f, high, 6);
    x = loop(f, 1, f->n, by_half(f, f->x, high, 6), high, 6);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_NEG, x, -1, high, 6)));
    build_condition(f, high, 6);
    x = of_round(f, high, 6, &i);
    build_outputs(&f->b, INDICES(less_one(f, i), by_half(f, x, high, 6)));
}

/* x is twice as long after each round. */
static void a_body_that_resizes(struct flow *f)
{
    static const int32_t twice[] = {4, 6};
    int32_t i, x, y;

    begin(f, flat, 2);
    x = loop(f, 1, f->n, f->x, flat, 2);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_NEG, x, -1, flat, 2)));
    build_condition(f, flat, 2);
    x = of_round(f, flat, 2, &i);
    y = floats(f, twice, 2);
    build_op(&f->b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){0, ACT_NONE}, INDICES(by_half(f, x, flat, 2), x),
             INDICES(y));
    build_outputs(&f->b, INDICES(less_one(f, i), y));
}

/* x has no row before the first round, and one more after each. */
static void a_loop_that_starts_empty(struct flow *f)
{
    static const int32_t none[] = {0, 6}, one[] = {1, 6};
    static const float row[6] = {1, 2, 3, 4, 5, 6};
    int32_t i, x, y;

    begin(f, none, 2);
    x = loop(f, 1, f->n, apply(f, BUILTIN_ABS, f->x, -1, none, 2), none, 2);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_NEG, x, -1, none, 2)));
    build_condition(f, none, 2);
    x = by_half(f, of_round(f, none, 2, &i), none, 2);
    y = floats(f, one, 2);
    build_op(&f->b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){0, ACT_NONE},
             INDICES(x, build_const(&f->b, "row", TYPE_FLOAT32, one, 2, row)), INDICES(y));
    build_outputs(&f->b, INDICES(less_one(f, i), y));
}

/* Each loop is in the one before, and counts from where that is, before its round or, with `made`, from what the round makes. */
static void nested(struct flow *f, int loops, bool made)
{
    begin(f, flat, 2);
    build_outputs(&f->b, INDICES(loop(f, 1, f->n, f->x, flat, 2)));
    for (int k = 0; k < loops; k++) {
        int32_t i, x, left;

        build_condition(f, flat, 2);
        x = by_half(f, of_round(f, flat, 2, &i), flat, 2);
        left = less_one(f, i);
        x = k + 1 < loops ? loop(f, 2 * k + 3, made ? left : i, x, flat, 2) : x;
        build_outputs(&f->b, INDICES(left, apply(f, BUILTIN_NEG, x, -1, flat, 2)));
    }
}

static void loops_in_loops(struct flow *f)
{
    nested(f, 3, false);
}

static void a_loop_of_ever_more_rounds(struct flow *f)
{
    nested(f, 2, true);
}

/* IF in the body of a loop, a loop in one of its branches. */
static void a_loop_in_a_branch_in_a_loop(struct flow *f)
{
    int32_t i, x, y, even;

    begin(f, flat, 2);
    build_outputs(&f->b, INDICES(loop(f, 1, f->n, f->x, flat, 2)));
    build_condition(f, flat, 2);
    x = of_round(f, flat, 2, &i);
    even = build_tensor(&f->b, "even", TYPE_BOOL, SHAPE(1));
    build_op(&f->b, BUILTIN_LESS, 1, NULL, INDICES(i, number(f, 2)), INDICES(even));
    y = floats(f, flat, 2);
    build_op(&f->b, BUILTIN_IF, 1, &(struct opt_if){3, 4}, INDICES(even, by_half(f, x, flat, 2)), INDICES(y));
    build_outputs(&f->b, INDICES(less_one(f, i), apply(f, BUILTIN_NEG, y, -1, flat, 2)));
    x = of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_ABS, x, -1, flat, 2)));
    x = of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(loop(f, 5, number(f, 3), apply(f, BUILTIN_NEG, x, -1, flat, 2), flat, 2)));
    build_condition(f, flat, 2);
    x = of_round(f, flat, 2, &i);
    build_outputs(&f->b, INDICES(less_one(f, i), by_half(f, x, flat, 2)));
}

static void a_loop_of_no_values(struct flow *f)
{
    begin(f, flat, 2);
    build_op(&f->b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, NULL, 0, NULL, 0);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_NEG, f->x, -1, flat, 2)));
    for (int k = 0; k < 2; k++) {
        build_subgraph(&f->b, "nothing");
        build_inputs(&f->b, NULL, 0);
        if (k)
            build_outputs(&f->b, NULL, 0);
        else
            build_outputs(&f->b, INDICES(build_const(&f->b, "no", TYPE_BOOL, SHAPE(1), (uint8_t[]){0})));
    }
}

/* What says whether there is a round is what a round does. */
static void a_condition_that_is_the_body(struct flow *f)
{
    int32_t v, y = build_tensor(&f->b, "end", TYPE_BOOL, SHAPE(1));

    begin(f, flat, 2);
    build_op(&f->b, BUILTIN_WHILE, 1, &(struct opt_while){1, 1}, INDICES(f->yes), INDICES(y));
    build_outputs(&f->b, INDICES(y, apply(f, BUILTIN_NEG, f->x, -1, flat, 2)));
    build_subgraph(&f->b, "not");
    v = build_tensor(&f->b, "v", TYPE_BOOL, SHAPE(1));
    y = build_tensor(&f->b, "y", TYPE_BOOL, SHAPE(1));
    build_op(&f->b, BUILTIN_LOGICAL_NOT, 1, NULL, INDICES(v), INDICES(y));
    build_inputs(&f->b, INDICES(v));
    build_outputs(&f->b, INDICES(y));
}

/* The same value twice, and one that nobody changes. */
static void a_loop_with_twins(struct flow *f)
{
    int32_t i, x[3], y[4];

    begin(f, flat, 2);
    x[0] = by_half(f, f->x, flat, 2);
    for (int k = 0; k < 4; k++)
        y[k] = k ? floats(f, flat, 2) : build_tensor(&f->b, "i", TYPE_INT32, SHAPE(1));
    build_op(&f->b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(f->n, x[0], x[0], f->x), y, 4);
    build_outputs(&f->b, INDICES(apply(f, BUILTIN_SUB, y[1], y[2], flat, 2), y[3]));
    for (int k = 0; k < 2; k++) {
        build_subgraph(&f->b, "round");
        i = build_tensor(&f->b, "i", TYPE_INT32, SHAPE(1));
        for (int e = 0; e < 3; e++)
            x[e] = floats(f, flat, 2);
        build_inputs(&f->b, INDICES(i, x[0], x[1], x[2]));
        if (k) {
            build_outputs(&f->b,
                          INDICES(less_one(f, i), by_half(f, x[1], flat, 2), apply(f, BUILTIN_NEG, x[0], -1, flat, 2), x[2]));
        } else {
            y[0] = build_tensor(&f->b, "more", TYPE_BOOL, SHAPE(1));
            build_op(&f->b, BUILTIN_LESS, 1, NULL, INDICES(number(f, 0), i), INDICES(y[0]));
            build_outputs(&f->b, INDICES(y[0]));
        }
    }
}

/* ---- variables ---- */

static int32_t variable(struct flow *f)
{
    int32_t h = build_tensor(&f->b, "h", TYPE_RESOURCE, SCALAR);

    build_op(&f->b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "v"}, NULL, 0, INDICES(h));
    return h;
}

/* y = -x + v; v = y. */
static void read_and_assign(struct flow *f)
{
    int32_t old = floats(f, flat, 2), h = variable(f), y;

    build_op(&f->b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    y = apply(f, BUILTIN_ADD, apply(f, BUILTIN_NEG, f->x, -1, flat, 2), old, flat, 2);
    build_op(&f->b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, y), NULL, 0);
    build_outputs(&f->b, INDICES(y));
}

static void build_once(struct flow *f, float first)
{
    const float c[12] = {first, first + 1};

    build_subgraph(&f->b, "once");
    build_op(&f->b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(variable(f), build_const(&f->b, "c", TYPE_FLOAT32, flat, 2, c)), NULL,
             0);
    build_inputs(&f->b, NULL, 0);
    build_outputs(&f->b, NULL, 0);
}

/* The same twice, then another that sets the same variable. */
static void several_calls_once(struct flow *f)
{
    begin(f, flat, 2);
    for (int i = 0; i < 3; i++)
        build_op(&f->b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1 + i / 2}, NULL, 0, NULL, 0);
    read_and_assign(f);
    build_once(f, 1);
    build_once(f, 5);
}

/* Read in the first round, assigned in none before. */
static void a_variable_that_a_loop_reads_first(struct flow *f)
{
    int32_t i, x, old;

    begin(f, flat, 2);
    build_outputs(&f->b, INDICES(loop(f, 1, f->n, f->x, flat, 2)));
    build_condition(f, flat, 2);
    x = of_round(f, flat, 2, &i);
    old = floats(f, flat, 2);
    build_op(&f->b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(variable(f)), INDICES(old));
    build_outputs(&f->b, INDICES(less_one(f, i), apply(f, BUILTIN_ADD, x, old, flat, 2)));
}

/* ---- what is an error ---- */

/* The else branch has one output more. */
static void branches_of_unequal_outputs(struct flow *f)
{
    int32_t x;

    begin(f, flat, 2);
    branch(f, 1, flat, 2);
    x = of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(by_half(f, x, flat, 2)));
    x = of_x(f, flat, 2);
    build_outputs(&f->b, INDICES(by_half(f, x, flat, 2), x));
}

static void a_condition_of_two(struct flow *f)
{
    int32_t i, x, y;

    begin(f, flat, 2);
    build_outputs(&f->b, INDICES(loop(f, 1, f->n, f->x, flat, 2)));
    of_round(f, flat, 2, &i);
    y = build_tensor(&f->b, "two", TYPE_BOOL, SHAPE(2));
    build_op(&f->b, BUILTIN_LESS, 1, NULL, INDICES(i, build_const(&f->b, "two", TYPE_INT32, SHAPE(2), (int32_t[]){3, 4})),
             INDICES(y));
    build_outputs(&f->b, INDICES(y));
    x = of_round(f, flat, 2, &i);
    build_outputs(&f->b, INDICES(less_one(f, i), by_half(f, x, flat, 2)));
}

static const struct {
    void (*build)(struct flow *f);
    const char *says; /* in what is run with `yes` or a count of 2; NULL: nothing is wrong */
} cases[] = {
    {branches_of_high_rank, NULL},
    {branches_of_two_shapes, NULL},
    {branches_that_compute_nothing, NULL},
    {a_loop_of_high_rank, NULL},
    {a_body_that_resizes, NULL},
    {a_loop_that_starts_empty, NULL},
    {loops_in_loops, NULL},
    {a_loop_of_ever_more_rounds, NULL},
    {a_loop_in_a_branch_in_a_loop, NULL},
    {a_loop_of_no_values, NULL},
    {a_condition_that_is_the_body, NULL},
    {a_loop_with_twins, NULL},
    {several_calls_once, NULL},
    {a_variable_that_a_loop_reads_first, "is read before anything is assigned to it"},
    {branches_of_unequal_outputs, "subgraph 2 has 2 outputs, the node 1"},
    {a_condition_of_two, "the condition is BOOL[2], expected one BOOL"},
};

/* ---- running both ---- */

static struct session *start(const struct model *m, struct delegate *d)
{
    const struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err;

    TEST_OK(session_new(m, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static enum status run(struct session *s, bool yes, int32_t n, struct err *err)
{
    float *x = session_input(s, 2)->data;

    *(bool *)session_input(s, 0)->data = yes;
    *(int32_t *)session_input(s, 1)->data = n;
    for (size_t i = 0; i < tensor_elems(session_input(s, 2)); i++)
        x[i] = (float)i - 4 + (float)n;
    return session_run(s, err);
}

static void same_outputs(const struct session *a, const struct session *b)
{
    for (uint32_t i = 0; i < session_n_outputs(a); i++) {
        assert_true(tensor_same_shape(session_output(a, i), session_output(b, i)));
        assert_memory_equal(session_output(a, i)->data, session_output(b, i)->data, session_output(a, i)->bytes);
    }
}

/* After an error the next run is as good as any. */
static void hold(struct session *cpu, struct session *gpu, const char *says)
{
    bool failed = false;

    for (int32_t n = 0; n < 6; n++) {
        struct err a = {""}, b = {""};
        const enum status st = run(cpu, n % 3 > 0, n / 2, &a);

        assert_int_equal(run(gpu, n % 3 > 0, n / 2, &b), st);
        assert_string_equal(b.msg, a.msg);
        if (st && (!says || !strstr(a.msg, says)))
            fail_msg("\"%s\" does not say \"%s\"", a.msg, says ? says : "nothing");
        failed |= st != ST_OK;
        if (!st)
            same_outputs(cpu, gpu);
    }
    assert_true(failed == (says != NULL));
}

static void flows(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct flow f;
        struct session *s[2];
        struct loaded l;

        builder_init(&f.b, "flow");
        cases[i].build(&f);
        l = load(&f.b);
        s[0] = start(l.model, NULL);
        s[1] = start(l.model, gpu);
        hold(s[0], s[1], cases[i].says);
        session_free(s[1]);
        session_free(s[0]);
        unload(&l);
    }
    delegate_close(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(flows)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
