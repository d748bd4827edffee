/* SPDX-License-Identifier: Apache-2.0 */
/* trial_test.c - several test sides over the runs of one reference, at once and afterwards from its recording. */
#include "lib/compare/recording.h"
#include "lib/compare/trial.h"
#include "lib/testing/test_delegate.h"

#include <math.h>
#include <string.h>

static struct err err;

struct bench {
    struct loaded l;
    struct session *reference;
    struct recording recording;
};

/* y = -(x in the shape that is an input). */
static void build_late(struct builder *b)
{
    int32_t x, shape, as, y;

    builder_init(b, "late");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(6));
    shape = build_tensor(b, "shape", TYPE_INT32, SHAPE(2));
    as = build_tensor(b, "as", TYPE_FLOAT32, SHAPE(1, 1));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 1));
    build_op(b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(as));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(as), INDICES(y));
    build_inputs(b, INDICES(x, shape));
    build_outputs(b, INDICES(y));
}

static void open_bench_of(struct bench *b, void (*build)(struct builder *b))
{
    const struct session_options opt = {.mode = CPU_REFERENCE};
    struct builder builder;

    *b = (struct bench){0};
    build(&builder);
    b->reference = load_and_prepare(&builder, &opt, &b->l);
}

static void open_bench(struct bench *b)
{
    open_bench_of(b, build_chain);
}

static void close_bench(struct bench *b)
{
    recording_free(&b->recording);
    session_free(b->reference);
    unload(&b->l);
}

static void run_reference(struct bench *b, float first)
{
    float *x = session_input(b->reference, 0)->data;

    for (int32_t i = 0; i < session_input(b->reference, 0)->dim[0]; i++)
        x[i] = first + (float)i;
    TEST_OK(session_run(b->reference, &err), err);
}

static void open_trial(struct trial *t, struct bench *b, struct fake *fake, const struct trial_terms *terms, uint32_t end_node,
                       uint32_t runs)
{
    const struct session_options opt = {.mode = CPU_REFERENCE, .delegates = {&fake->base}, .partition.end_node = end_node};

    TEST_OK(trial_open(t, b->l.model, b->reference, &opt, terms, runs, false, &err), err);
}

/* Every output may be off by this much. */
static struct tolerances within(const char *atol)
{
    struct tolerances ts = {.fail_on = FAIL_ON_MAX};

    TEST_OK(tolerances_add(&ts, TOLERANCE_ATOL, "atol", atol, &err), err);
    return ts;
}

/* Trials of the same runs: one delegate errs, the other does not; all see what the reference was given. */
static void several_at_once(void **state)
{
    struct fake good = fake_delegate(" ABS "), bad = fake_delegate(" NEG ABS ADD ");
    struct tolerances ts = within("0.1");
    struct trial_terms terms = {.tolerances = &ts, .min_delegated = 2};
    struct trial a, b, c, d, *all[] = {&a, &b, &c, &d};
    struct bench bench;

    (void)state;
    bad.off = "ABS";
    bad.by = 0.5f;
    open_bench(&bench);
    open_trial(&a, &bench, &good, &terms, 0, 2);
    open_trial(&b, &bench, &bad, &terms, 0, 2);
    terms.tolerances = NULL;
    open_trial(&c, &bench, &bad, &terms, 0, 2);
    terms.require_full_delegation = true;
    terms.min_delegated = 0;
    open_trial(&d, &bench, &good, &terms, 0, 2);
    for (int run = 0; run < 2; run++) {
        run_reference(&bench, (float)run);
        for (int i = 0; i < 4; i++)
            TEST_OK(trial_run(all[i], i ? 1 : 3, &err), err);
    }
    for (int i = 0; i < 4; i++)
        TEST_OK(trial_finish(all[i], &err), err);
    assert_true(a.samples.n == 6 && b.samples.n == 2 && a.figures.count == 6);
    assert_true(a.assignment.n_delegated == 1 && b.assignment.n_delegated == 4 && b.assignment.full);
    assert_true(a.verdict.outputs_passed && !a.verdict.delegated_enough && !a.verdict.passed);
    assert_true(!b.verdict.outputs_passed && b.verdict.delegated_enough && !b.verdict.passed);
    assert_int_equal(b.verdict.failed_on, FAIL_ON_MAX);
    assert_true(a.diff.outputs[0].raw.max_abs == 0 && b.diff.outputs[0].raw.max_abs == 0.5);
    assert_int_equal(b.diff.outputs[0].raw.beyond, 2);
    assert_true(c.verdict.passed);
    assert_true(d.verdict.outputs_passed && !d.verdict.passed);
    for (int i = 0; i < 4; i++)
        trial_free(all[i]);
    tolerances_free(&ts);
    close_bench(&bench);
}

