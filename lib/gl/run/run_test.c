/* SPDX-License-Identifier: Apache-2.0 */
/* run_test.c - compiled partitions as their sessions see them: what GL holds afterwards, turns on one device, devices with less,
 * memory.
 *
 * Results are held against sessions on the CPU. */
#include "lib/gl/testing/test_session.h"

#include <pthread.h>

#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/session/session_impl.h"

/* One of each shape of work: convolutions, a pool, a softmax, a join of eight, a fully connected layer. Outputs: its result and
 * a value in the middle. */
static struct loaded network(void)
{
    const struct opt_conv_2d conv = test_conv_with(ACT_RELU);
    const struct opt_pool_2d pool = {
        .padding = PAD_VALID, .stride_width = 2, .stride_height = 2, .filter_width = 2, .filter_height = 2};
    struct builder b;
    int32_t x, t[8], joined, p, y, middle;

    builder_init(&b, "network");
    x = test_image(&b, "x");
    t[0] = test_image(&b, "conv");
    build_op(&b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), 1), test_weights(&b, SHAPE(C), 2)),
             INDICES(t[0]));
    t[1] = test_image(&b, "depthwise");
    build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &test_depthwise_same,
             INDICES(t[0], test_weights(&b, SHAPE(1, 3, 3, C), 3), test_weights(&b, SHAPE(C), 4)), INDICES(t[1]));
    middle = t[1];
    for (int i = 2; i < 8; i++) {
        t[i] = test_image(&b, "scaled");
        build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[i - 1], test_weights(&b, SHAPE(C), (uint64_t)i)), INDICES(t[i]));
    }
    joined = build_tensor(&b, "joined", TYPE_FLOAT32, SHAPE(1, H, W, 8 * C));
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 3}, t, 8, INDICES(joined));
    p = build_tensor(&b, "pooled", TYPE_FLOAT32, SHAPE(1, H / 2, W / 2, 8 * C));
    build_op(&b, BUILTIN_AVERAGE_POOL_2D, 1, &pool, INDICES(joined), INDICES(p));
    y = build_tensor(&b, "dense", TYPE_FLOAT32, SHAPE(H / 2 * W / 2, 24));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(p, test_weights(&b, SHAPE(24, 8 * C), 5), -1), INDICES(y));
    x = build_tensor(&b, "softmax", TYPE_FLOAT32, SHAPE(H / 2 * W / 2, 24));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(y), INDICES(x));
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x, middle));
    return load(&b);
}

/* ---- what is left behind ---- */

static void sessions_leave_nothing_behind(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};
    struct loaded l = network();
    const struct profile_row *rows;
    struct err err = {""};
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects[i]});
        uint32_t before = test_gl_objects(), during;
        struct session *s = test_start(&l, d);

        during = test_gl_objects();
        assert_true(during > before + 3);
        TEST_OK(session_run(s, &err), err);
        TEST_OK(session_profile(s, &rows, &n, &err), err);
        TEST_OK(session_prepare(s, &err), err); /* in place of the old one, not beside it */
        TEST_OK(session_run(s, &err), err);
        assert_int_equal(test_gl_objects(), during);
        session_free(s);
        assert_int_equal(test_gl_objects(), before);
        delegate_close(d);
    }
    unload(&l);
}

