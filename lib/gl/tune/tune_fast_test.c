/* SPDX-License-Identifier: Apache-2.0 */
/* tune_fast_test.c - fast tuning keeps within its time, goes on where the time was over, and says what it did; by a clock that is
 * made up. And what judges, and what is not worth trying.
 */
#include "lib/gl/tune/tune.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/gl/testing/test_session.h"
#include "lib/testing/test_files.h"

#define DISPATCH_NS   1000
#define MOST_PROGRAMS 3 /* that a variant of one layer has */

/* Three layers of different shapes, the last with RELU6. */
static struct loaded network(void)
{
    struct builder b;
    int32_t x;

    builder_init(&b, "layers");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 16, 12, 8));
    build_inputs(&b, INDICES(x));
    for (int32_t c = 8; c < 20; c += 4) {
        const struct opt_conv_2d conv = test_conv_with(c < 16 ? ACT_NONE : ACT_RELU6);
        const int32_t y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 16, 12, c + 4));

        build_op(&b, BUILTIN_CONV_2D, 1, &conv,
                 INDICES(x, test_weights(&b, SHAPE(c + 4, 3, 3, c), 1), test_weights(&b, SHAPE(c + 4), 2)), INDICES(y));
        x = y;
    }
    build_outputs(&b, INDICES(x));
    return load(&b);
}

static double first_program_ns, program_ns;
static uint32_t compiled, tiles; /* how often a program was asked about, and a variant other than that by rules */
static char heard[256];

static double made_up(const char *label)
{
    if (!strcmp(label, "compile"))
        return 500;
    if (!strcmp(label, "program"))
        return compiled++ ? program_ns : first_program_ns;
    if (!strstr(label, "conv ") || strstr(label, "conv 4x2"))
        return DISPATCH_NS;
    tiles++;
    return strstr(label, "conv 8x4") ? DISPATCH_NS / 4 : DISPATCH_NS / 2;
}

/* The last layer is slow with values in textures, the others are fast. */
static double likes_some_textures(const char *label)
{
    return made_up(label) * (!strstr(label, "values in textures") ? 1 : strstr(label, "RELU6") ? 5 : 0.5);
}

static void hear(void *arg, const char *text)
{
    (void)arg;
    snprintf(heard, sizeof heard, "%s", text);
}

static uint32_t queried;
static PFNGLGETQUERYOBJECTUI64VEXTPROC real_query;

/* All take as long, whatever the clock says. */
static void alike(GLuint id, GLenum what, GLuint64 *v)
{
    real_query(id, what, v);
    queried++;
    *v = 1000;
}

static const struct gl_policy square = {.iterations = GL_FEW_ITERATIONS};

static bool (*stopped)(void *arg);

/* One start; the label of the first layer's dispatch goes to `label`, room 64. */
static struct delegate_facts run(struct gpu_options o, char *label)
{
    struct loaded l = network();
    struct delegate *d;
    struct session_options so = {.mode = CPU_REFERENCE};
    struct session *cpu = test_start(&l, NULL), *s;
    const struct profile_row *rows;
    struct delegate_facts m;
    struct err err;
    size_t n;

    o.device = -1;
    o.policy = o.policy ? o.policy : &square;
    so.delegates[0] = d = test_open_gpu(o);
    d->tell = hear;
    d->stopped = stopped;
    real_query = glGetQueryObjectui64vEXT;
    glGetQueryObjectui64vEXT = alike;
    heard[0] = label[0] = '\0';
    compiled = tiles = 0;
    TEST_OK(session_new(l.model, &so, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    if (o.trial_ns) /* else any variant may have been taken, of any precision */
        test_compare(s, cpu, 1);
    session_facts(s, NULL, &m);
    assert_true(!fact_value(&m, "start.tuning.stored") || strstr(fact_find(&m, "start.tuning.stored")->detail, ".dgs"));
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    for (size_t i = 0; i < n && !*label; i++)
        if (rows[i].detail && !strncmp(rows[i].detail, "conv ", 5))
            snprintf(label, 64, "%s", rows[i].detail);
    session_free(s);
    glGetQueryObjectui64vEXT = real_query;
    delegate_close(d);
    session_free(cpu);
    unload(&l);
    return m;
}

static void fast_tuning_takes_no_longer_than_50_inferences(void **state)
{
    const struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = made_up};
    static const double programs[] = {100, 10000, 30000, 1e6};
    uint32_t trials = UINT32_MAX;
    char label[64];

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct delegate_facts m;

        first_program_ns = program_ns = programs[i];
        m = run(o, label);
        assert_int_equal(fact_value(&m, "start.tuning.bound_us"), 50 * fact_value(&m, "work.dispatches") * DISPATCH_NS);
        assert_true(fact_value(&m, "start.tuning.beyond_us") > 0 &&
                    fact_value(&m, "start.tuning.beyond_us") <= fact_value(&m, "start.tuning.bound_us"));
        assert_true(fact_value(&m, "start.tuning.trials") <= trials);
        assert_int_equal(fact_value(&m, "start.tuning.cut"), 1);
        assert_int_equal(fact_value(&m, "tuning_goes_on"), 0); /* nothing is stored */
        trials = fact_value(&m, "start.tuning.trials");
        if (i == 0) {
            assert_true(fact_value(&m, "start.tuning.trials") >= 4);
            assert_true(fact_value(&m, "start.tuning.nodes") > 0);
        }
    }
    assert_int_equal(trials, 0);
    assert_string_equal(label, "conv 4x2");
}

