/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_test.c - the delegate on whatever device there is (skipped where there is none), against the CPU. */
#include "lib/gl/testing/test_gpu.h"

#include <math.h>
#include <pthread.h>

#include "lib/base/clock.h"
#include "lib/graph/graph_infer.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

#define H 9
#define W 7
#define C 5

/* A residual block whose input is also added at the end, a node whose value is used twice and is an output too, an operand given
 * twice, constants in the middle, and a reshape at the border. */
static void build(struct builder *b)
{
    static float filter[C * 3 * 3 * C], bias[C], scale[] = {0.5f, -1, 2, 0.25f, 1};
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU);
    int32_t x, f, k, s, t0, t1, t2, t3, y;
    uint64_t seed = 3;

    for (size_t i = 0; i < sizeof filter / sizeof *filter; i++)
        filter[i] = (float)(test_random(&seed) % 2001) / 10000 - 0.1f;
    for (size_t i = 0; i < C; i++)
        bias[i] = (float)i - 2;
    builder_init(b, "block");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, H, W, C));
    f = build_const(b, "filter", TYPE_FLOAT32, SHAPE(C, 3, 3, C), filter);
    k = build_const(b, "bias", TYPE_FLOAT32, SHAPE(C), bias);
    s = build_const(b, "scale", TYPE_FLOAT32, SHAPE(C), scale);
    t0 = build_tensor(b, "conv", TYPE_FLOAT32, SHAPE(1, H, W, C));
    t1 = build_tensor(b, "scaled", TYPE_FLOAT32, SHAPE(1, H, W, C));
    t2 = build_tensor(b, "twice", TYPE_FLOAT32, SHAPE(1, H, W, C));
    t3 = build_tensor(b, "sum", TYPE_FLOAT32, SHAPE(1, H, W, C));
    y = build_tensor(b, "flat", TYPE_FLOAT32, SHAPE(H * W * C));
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, f, k), INDICES(t0));
    build_op(b, BUILTIN_MUL, 1, &(struct opt_mul){ACT_NONE}, INDICES(t0, s), INDICES(t1));
    build_op(b, BUILTIN_ADD, 1, &(struct opt_add){.activation = ACT_NONE}, INDICES(t1, t1), INDICES(t2));
    build_op(b, BUILTIN_SUB, 1, &(struct opt_sub){.activation = ACT_NONE}, INDICES(x, t2), INDICES(t3));
    build_op(b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{H * W * C}, 1}, INDICES(t3), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(t1, y));
}

struct fixture {
    struct delegate *gpu; /* NULL for the reason in err */
    struct err err;
    struct model *model;
    uint8_t *file;
};

static struct delegate *open_with(bool half, enum gpu_objects objects, struct err *err)
{
    struct gpu_options o = {
        .precision_loss_allowed = half, .device = -1, .objects = objects, .wait = half ? GPU_WAIT_ACTIVE : GPU_WAIT_PASSIVE};
    struct delegate *d;
    enum status st = delegate_gpu.open(&o, &d, err);

    if (st && st != ST_NO_GPU && st != ST_UNSUPPORTED)
        fail_msg("%s", err->msg);
    return d;
}

static struct delegate *open_gpu(bool half, struct err *err)
{
    return open_with(half, GPU_OBJECTS_FASTEST, err);
}

static int setup(void **state)
{
    struct fixture *f = *state = calloc(1, sizeof *f);
    struct builder b;
    struct err err;
    size_t n;

    build(&b);
    if (!f || builder_serialize(&b, &f->file, &n, &err) || model_parse(f->file, n, "block", &f->model, &err))
        return -1;
    builder_fini(&b);
    f->gpu = open_gpu(false, &f->err);
    return 0;
}

static int teardown(void **state)
{
    struct fixture *f = *state;

    delegate_close(f->gpu);
    model_close(f->model);
    free(f->file);
    free(f);
    return 0;
}

