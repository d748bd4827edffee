/* SPDX-License-Identifier: Apache-2.0 */
/* watch_test.c - a compiler that does not end is left behind: another variant is taken, then the CPU, and results are right. */
#include "lib/gl/device/watch.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/threads.h"
#include "lib/gl/testing/test_session.h"

/* Much more than a job that is not to be given up takes on a busy machine, and much less than one that is. */
#define PATIENCE_MS 800
#define STALL_MS    3000

static void sleep_ms(uint32_t ms)
{
    const struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&t, NULL);
}

/* ---- the thread ---- */

struct task {
    uint32_t ms, ticks; /* so long before each of them */
    atomic_bool ran, left;
    _Atomic int dropped;
};

static void do_task(void *arg, struct gl_watch *w)
{
    struct task *t = arg;

    for (uint32_t i = 0; i < t->ticks; i++) {
        sleep_ms(t->ms);
        gl_watch_tick(w);
    }
    t->left = gl_watch_is_left(w);
    t->ran = true;
}

static void drop_task(void *arg)
{
    ((struct task *)arg)->dropped++;
}

static struct gl_watch *begin(void)
{
    struct gl_watch *w = gl_watch_new();

    if (!w) {
        print_message("NOT RUN (watch): the memory of the process is bounded\n");
        skip();
    }
    return w;
}

static void jobs_run_one_after_the_other(void **state)
{
    struct gl_watch *w = begin();

    (void)state;
    for (int i = 0; i < 100; i++) {
        struct task t = {0, 1, false, false, 0};

        assert_true(gl_watch_run(w, (struct gl_job){do_task, drop_task, &t}, PATIENCE_MS));
        assert_true(t.ran && !t.left && !t.dropped);
    }
    gl_watch_free(w);
    gl_watch_free(NULL);
}

/* In all they take longer than that. */
static void headway_is_time(void **state)
{
    struct gl_watch *w = begin();
    struct task t = {PATIENCE_MS / 4, 8, false, false, 0};

    (void)state;
    assert_true(gl_watch_run(w, (struct gl_job){do_task, drop_task, &t}, PATIENCE_MS));
    assert_true(t.ran && !t.left);
    gl_watch_free(w);
}

static void what_does_not_end_is_left(void **state)
{
    struct gl_watch *w = begin();
    const unsigned before = threads_left();
    static struct task t = {STALL_MS, 1, false, false, 0};
    const uint64_t start = clock_ns();

    (void)state;
    assert_false(gl_watch_run(w, (struct gl_job){do_task, drop_task, &t}, PATIENCE_MS));
    assert_true(clock_ns() - start >= PATIENCE_MS * (uint64_t)1000000u);
    assert_false(t.ran);
    assert_int_equal(threads_left(), before + 1);
    for (int i = 0; i < 100 && !t.dropped; i++)
        sleep_ms(100);
    assert_true(t.ran && t.left);
    assert_int_equal(t.dropped, 1);
}

/* ---- a driver ---- */

static char warned[40][512];
static int n_warned;

static void listen(void *arg, const char *text)
{
    (void)arg;
    assert_true(n_warned < 40);
    snprintf(warned[n_warned++], sizeof warned[0], "%s", text);
}

/* CONV_2D, of several variants, and LOGISTIC. */
static struct loaded make_network(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU6);
    struct builder b;
    int32_t x, c, y;

    builder_init(&b, "watched");
    x = test_image(&b, "x"), c = test_image(&b, "c"), y = test_image(&b, "y");
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(c));
    build_op(&b, BUILTIN_LOGISTIC, 1, NULL, INDICES(c), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct delegate *open_slow(const char *stall)
{
    struct delegate *d = test_open_gpu((struct gpu_options){
        .device = -1, .compile_timeout_ms = PATIENCE_MS, .stall = stall, .stall_ms = STALL_MS, .no_binaries = true});

    d->warn = listen;
    n_warned = 0;
    return d;
}

/* With a compiler that does not end what has `stall`: so many nodes stay the GPU's, and at least so many warnings are told. */
static void expect(const char *stall, uint32_t delegated, uint32_t lost, int least)
{
    struct loaded l = make_network();
    struct delegate *d = open_slow(stall);
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    const struct gl_context *c = gpu_context(d);
    const struct partitioning *p = session_partitioning(s);

    for (int i = 0; i < n_warned; i++)
        print_message("%s\n", warned[i]);
    assert_int_equal(p->n_delegated, delegated);
    assert_int_equal(c->n_lost, lost);
    assert_true(n_warned >= least && n_warned <= (int)lost + 2);
    for (uint32_t i = 0; i < 2; i++)
        assert_int_equal(p->reasons[i].code, p->part_of[i] >= 0 ? REASON_NONE : REASON_DRIVER);
    test_compare(s, cpu, 1);
    test_compare(s, cpu, 2);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

static void what_ends_is_not_disturbed(void **state)
{
    (void)state;
    expect("no shader has this", 2, 0, 0);
    assert_int_equal(n_warned, 0);
}

static void another_variant_is_taken(void **state)
{
    (void)state;
    expect("conv 4x2", 2, 1, 1);
    assert_non_null(strstr(warned[0], "the driver's compiler did not end within 800 ms (--gpu_compile_timeout_ms) with shader \""));
}

/* Each variant of the convolution hangs. What the compiler would take is not tried either. */
static void after_three_none_is_asked(void **state)
{
    (void)state;
    expect("conv", 0, 3, 3);
    assert_non_null(strstr(warned[2], "after the third of these"));
}

/* What another session compiled is still there, and what it profiles. */
static void others_go_on(void **state)
{
    struct loaded l = test_small_network(), slow = make_network();
    struct delegate *d = open_slow("conv 4x2");
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL), *other;

    (void)state;
    test_compare(s, cpu, 1);
    other = test_start(&slow, d);
    assert_int_equal(gpu_context(d)->n_lost, 1);
    test_compare(s, cpu, 2);
    session_free(other);
    test_compare(s, cpu, 3);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
    unload(&slow);
}

/* Threads that are left end by themselves here. */
static int wait_for_them(void **state)
{
    (void)state;
    sleep_ms(2 * STALL_MS);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jobs_run_one_after_the_other),
                                       cmocka_unit_test(headway_is_time),
                                       cmocka_unit_test(what_does_not_end_is_left),
                                       cmocka_unit_test(what_ends_is_not_disturbed),
                                       cmocka_unit_test(another_variant_is_taken),
                                       cmocka_unit_test(after_three_none_is_asked),
                                       cmocka_unit_test(others_go_on)};

    return cmocka_run_group_tests(tests, NULL, wait_for_them);
}