/* What is compiled untuned may be in a driver's cache. */
static void one_trial_may_take_longer_than_foretold(void **state)
{
    const struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = made_up};
    struct delegate_facts m;
    char label[64];

    (void)state;
    first_program_ns = 100;
    program_ns = 1e6;
    m = run(o, label);
    assert_int_equal(fact_value(&m, "start.tuning.trials"), 1);
    assert_true(fact_value(&m, "start.tuning.beyond_us") > program_ns &&
                fact_value(&m, "start.tuning.beyond_us") <= fact_value(&m, "start.tuning.bound_us") + MOST_PROGRAMS * program_ns);
}

/* ---- ended from outside ---- */

static uint32_t may_ask;

static bool is_enough(void *arg)
{
    (void)arg;
    may_ask -= may_ask > 0;
    return !may_ask;
}

/* Whoever opened the delegate says when: what was tried until then is judged and taken. */
static void it_ends_when_stopped(void **state)
{
    struct gpu_options o = {.tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = made_up};
    char label[64];
    const struct delegate_facts unstopped = run(o, label);
    uint32_t before = 0;

    (void)state;
    stopped = is_enough;
    for (uint32_t asks = 0; asks < 16; asks += 3) {
        struct delegate_facts m;

        may_ask = asks;
        m = run(o, label);
        assert_true(fact_value(&m, "start.tuning.trials") <= asks && fact_value(&m, "start.tuning.trials") >= before &&
                    fact_value(&m, "start.tuning.trials") < fact_value(&unstopped, "start.tuning.trials"));
        assert_int_equal(fact_value(&m, "start.tuning.cut"), 1);
        assert_int_equal(fact_value(&m, "start.tuning.nodes") > 0, strncmp(label, "conv 4x2", 8) != 0);
        before = fact_value(&m, "start.tuning.trials");
    }
    stopped = NULL;
    assert_true(before >= 3);
}

/* ---- stored starts ---- */

static void remove_all(const char *dir)
{
    DIR *d = opendir(dir);
    struct dirent *e;
    char path[320];

    assert_non_null(d);
    while ((e = readdir(d)))
        if (*e->d_name != '.') {
            snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
            unlink(path);
        }
    closedir(d);
    rmdir(dir);
}

/* Each start begins where the one before ended: together they try what one would that has the time. */
static void what_was_cut_short_goes_on(void **state)
{
    struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = made_up, .serialize_token = "test"};
    uint32_t starts = 0, trials = 0;
    struct delegate_facts m;
    char dir[64], label[64];

    (void)state;
    make_temp_dir(dir);
    o.serialize_dir = dir;
    first_program_ns = program_ns = 8000;
    do {
        m = run(o, label);
        trials += fact_value(&m, "start.tuning.trials");
        assert_int_equal(fact_value(&m, "tuning_goes_on"), fact_value(&m, "start.tuning.cut"));
        assert_int_equal(fact_value(&m, "start.tuning.stored"), 0);
        assert_true(fact_value(&m, "start.tuning.beyond_us") <= fact_value(&m, "start.tuning.bound_us"));
    } while (fact_value(&m, "start.tuning.cut") && ++starts < 60);
    assert_true(starts > 1 && starts < 60);
    assert_true(trials > 10);
    assert_memory_equal(label, "conv 8x4", 8);
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 3);
    m = run(o, label);
    assert_int_equal(fact_value(&m, "start.tuning.trials"), 0);
    assert_int_equal(fact_value(&m, "start.tuning.stored"), 1);
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 3);
    assert_memory_equal(label, "conv 8x4", 8);
    remove_all(dir);
}