static struct session *start(struct fixture *f, struct delegate *d)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err;
    float *x;

    TEST_OK(session_new(f->model, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    x = session_input(s, 0)->data;
    for (int i = 0; i < H * W * C; i++)
        x[i] = sinf((float)i);
    return s;
}

static void compare(struct fixture *f, struct session *gpu, double tolerance)
{
    struct session *cpu = start(f, NULL);
    struct err err;

    TEST_OK(session_run(cpu, &err), err);
    for (uint32_t o = 0; o < 2; o++) {
        const float *a = session_output(cpu, o)->data, *b = session_output(gpu, o)->data;

        for (int i = 0; i < H * W * C; i++)
            if (!(fabs((double)a[i] - (double)b[i]) <= tolerance))
                fail_msg("output %u at %d: CPU %g, GPU %g", o, i, (double)a[i], (double)b[i]);
    }
    session_free(cpu);
}

static void same_numbers_as_the_cpu(void **state)
{
    struct fixture *f = *state;
    struct session *s;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    s = start(f, f->gpu);
    assert_int_equal(session_partitioning(s)->n_delegated, 5);
    for (int i = 0; i < 3; i++)
        TEST_OK(session_run(s, &err), err);
    compare(f, s, 1e-5);
    session_free(s);
}

static void halves_are_near(void **state)
{
    struct fixture *f = *state;
    struct delegate *d;
    struct session *s;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    d = open_gpu(true, &err);
    s = start(f, d);
    TEST_OK(session_run(s, &err), err);
    compare(f, s, 2e-2);
    session_free(s);
    delegate_close(d);
}

/* Whatever the device prefers, all that values may be kept in gives the same. */
static void buffers_images_and_textures_agree(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE};
    struct fixture *f = *state;

    if (!f->gpu)
        test_no_gpu(&f->err);
    for (int i = 0; i < 6; i++) {
        struct err err;
        struct delegate *d = open_with(i >= 3, objects[i % 3], &err);
        struct session *s;

        if (!d)
            continue;
        s = start(f, d);
        TEST_OK(session_run(s, &err), err);
        compare(f, s, i >= 3 ? 2e-2 : 1e-5);
        session_free(s);
        delegate_close(d);
    }
}

static void two_delegates_take_turns(void **state)
{
    struct fixture *f = *state;
    struct delegate *d;
    struct session *a, *b;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    d = open_gpu(false, &err);
    a = start(f, f->gpu);
    b = start(f, d);
    for (int i = 0; i < 2; i++) {
        TEST_OK(session_run(a, &err), err);
        TEST_OK(session_run(b, &err), err);
    }
    compare(f, a, 1e-5);
    compare(f, b, 1e-5);
    session_free(b);
    delegate_close(d);
    TEST_OK(session_run(a, &err), err);
    compare(f, a, 1e-5);
    session_free(a);
}

static void profile_times_each_dispatch(void **state)
{
    struct fixture *f = *state;
    const struct profile_row *rows;
    struct delegate_facts m;
    struct session *s;
    struct err err;
    size_t n;

    if (!f->gpu)
        test_no_gpu(&f->err);
    s = start(f, f->gpu);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    compare(f, s, 1e-5);
    session_facts(s, NULL, &m);
    assert_int_equal(n, fact_value(&m, "work.dispatches"));
    assert_string_equal(rows[0].type, "upload");
    assert_string_equal(rows[n - 1].type, "download");
    assert_string_equal(rows[1].type, "CONV_2D");
    assert_non_null(strstr(rows[1].detail, "+RELU +MUL"));
    assert_int_equal(rows[1].n_nodes, 2);
    assert_ptr_equal(rows[0].tensor, session_input(s, 0));
    assert_ptr_equal(rows[n - 1].tensor, session_output(s, session_n_outputs(s) - 1));
    assert_null(rows[1].tensor);
    for (size_t i = 0; i < n; i++)
        assert_true(!rows[i].timed || rows[i].ns > 0);
    assert_true(fact_value(&m, "memory.lower_bound") <= fact_value(&m, "memory.tensors") &&
                fact_value(&m, "memory.tensors") <= fact_value(&m, "memory.unshared"));
    session_free(s);
}