/* Four rounds of x = -x. */
static void build_rounds(struct builder *b)
{
    int32_t x[3], i[3], y[2], go;

    builder_init(b, "rounds");
    for (int k = 0; k < 3; k++) {
        if (k)
            build_subgraph(b, k == 1 ? "cond" : "body");
        x[k] = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(LEN));
        i[k] = build_tensor(b, "i", TYPE_FLOAT32, SHAPE(1));
        build_inputs(b, INDICES(x[k], i[k]));
        y[0] = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(LEN));
        y[1] = build_tensor(b, "j", TYPE_FLOAT32, SHAPE(1));
        go = build_tensor(b, "go", TYPE_BOOL, SHAPE(1));
        if (k == 0)
            build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x[k], i[k]), y, 2);
        if (k == 1)
            build_op(b, BUILTIN_LESS, 1, NULL, INDICES(i[k], build_const(b, "end", TYPE_FLOAT32, SHAPE(1), (float[]){4})),
                     INDICES(go));
        if (k == 2) {
            build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x[k]), INDICES(y[0]));
            build_op(b, BUILTIN_ADD, 1, NULL, INDICES(i[k], build_const(b, "one", TYPE_FLOAT32, SHAPE(1), (float[]){1})),
                     INDICES(y[1]));
        }
        build_outputs(b, k == 1 ? &go : y, k == 1 ? 1 : 2);
    }
}

/* Nodes of subgraphs that are called count, too: one of four is the delegate's. */
static void called_subgraphs(void **state)
{
    struct fake fake = fake_delegate(" NEG ");
    struct trial_terms terms = {.min_delegated = 1};
    struct bench bench;

    (void)state;
    open_bench_of(&bench, build_rounds);
    *(float *)session_input(bench.reference, 1)->data = 0;
    for (; terms.min_delegated < 3; terms.min_delegated++) {
        struct trial t;
        uint32_t of;

        open_trial(&t, &bench, &fake, &terms, 0, 1);
        run_reference(&bench, 1);
        TEST_OK(trial_run(&t, 1, &err), err);
        TEST_OK(trial_finish(&t, &err), err);
        assert_int_equal(trial_n_delegated(&t), 0);
        assert_int_equal(trial_n_on_delegate(&t, &of), 1);
        assert_int_equal(of, 4);
        assert_true(t.verdict.outputs_passed && t.verdict.delegated_enough == (terms.min_delegated == 1));
        trial_free(&t);
    }
    close_bench(&bench);
}

/* Nodes that a delegate is given in a run only count, too. */
static void shapes_of_a_run(void **state)
{
    struct fake fake = fake_delegate(" NEG ");
    struct trial_terms terms = {.min_delegated = 1};
    struct bench bench;
    struct trial t;

    (void)state;
    open_bench_of(&bench, build_late);
    open_trial(&t, &bench, &fake, &terms, 0, 1);
    memcpy(session_input(bench.reference, 1)->data, (int32_t[]){2, 3}, 2 * sizeof(int32_t));
    run_reference(&bench, 1);
    TEST_OK(trial_run(&t, 1, &err), err);
    TEST_OK(trial_finish(&t, &err), err);
    assert_int_equal(t.assignment.n_delegated, 0);
    assert_int_equal(t.dynamic.delegated, 1);
    assert_true(t.verdict.delegated_enough && t.verdict.passed);
    trial_free(&t);
    close_bench(&bench);
}