/* Of a partition only the plan and the GL objects stay. */
static void compiling_leaves_the_plan_alone(void **state)
{
    struct loaded l = network();
    struct delegate *d = test_open_best();
    struct session *s = test_start(&l, d);
    uint32_t parts = 0;
    struct err err = {""};

    (void)state;
    for (uint32_t i = 0; i < s->plan.n_steps; i++) {
        const struct gpu_kernel *k = (const struct gpu_kernel *)s->plan.steps[i].kernel;

        if (!k)
            continue;
        assert_null(k->draft);
        TEST_OK(gl_plan_check(k->executable->plan, k->executable->plan->bytes, &err), err);
        TEST_OK(gl_plan_suits(k->executable->plan, s->graph, s->plan.steps[i].part, &err), err);
        parts++;
    }
    assert_int_equal(parts, 1);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* Shaders that cannot be written end compilation when buffers are not yet made. */
static void failed_compilations_leave_nothing_behind(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .dump_shaders = "/nonexistent/dir"});
    uint32_t before = test_gl_objects();
    struct loaded l = network();
    struct session_options o = {.delegates = {d}};
    struct session *s;
    struct err err = {""};

    (void)state;
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(session_prepare(s, &err), ST_IO);
        assert_int_equal(test_gl_objects(), before);
        assert_int_equal(session_run(s, &err), ST_USAGE);
    }
    session_free(s);
    delegate_close(d);
    unload(&l);
}

static void *free_session(void *s)
{
    session_free(s);
    return NULL;
}

/* The objects cannot be freed there; they go with the context, and nothing else is harmed. */
static void sessions_may_be_freed_on_another_thread(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = network();
    struct session *gone = test_start(&l, d), *stays = test_start(&l, d), *cpu = test_start(&l, NULL);
    pthread_t t;

    (void)state;
    assert_int_equal(pthread_create(&t, NULL, free_session, gone), 0);
    pthread_join(t, NULL);
    test_compare(stays, cpu, 0.5);
    session_free(stays);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

/* ---- turns ---- */

static void sessions_take_turns_on_one_device(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = network(), m = test_small_network();
    struct session *a = test_start(&l, d), *b = test_start(&m, d), *same = test_start(&l, d), *cpu_a = test_start(&l, NULL),
                   *cpu_b = test_start(&m, NULL);

    (void)state;
    assert_int_equal(session_partitioning(a)->n_cpu, 0);
    assert_int_equal(session_partitioning(b)->n_cpu, 0);
    for (int i = 0; i < 3; i++) {
        test_compare(a, cpu_a, i);
        test_compare(b, cpu_b, i);
        test_compare(same, cpu_a, i + 0.25);
    }
    session_free(a);
    test_compare(same, cpu_a, 7);
    test_compare(b, cpu_b, 7);
    session_free(same);
    a = test_start(&l, d);
    test_compare(b, cpu_b, 8);
    test_compare(a, cpu_a, 8);
    session_free(a);
    session_free(b);
    session_free(cpu_a);
    session_free(cpu_b);
    delegate_close(d);
    unload(&l);
    unload(&m);
}

/* Nodes whose result nobody reads, an input that nobody reads, and a partition of nothing else. */
static void unread_values_are_no_trouble(void **state)
{
    struct delegate *d = test_open_best();

    (void)state;
    for (int alone = 0; alone < 2; alone++) {
        struct session *gpu, *cpu;
        struct delegate_facts m;
        struct loaded l;
        struct builder b;
        int32_t x, y, unread, dead;

        builder_init(&b, "unread");
        x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(7));
        unread = build_tensor(&b, "unread", TYPE_FLOAT32, SHAPE(9));
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(7));
        dead = build_tensor(&b, "dead", TYPE_FLOAT32, SHAPE(7));
        build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(dead));
        if (!alone)
            build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(y));
        build_inputs(&b, INDICES(x, unread));
        build_outputs(&b, INDICES(alone ? x : y));
        l = load(&b);
        gpu = test_start(&l, d);
        cpu = test_start(&l, NULL);
        assert_int_equal(session_partitioning(gpu)->n_cpu, 0);
        test_compare(gpu, cpu, 0);
        test_compare(gpu, cpu, 1);
        session_facts(gpu, NULL, &m);
        assert_int_equal(fact_value(&m, "work.dispatches"), alone ? 0 : 3); /* x up, ABS, y down */
        session_free(gpu);
        session_free(cpu);
        unload(&l);
    }
    delegate_close(d);
}

