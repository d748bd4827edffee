/* SPDX-License-Identifier: Apache-2.0 */
/* phases_test.c - each time is in one part, and the parts add up. */
#include "lib/measure/phases.h"

#include "lib/base/clock.h"
#include "lib/testing/test_delegate.h"

static double part(const struct phases *p, const char *name)
{
    for (uint32_t i = 0; i < p->n; i++)
        if (!strcmp(p->parts[i].name, name))
            return p->parts[i].us;
    fail_msg("no part %s", name);
    return 0;
}

static void assert_sum(const struct phases *p)
{
    double sum = 0;

    for (uint32_t i = 0; i < p->n; i++) {
        assert_true(p->parts[i].us >= 0);
        sum += p->parts[i].us;
    }
    assert_float_equal(sum, p->total_us, 1e-3);
}

static void parts_of_a_start(void **state)
{
    const struct bench_times t = {.load_us = 10, .open_us = 20, .prepare_us = 200};
    const struct session_times times = {.total_ns = 190000,
                                        .claim_ns = 30000,
                                        .delegates_ns = 110000,
                                        .tuning_ns = 8000,
                                        .compile_ns = 60000,
                                        .load_ns = 5000,
                                        .pack_ns = 15000};
    struct phases p;

    (void)state;
    phases_of_start(&t, &times, &p);
    assert_float_equal(p.total_us, 230, 1e-3);
    assert_float_equal(part(&p, "model_load"), 10, 1e-3);
    assert_float_equal(part(&p, "claim"), 30, 1e-3);
    assert_float_equal(part(&p, "tuning"), 8, 1e-3);
    assert_float_equal(part(&p, "delegate_build"), 22, 1e-3);
    assert_float_equal(part(&p, "shader_compile"), 60, 1e-3);
    assert_float_equal(part(&p, "program_load"), 5, 1e-3);
    assert_float_equal(part(&p, "constants"), 15, 1e-3);
    assert_float_equal(part(&p, "cpu_plan"), 50, 1e-3);
    assert_float_equal(part(&p, "other"), 10, 1e-3);
    assert_sum(&p);
}

static void parts_of_a_run(void **state)
{
    const struct tensor t = {.name = "t"};
    struct op_row rows[] = {
        {.type = "upload", .partition = 0, .tensor = &t, .sum_us = 2},
        {.type = "NEG", .partition = 0, .tensor = &t, .n_nodes = 1, .sum_us = 20},
        {.type = "download", .partition = 0, .tensor = &t, .sum_us = 4},
        {.type = "ABS", .partition = -1, .tensor = &t, .n_nodes = 1, .sum_us = 30},
    };
    const struct op_profile profile = {
        .rows = rows, .n_rows = 4, .runs = 2, .overhead = {1000, 3000, 5000}, .wall = {.count = 2, .avg = 40}};
    struct phases p;

    (void)state;
    phases_of_run(&profile, &p);
    assert_float_equal(part(&p, "upload"), 1, 1e-3);
    assert_float_equal(part(&p, "gpu_compute"), 10, 1e-3);
    assert_float_equal(part(&p, "download"), 2, 1e-3);
    assert_float_equal(part(&p, "cpu_ops"), 15, 1e-3);
    assert_float_equal(part(&p, "write"), 0.5, 1e-3);
    assert_float_equal(part(&p, "synchronization"), 1.5, 1e-3);
    assert_float_equal(part(&p, "readback"), 2.5, 1e-3);
    assert_float_equal(part(&p, "other"), 7.5, 1e-3);
    assert_sum(&p);
}

/* What a session measures of itself lies within what is measured around it. */
static void a_session_measures_itself(void **state)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct session_options opt = {.delegates = {&fake.base}};
    struct delegate_program program;
    struct session_times times;
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;
    uint64_t clock;

    (void)state;
    build_chain(&b);
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    clock = clock_ns();
    TEST_OK(session_prepare(s, &err), err);
    clock = clock_ns() - clock;
    session_times(s, &times);
    assert_true(times.claim_ns && times.delegates_ns && times.claim_ns + times.delegates_ns < times.total_ns);
    assert_true(times.total_ns <= clock);
    assert_true(session_program(s, 0, &program) && !strcmp(program.label, "first") && !program.loaded);
    assert_true(session_program(s, 3, &program) && !strcmp(program.label, "second") && program.ns == 11 && program.loaded);
    assert_false(session_program(s, 4, &program));
    session_free(s);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_start),
        cmocka_unit_test(parts_of_a_run),
        cmocka_unit_test(a_session_measures_itself),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