/* All in textures loses, some gain: each start is in time, and the last has them. */
static void values_are_placed_in_time(void **state)
{
    static const double programs[] = {500, 2000, 4000, 8000};

    (void)state;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = likes_some_textures, .serialize_token = "test"};
        uint32_t starts = 0;
        struct delegate_facts m;
        char dir[64], label[64];

        make_temp_dir(dir);
        o.serialize_dir = dir;
        first_program_ns = program_ns = programs[i];
        do {
            m = run(o, label);
            assert_true(fact_value(&m, "start.tuning.beyond_us") <= fact_value(&m, "start.tuning.bound_us"));
        } while (fact_value(&m, "start.tuning.cut") && ++starts < 60);
        assert_true(starts > 1 && starts < 60);
        for (int again = 0; again < 2; again++) {
            assert_string_equal(label, "conv 8x4, values in textures");
            assert_true(fact_value(&m, "memory.in_textures") > 0 &&
                        fact_value(&m, "memory.in_textures") < 3 * 16 * 12 * 16 * sizeof(float));
            m = run(o, label);
            assert_int_equal(fact_value(&m, "start.tuning.trials"), 0);
        }
        remove_all(dir);
    }
}

/* Where nothing fits it is tried once more, as the driver's cache may be full by then. */
static void what_had_no_time_at_all_is_tried_again(void **state)
{
    struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = made_up, .serialize_token = "test"};
    char dir[64], label[64];

    (void)state;
    make_temp_dir(dir);
    o.serialize_dir = dir;
    first_program_ns = program_ns = 1e6;
    for (uint32_t start = 0; start < 3; start++) {
        const struct delegate_facts m = run(o, label);

        assert_int_equal(fact_value(&m, "start.tuning.trials"), 0);
        assert_int_equal(fact_value(&m, "start.tuning.nodes"), 0);
        assert_int_equal(fact_value(&m, "tuning_goes_on"), start == 0);
        assert_int_equal(fact_value(&m, "start.tuning.stored"), start == 2);
    }
    remove_all(dir);
}

/* As when the driver, whose version is the same, takes less than it did. */
static void stored_picks_may_be_refused(void **state)
{
    struct gpu_options o = {.tuning = GPU_TUNING_FAST, .trial_ns = made_up, .serialize_token = "test"};
    char dir[64], label[64];
    struct delegate_facts m;
    uint32_t starts = 0;

    (void)state;
    make_temp_dir(dir);
    o.serialize_dir = dir;
    first_program_ns = program_ns = 8000;
    do
        m = run(o, label);
    while (!strstr(label, "8x4") && ++starts < 60);
    assert_true(fact_value(&m, "start.tuning.cut") && fact_value(&m, "start.tuning.nodes") > 0);
    o.refuse = "conv 8x4";
    m = run(o, label);
    assert_memory_equal(label, "conv ", 5); /* and not the CPU's */
    assert_null(strstr(label, "8x4"));
    remove_all(dir);
}

/* ---- what is tried, and what judges ---- */

/* Multiply-adds of a microsecond, by a device that can do no better. */
static void what_is_at_the_limit_is_not_tried(void **state)
{
    static const struct device_peak slow = {.gflops = 1e-3}, fast = {.gflops = 1e9};
    struct gpu_options o = {.tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = made_up, .trial_peak = &slow};
    char label[64];

    (void)state;
    run(o, label);
    assert_int_equal(tiles, 0);
    o.trial_peak = &fast;
    run(o, label);
    assert_true(tiles > 0);
}

static void a_long_search_says_so(void **state)
{
    struct gpu_options o = {.tuning = GPU_TUNING_EXHAUSTIVE, .trial_ns = made_up};
    char label[64];

    (void)state;
    run(o, label);
    assert_memory_equal(heard, "Tuning: up to ", 14);
    o.tuning = GPU_TUNING_FAST;
    run(o, label);
    assert_string_equal(heard, "");
}

static void timer_queries_judge_where_they_are_trusted(void **state)
{
    struct gl_context *c = test_open_context();
    struct gpu_options o = {.tuning = GPU_TUNING_EXHAUSTIVE};
    struct gl_policy trusted = square;
    struct delegate_facts m;
    const bool timer = c->timer_query;
    char label[64];

    (void)state;
    gl_context_close(c);
    if (!timer)
        skip();
    trusted.timer = true;
    o.policy = &trusted;
    queried = 0;
    m = run(o, label);
    assert_int_equal(fact_value(&m, "start.tuning.nodes"), 0);
    assert_true(queried > 20);
    o.policy = &square;
    queried = 0;
    run(o, label);
    assert_int_equal(queried, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_tuning_takes_no_longer_than_50_inferences),
        cmocka_unit_test(one_trial_may_take_longer_than_foretold),
        cmocka_unit_test(it_ends_when_stopped),
        cmocka_unit_test(what_was_cut_short_goes_on),
        cmocka_unit_test(values_are_placed_in_time),
        cmocka_unit_test(what_had_no_time_at_all_is_tried_again),
        cmocka_unit_test(stored_picks_may_be_refused),
        cmocka_unit_test(what_is_at_the_limit_is_not_tried),
        cmocka_unit_test(a_long_search_says_so),
        cmocka_unit_test(timer_queries_judge_where_they_are_trusted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