/* Any number of elements goes up and comes down bit for bit, bytes four to a word. */
static void every_size_crosses_the_border(void **state)
{
    static const enum tensor_type types[] = {TYPE_FLOAT32, TYPE_INT32, TYPE_BOOL};
    static const int32_t sizes[] = {1, 2, 3, 4, 5, 7, 8, 17, 16389};
    struct delegate *d = test_open_best();
    uint64_t seed = 61;

    (void)state;
    for (size_t i = 0; i < 3 * sizeof sizes / sizeof *sizes; i++) {
        enum tensor_type type = types[i % 3];
        int32_t n = sizes[i / 3], x, y;
        struct tensor *in;
        struct session *s;
        struct loaded l;
        struct builder b;
        struct err err = {""};

        builder_init(&b, "reshape");
        x = build_tensor(&b, "x", type, SHAPE(n));
        y = build_tensor(&b, "y", type, SHAPE(n, 1));
        build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{n, 1}, 2}, INDICES(x), INDICES(y));
        build_inputs(&b, INDICES(x));
        build_outputs(&b, INDICES(y));
        l = load(&b);
        s = test_start(&l, d);
        assert_int_equal(session_partitioning(s)->n_cpu, 0);
        in = session_input(s, 0);
        for (int32_t k = 0; k < n; k++) {
            uint32_t bits = (uint32_t)test_random(&seed);

            if (type == TYPE_BOOL)
                ((uint8_t *)in->data)[k] = bits & 1;
            else
                ((uint32_t *)in->data)[k] = type == TYPE_INT32 ? bits : bits & 0xbfffffff; /* no NaN */
        }
        TEST_OK(session_run(s, &err), err);
        assert_memory_equal(session_output(s, 0)->data, in->data, in->bytes);
        session_free(s);
        unload(&l);
    }
    delegate_close(d);
}

/* ---- devices with less ---- */

/* Whatever a device lacks is found before the session is planned: what it cannot run stays on the CPU and everything compiles. */
static void check_smaller(const struct loaded *l, struct gl_limits most)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .most = &most});
    struct session *gpu = test_start(l, d), *cpu = test_start(l, NULL);
    const struct partitioning *p = session_partitioning(gpu);

    for (uint32_t i = 0; i < session_graph(gpu)->n_nodes; i++)
        if (p->part_of[i] < 0 && !session_graph(gpu)->nodes[i].folded)
            assert_int_equal(p->reasons[i].code, REASON_DEVICE_LIMIT);
    test_compare(gpu, cpu, 0);
    session_free(gpu);
    session_free(cpu);
    delegate_close(d);
}

static void smaller_devices_refuse_what_they_cannot_run(void **state)
{
    struct loaded l = network();
    struct gl_limits most = gl_limits_least;

    (void)state;
    check_smaller(&l, most);
    for (uint64_t bytes = 1 << 20; bytes >= 64; bytes /= 4) {
        most = gl_limits_least;
        most.storage_block_bytes = bytes;
        check_smaller(&l, most);
    }
    for (uint64_t more = 0; more <= 32; more += 16) { /* what holds the value need not hold a transfer of it */
        most = gl_limits_least;
        most.storage_block_bytes = (uint64_t)H * W * C * 4 + more;
        check_smaller(&l, most);
    }
    for (uint32_t groups = 256; groups >= 1; groups /= 4) {
        most = gl_limits_least;
        most.group_count[0] = most.group_count[1] = most.group_count[2] = groups;
        check_smaller(&l, most);
    }
    unload(&l);
}

/* ---- memory ---- */

/* Blocks of a mobile network at several resolutions: expand, depthwise, project, add. Values share memory about as well as can be.
 */