/* A second session shares the programs of the first: none was made ready for it, and it waited for none. */
static void each_program_is_told_once(void **state)
{
    struct fixture *f = *state;
    struct delegate_overhead overhead;
    struct delegate_program program;
    const struct profile_row *rows;
    struct delegate_facts m;
    struct session *s, *again;
    uint64_t ns = 0, began;
    struct err err;
    uint32_t count;
    size_t n;

    if (!f->gpu)
        test_no_gpu(&f->err);
    began = clock_ns();
    s = start(f, f->gpu);
    began = clock_ns() - began;
    again = start(f, f->gpu);
    session_facts(s, NULL, &m);
    for (count = 0; session_program(s, count, &program); count++) {
        assert_true(*program.label && program.ns > 0 && !program.loaded);
        ns += program.ns;
    }
    assert_int_equal(count, fact_value(&m, "start.programs_compiled"));
    /* Helpers work at the same time. */
    assert_true(fact_value(&m, "compile") >= ns / (1 + gpu_context(f->gpu)->programs.helpers.most) && fact_value(&m, "pack") > 0);
    assert_true(fact_value(&m, "compile") < began && !fact_value(&m, "load"));
    session_facts(again, NULL, &m);
    assert_false(session_program(again, 0, &program));
    assert_int_equal(fact_value(&m, "compile"), 0);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    overhead = session_profile_overhead(s);
    assert_true(overhead.write_ns > 0 && overhead.wait_ns > 0 && overhead.read_ns > 0);
    session_free(again);
    session_free(s);
}

static void *run_elsewhere(void *arg)
{
    struct err err = {""};

    assert_int_equal(session_run(arg, &err), ST_FAILED);
    assert_non_null(strstr(err.msg, "another thread"));
    return NULL;
}

static void another_thread_is_refused(void **state)
{
    struct fixture *f = *state;
    struct session *s;
    pthread_t t;

    if (!f->gpu)
        test_no_gpu(&f->err);
    s = start(f, f->gpu);
    assert_int_equal(pthread_create(&t, NULL, run_elsewhere, s), 0);
    pthread_join(t, NULL);
    session_free(s);
}

static void bad_options_are_explained(void **state)
{
    struct fixture *f = *state;
    struct gpu_options o = {.device = 99};
    struct delegate *d;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    assert_int_equal(delegate_gpu.open(&o, &d, &err), ST_USAGE);
    assert_null(d);
    assert_non_null(strstr(err.msg, "device 99"));
}

/* As a device with less, and with another kernel variant, the numbers stay. */
static void modes_for_tests_agree(void **state)
{
    const struct gpu_options modes[] = {{.device = -1, .most = &gl_limits_least}, {.device = -1, .pick = {.variant = 1}}};
    struct fixture *f = *state;

    if (!f->gpu)
        test_no_gpu(&f->err);
    for (int i = 0; i < 2; i++) {
        struct delegate *d;
        struct session *s;
        struct err err;

        TEST_OK(delegate_gpu.open(&modes[i], &d, &err), err);
        s = start(f, d);
        TEST_OK(session_run(s, &err), err);
        compare(f, s, 1e-5);
        assert_int_equal(d->software && modes[i].most, 0);
        assert_true(gpu_variants(d) >= 1);
        assert_int_equal(gpu_variants(d), 0);
        session_free(s);
        delegate_close(d);
    }
}

/* Else what depends on it would be done in vain: values would have to fit images that there are none of. */
static void what_a_device_lacks_is_not_preferred(void **state)
{
    const struct fixture *f = *state;
    struct gl_limits most = gl_limits_least;
    const struct gpu_options o = {.device = -1, .most = &most};
    struct delegate *d;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    most.policy.image_reads = true;
    TEST_OK(delegate_gpu.open(&o, &d, &err), err);
    assert_int_equal(gpu_context(d)->limits.image_reads, 0);
    assert_false(gpu_context(d)->limits.policy.image_reads);
    delegate_close(d);
}