/* What one node of a delegate does, found with trials over runs that are long past. */
static void from_a_recording(void **state)
{
    struct tolerances ts = within("0.1");
    const struct trial_terms terms = {.tolerances = &ts};
    struct fake bad = fake_delegate(" NEG ABS ADD ");
    struct bench bench;

    (void)state;
    bad.off = "ABS";
    bad.by = 0.5f;
    open_bench(&bench);
    for (int run = 0; run < 20; run++) {
        run_reference(&bench, (float)run);
        TEST_OK(recording_add(&bench.recording, bench.reference, &err), err);
    }
    assert_int_equal(bench.recording.n, 20);
    assert_int_equal(bench.recording.bytes, 20 * 2 * LEN * sizeof(float));
    for (uint32_t end = 1; end < 3; end++) {
        struct trial t;

        open_trial(&t, &bench, &bad, &terms, end, 20);
        for (uint32_t run = 0; run < 20; run++) {
            TEST_OK(recording_play(&bench.recording, run, bench.reference, &err), err);
            assert_true(((float *)session_input(bench.reference, 0)->data)[1] == (float)run + 1);
            assert_true(((const float *)session_output(bench.reference, 0)->data)[1] == -2 * ((float)run + 1));
            TEST_OK(trial_run(&t, 1, &err), err);
        }
        TEST_OK(trial_finish(&t, &err), err);
        assert_int_equal(t.assignment.n_delegated, end);
        assert_int_equal(t.verdict.passed, end == 1);
        trial_free(&t);
    }
    tolerances_free(&ts);
    close_bench(&bench);
}

/* A recording stops at its limit, and says so; the runs that it has stay good. */
static void a_recording_that_is_full(void **state)
{
    struct bench bench;

    (void)state;
    open_bench(&bench);
    bench.recording.max_bytes = 5 * LEN * sizeof(float);
    for (int run = 0; run < 4; run++) {
        run_reference(&bench, (float)run);
        TEST_OK(recording_add(&bench.recording, bench.reference, &err), err);
    }
    assert_true(bench.recording.n == 2 && bench.recording.full);
    TEST_OK(recording_play(&bench.recording, 1, bench.reference, &err), err);
    assert_true(((float *)session_input(bench.reference, 0)->data)[0] == 1);
    close_bench(&bench);
}

/* A trial takes over the shape that the reference was given, and fails where its delegate does. */
static void shapes_and_failures(void **state)
{
    const struct trial_terms terms = {0};
    struct fake fake = fake_delegate(" ABS ");
    struct bench bench;
    struct trial t;

    (void)state;
    open_bench(&bench);
    TEST_OK(session_resize_input(bench.reference, 0, (const int32_t[]){9}, 1, &err), err);
    TEST_OK(session_prepare(bench.reference, &err), err);
    open_trial(&t, &bench, &fake, &terms, 0, 1);
    assert_int_equal(session_input(t.session, 0)->dim[0], 9);
    TEST_OK(trial_finish(&t, &err), err);
    assert_false(t.verdict.passed); /* nothing ran */
    run_reference(&bench, 1);
    fake.fail_invoke = true;
    assert_int_equal(trial_run(&t, 3, &err), ST_FAILED);
    assert_int_equal(t.samples.n, 0);
    fake.fail_invoke = false;
    TEST_OK(trial_run(&t, 3, &err), err);
    TEST_OK(trial_finish(&t, &err), err);
    assert_true(t.verdict.passed);
    trial_free(&t);
    close_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(called_subgraphs), cmocka_unit_test(shapes_of_a_run),          cmocka_unit_test(several_at_once),
        cmocka_unit_test(from_a_recording), cmocka_unit_test(a_recording_that_is_full), cmocka_unit_test(shapes_and_failures),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
