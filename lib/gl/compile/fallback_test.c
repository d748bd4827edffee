/* SPDX-License-Identifier: Apache-2.0 */
/* fallback_test.c - a driver that refuses programs: another variant, unfused, and in the end the CPU; always told, never wrong. */
#include "lib/gl/compile/fallback.h"

#include "lib/gl/testing/test_session.h"

struct fixture {
    struct loaded l;
    struct session *cpu;
    char warned[60][512];
    int n_warned;
};

static void listen(void *arg, const char *text)
{
    struct fixture *f = arg;

    assert_true(f->n_warned < 60);
    snprintf(f->warned[f->n_warned++], sizeof f->warned[0], "%s", text);
}

/* CONV_2D to one slice (two variants) with RELU6, times a vector, CONV_2D (one variant) with RELU6, EXP; all fused into two
 * dispatches. */
static int set_up(void **state)
{
    struct fixture *f = *state = calloc(1, sizeof *f);
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct builder b;
    int32_t x, a, m, c, y;

    builder_init(&b, "refused");
    x = test_image(&b, "x"), c = test_image(&b, "c"), y = test_image(&b, "y");
    a = build_tensor(&b, "a", TYPE_FLOAT32, SHAPE(1, H, W, 4)), m = build_tensor(&b, "m", TYPE_FLOAT32, SHAPE(1, H, W, 4));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(&b, SHAPE(4, 3, 3, C), 1), test_weights(&b, SHAPE(4), 2)),
             INDICES(a));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(a, test_weights(&b, SHAPE(4), 3)), INDICES(m));
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(m, test_weights(&b, SHAPE(C, 1, 1, 4), 4), test_weights(&b, SHAPE(C), 5)),
             INDICES(c));
    build_op(&b, BUILTIN_EXP, 1, NULL, INDICES(c), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    f->l = load(&b);
    f->cpu = test_start(&f->l, NULL);
    return 0;
}

static int clean_up(void **state)
{
    struct fixture *f = *state;

    session_free(f->cpu);
    unload(&f->l);
    free(f);
    return 0;
}

/* Of all rounds together. */
static void check_compile_ns(const struct session *s)
{
    struct delegate_program program;
    struct delegate_facts m;
    uint64_t ns = 0;

    session_facts(s, NULL, &m);
    for (uint32_t i = 0; session_program(s, i, &program); i++)
        ns += program.ns;
    assert_true(fact_value(&m, "compile") >= ns);
}

/* With programs that have `refuse` refused: `delegated` nodes stay, it is told at least `warnings` times (how many variants there
 * are is the kernels' matter) and nothing twice, results are right, and nothing is left in the driver. */
static void expect(struct fixture *f, const char *refuse, uint32_t delegated, int warnings)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .refuse = refuse});
    struct session *s;
    const struct partitioning *p;
    uint32_t before = test_gl_objects();

    f->n_warned = 0;
    d->warn = listen;
    d->warn_arg = f;
    gpu_context(d)->programs.helpers.most = 0;
    s = test_start(&f->l, d);
    check_compile_ns(s);
    p = session_partitioning(s);
    if (p->n_delegated != delegated || f->n_warned < warnings || (f->n_warned && !warnings)) {
        for (int i = 0; i < f->n_warned; i++)
            print_message("%s\n", f->warned[i]);
        fail_msg("\"%s\": %u nodes delegated, %u expected; %d warnings, %d expected", refuse, p->n_delegated, delegated,
                 f->n_warned, warnings);
    }
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(p->reasons[i].code, p->part_of[i] >= 0 ? REASON_NONE : REASON_DRIVER);
        if (p->part_of[i] < 0)
            assert_non_null(strstr(p->reasons[i].text, "refused for a test"));
    }
    test_compare(s, f->cpu, 1);
    session_free(s);
    assert_int_equal(test_gl_objects(), before);
    delegate_close(d);
}

static bool warned(const struct fixture *f, const char *text)
{
    for (int i = 0; i < f->n_warned; i++)
        if (strstr(f->warned[i], text))
            return true;
    return false;
}

static void without_refusals_nothing_is_said(void **state)
{
    expect(*state, "no shader has this", 4, 0);
}

static void the_next_variant_is_taken(void **state)
{
    struct fixture *f = *state;

    expect(f, "conv 4x1", 4, 1);
    assert_string_equal(f->warned[0],
                        "the driver does not compile shader \"conv 4x1 +RELU6 +MUL\": refused for a test; something else is tried");
}

/* Both variants of the second convolution are refused with EXP fused, and taken without it. */
static void what_is_refused_fused_is_not_fused(void **state)
{
    struct fixture *f = *state;

    expect(f, "+EXP", 3, 4);
    assert_true(warned(f, "\"conv 4x2 +RELU6 +EXP\""));
    assert_true(warned(f, "\"conv 4x1 +RELU6 +EXP\""));
    assert_true(warned(f, "\"map +EXP\""));
}
/* As if nothing worked: all of it runs on the CPU. Transfers have nothing to replace them. */
static void what_nothing_can_compute_goes_to_the_cpu(void **state)
{
    struct fixture *f = *state;

    expect(f, "conv", 2, 10);
    assert_true(warned(f, "node 0 CONV_2D runs on the CPU: the driver refuses all that could compute it"));
    expect(f, "#version", 0, 8);
    expect(f, "upload", 0, 5);
    expect(f, "download", 0, 5);
}

/* A session that is prepared again has the same answer, from the context's memory of what was refused. */
static void refusals_are_remembered(void **state)
{
    struct fixture *f = *state;
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .refuse = "conv 4x1"});
    struct session *s;
    struct err err;
    int warned_first;

    d->warn = listen;
    d->warn_arg = f;
    s = test_start(&f->l, d);
    warned_first = f->n_warned;
    assert_true(warned_first > 0);
    TEST_OK(session_prepare(s, &err), err);
    assert_int_equal(session_partitioning(s)->n_delegated, 4);
    assert_int_equal(f->n_warned, warned_first);
    test_compare(s, f->cpu, 2);
    session_free(s);
    delegate_close(d);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(without_refusals_nothing_is_said), TEST(the_next_variant_is_taken),
                                       TEST(what_is_refused_fused_is_not_fused), TEST(what_nothing_can_compute_goes_to_the_cpu),
                                       TEST(refusals_are_remembered)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