static void memory_is_near_the_least(void **state)
{
    struct delegate *d = test_open_best();
    struct delegate_facts m;
    struct session *s;
    struct loaded l;
    struct builder b;
    int32_t x, size = 32, c = 8;

    (void)state;
    builder_init(&b, "blocks");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, size, size, c));
    for (int block = 0; block < 6; block++) {
        struct opt_depthwise_conv_2d depthwise = test_depthwise_same;
        int32_t wide = build_tensor(&b, "wide", TYPE_FLOAT32, SHAPE(1, size, size, 4 * c)), y, filtered,
                next = block % 2 ? 2 * c : c;

        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(x, test_weights(&b, SHAPE(4 * c, 1, 1, c), 1), -1),
                 INDICES(wide));
        depthwise.stride_width = depthwise.stride_height = 1 + block % 2;
        size /= 1 + block % 2;
        filtered = build_tensor(&b, "filtered", TYPE_FLOAT32, SHAPE(1, size, size, 4 * c));
        build_op(&b, BUILTIN_DEPTHWISE_CONV_2D, 1, &depthwise, INDICES(wide, test_weights(&b, SHAPE(1, 3, 3, 4 * c), 2), -1),
                 INDICES(filtered));
        y = build_tensor(&b, "narrow", TYPE_FLOAT32, SHAPE(1, size, size, next));
        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same, INDICES(filtered, test_weights(&b, SHAPE(next, 1, 1, 4 * c), 3), -1),
                 INDICES(y));
        if (next == c) {
            int32_t sum = build_tensor(&b, "sum", TYPE_FLOAT32, SHAPE(1, size, size, c));

            build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, y), INDICES(sum));
            y = sum;
        }
        x = y;
        c = next;
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x));
    l = load(&b);
    s = test_start(&l, d);
    assert_int_equal(session_partitioning(s)->n_cpu, 0);
    session_facts(s, NULL, &m);
    if ((double)fact_value(&m, "memory.tensors") > 1.02 * (double)fact_value(&m, "memory.lower_bound"))
        fail_msg("%llu bytes, %llu at once", (unsigned long long)fact_value(&m, "memory.tensors"),
                 (unsigned long long)fact_value(&m, "memory.lower_bound"));
    assert_true(fact_value(&m, "memory.unshared") > 2 * fact_value(&m, "memory.tensors"));
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* Twelve partitions of the same work, kept apart by nodes of the CPU, and then a second session: three programs for all of them. */
static void equal_partitions_share_programs(void **state)
{
    struct delegate *d = test_open_best();
    uint32_t before = test_gl_objects();
    struct session *s, *again, *cpu;
    struct delegate_facts m;
    struct loaded l;
    struct builder b;
    int32_t x;

    (void)state;
    builder_init(&b, "equal partitions");
    x = test_image(&b, "x");
    for (uint64_t i = 0; i < 12; i++) {
        int32_t y = test_image(&b, "y"), angle = test_image(&b, "angle");

        build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(x, test_weights(&b, SHAPE(C), i)), INDICES(y));
        test_on_cpu(&b, y, angle);
        x = angle;
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x));
    l = load(&b);
    s = test_start(&l, d);
    cpu = test_start(&l, NULL);
    assert_int_equal(session_partitioning(s)->n_parts, 12);
    session_facts(s, NULL, &m);
    assert_int_equal(fact_value(&m, "work.dispatches"), 36);
    assert_int_equal(fact_value(&m, "work.programs"), 3); /* upload, multiplication, download */
    again = test_start(&l, d);
    session_facts(again, NULL, &m);
    assert_int_equal(fact_value(&m, "work.programs"), 0);
    test_compare(s, cpu, 0.5);
    session_free(s);
    test_compare(again, cpu, 1.5);
    session_free(again);
    assert_int_equal(test_gl_objects(), before);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions_leave_nothing_behind),
        cmocka_unit_test(compiling_leaves_the_plan_alone),
        cmocka_unit_test(failed_compilations_leave_nothing_behind),
        cmocka_unit_test(sessions_may_be_freed_on_another_thread),
        cmocka_unit_test(sessions_take_turns_on_one_device),
        cmocka_unit_test(unread_values_are_no_trouble),
        cmocka_unit_test(every_size_crosses_the_border),
        cmocka_unit_test(smaller_devices_refuse_what_they_cannot_run),
        cmocka_unit_test(memory_is_near_the_least),
        cmocka_unit_test(equal_partitions_share_programs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