static void static_delegate_answers_without_a_device(void **state)
{
    struct fixture *f = *state;
    struct gpu_options o = {.device = -1};
    struct delegate *d;
    struct graph *g;
    struct claim claims[16] = {0};
    struct err err;

    TEST_OK(delegate_gpu.open_static(&o, &d, &err), err);
    TEST_OK(graph_new(f->model, 0, &g, &err), err);
    TEST_OK(graph_infer(g, &err), err);
    assert_true(g->n_nodes <= 16);
    TEST_OK(d->ops->claim(d, g, claims, &err), err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (claims[i].owner != d)
            fail_msg("%s: %s", g->nodes[i].name, claims[i].why.text);
    graph_free(g);
    delegate_close(d);
}

/* Of the five nodes the part has 3 and 1, in this order. */
static void nodes_in_float32_of_a_part(void **state)
{
    static const uint32_t numbers[] = {UINT32_MAX, 1, UINT32_MAX, 0, UINT32_MAX};
    static const char *const lists[][2] = {{"1-2", "1"}, {"0,2", ""}, {"0-4", "1,0"}, {"", ""}};
    struct fixture *f = *state;
    struct arena a = {0};
    struct graph *g;
    struct err err;

    TEST_OK(graph_new(f->model, 0, &g, &err), err);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct gpu_options o = {.device = -1, .fp32_nodes = lists[i][0]};

        TEST_OK(delegate_gpu.options_of_part(&o, g, numbers, &a, &err), err);
        assert_string_equal(o.fp32_nodes, lists[i][1]);
    }
    arena_free(&a);
    graph_free(g);
}

/* Runs and compares; returns the number of delegated nodes. */
static uint32_t run_limited(struct fixture *f, struct session *s)
{
    const struct partitioning *p = session_partitioning(s);
    uint32_t nodes = 0;
    struct err err;

    TEST_OK(session_run(s, &err), err);
    compare(f, s, 1e-5);
    for (uint32_t i = 0; i < p->n_parts; i++)
        nodes += p->parts[i].n_nodes;
    return nodes;
}

/* With each limit the nodes that do not fit run on the CPU; where all just fit, some of a second session do not. */
static void memory_is_limited(void **state)
{
    struct fixture *f = *state;
    struct gpu_options o = {.device = -1, .wait = GPU_WAIT_PASSIVE, .max_memory_mb = 0.008};
    struct session *first, *second;
    struct delegate *d;
    struct err err;
    uint32_t n = 0, least = UINT32_MAX;

    if (!f->gpu)
        test_no_gpu(&f->err);
    for (; n < 5; o.max_memory_mb *= 1.1) {
        TEST_OK(delegate_gpu.open(&o, &d, &err), err);
        first = start(f, d);
        n = run_limited(f, first);
        least = n < least ? n : least;
        if (n == 5) {
            second = start(f, d);
            assert_true(run_limited(f, second) < n);
            session_free(first);
            session_free(second);
            first = start(f, d);
            assert_int_equal(run_limited(f, first), n);
        }
        session_free(first);
        delegate_close(d);
    }
    assert_true(least < n);
}

static void nothing_fits_in_memory(void **state)
{
    struct fixture *f = *state;
    const struct gpu_options o = {.device = -1, .max_memory_mb = 0.001};
    struct session_options with = {.mode = CPU_REFERENCE};
    struct session *s;
    struct err err;

    if (!f->gpu)
        test_no_gpu(&f->err);
    TEST_OK(delegate_gpu.open(&o, &with.delegates[0], &err), err);
    TEST_OK(session_new(f->model, &with, &s, &err), err);
    assert_int_equal(session_prepare(s, &err), ST_NOMEM);
    assert_non_null(strstr(err.msg, "--gpu_max_memory allows 0.001 MB, and no part of the model fits"));
    session_free(s);
    delegate_close(with.delegates[0]);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(same_numbers_as_the_cpu),
        TEST(halves_are_near),
        TEST(buffers_images_and_textures_agree),
        TEST(two_delegates_take_turns),
        TEST(profile_times_each_dispatch),
        TEST(each_program_is_told_once),
        TEST(another_thread_is_refused),
        TEST(bad_options_are_explained),
        TEST(static_delegate_answers_without_a_device),
        TEST(nodes_in_float32_of_a_part),
        TEST(memory_is_limited),
        TEST(nothing_fits_in_memory),
        TEST(modes_for_tests_agree),
        TEST(what_a_device_lacks_is_not_preferred),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
