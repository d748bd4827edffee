/* SPDX-License-Identifier: Apache-2.0 */
/* resident_tensors_test.c - variables stay on the GPU between runs, each session's its own, until they are reset. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/gl/testing/test_session.h"

enum { BATCH = 2, WIDTH = 5, CELLS = 7 };

static int32_t add_state(struct builder *b, const char *name)
{
    int32_t t = build_tensor(b, name, TYPE_FLOAT32, SHAPE(BATCH, CELLS));

    build_at(b, t)->is_variable = true;
    return t;
}

/* y = the activation of an LSTM cell after x, which is that wide; h and c are its states. */
static void add_lstm(struct builder *b, int32_t x, int32_t width, int32_t h, int32_t c, int32_t y)
{
    int32_t in[20];

    for (int i = 0; i < 20; i++)
        in[i] = -1;
    in[0] = x;
    for (uint64_t k = 0; k < 4; k++) {
        in[1 + k] = test_weights(b, SHAPE(CELLS, width), 20 + k);
        in[5 + k] = test_weights(b, SHAPE(CELLS, CELLS), 30 + k);
        in[12 + k] = test_weights(b, SHAPE(CELLS), 40 + k);
    }
    in[18] = h;
    in[19] = c;
    build_op(b, BUILTIN_LSTM, 1, &(struct opt_lstm){.activation = ACT_TANH}, in, 20, INDICES(y));
}

static struct loaded one_cell(void)
{
    struct builder b;
    int32_t x, y;

    builder_init(&b, "a cell");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(BATCH, WIDTH));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(BATCH, CELLS));
    add_lstm(&b, x, WIDTH, add_state(&b, "h"), add_state(&b, "c"), y);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

/* Whether anything but zeros is in the session's variables, as the host has them. */
static bool host_has_state(const struct session *s)
{
    const struct graph *g = session_graph(s);

    for (uint32_t i = 0; i < g->n_tensors; i++)
        for (size_t k = 0; g->tensors[i].is_variable && k < tensor_elems(&g->tensors[i]); k++)
            if (((const float *)g->tensors[i].data)[k] != 0)
                return true;
    return false;
}

static void reset(struct session *a, struct session *b)
{
    session_reset_variables(a);
    session_reset_variables(b);
}

static void variables_stay_until_they_are_reset(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};

    (void)state;
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects[o]});
        uint32_t before = test_gl_objects();
        struct loaded l = one_cell();
        struct session *s = test_start(&l, d), *other = test_start(&l, d), *cpu = test_start(&l, NULL),
                       *cpu_other = test_start(&l, NULL);

        assert_int_equal(session_partitioning(s)->n_delegated, 1);
        for (int i = 0; i < 3; i++) {
            test_compare(s, cpu, i);
            test_compare(other, cpu_other, i + 10);
        }
        assert_false(host_has_state(s));
        assert_true(host_has_state(cpu));
        reset(s, cpu);
        for (int i = 0; i < 2; i++) {
            test_compare(s, cpu, i);
            test_compare(other, cpu_other, i + 20);
        }
        session_free(s);
        session_free(other);
        assert_int_equal(test_gl_objects(), before);
        session_free(cpu);
        session_free(cpu_other);
        unload(&l);
        delegate_close(d);
    }
}

static void profiling_is_a_run_like_others(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = one_cell();
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    const struct profile_row *rows;
    struct err err = {""};
    size_t n;

    (void)state;
    test_compare(s, cpu, 0);
    test_fill(s, 1);
    test_fill(cpu, 1);
    TEST_OK(session_run(cpu, &err), err);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    test_compare(s, cpu, 2);
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

/* Who wants to see every tensor sees these, too. */
static void watched_variables_are_seen(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = one_cell();
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}, .keep_intermediates = true};
    struct session *s, *cpu = test_start(&l, NULL);
    struct err err = {""};

    (void)state;
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    for (int i = 0; i < 3; i++) {
        test_compare(s, cpu, i);
        for (uint32_t t = 0; t < session_graph(s)->n_tensors; t++) {
            const struct tensor *a = &session_graph(s)->tensors[t], *b = &session_graph(cpu)->tensors[t];

            for (size_t k = 0; a->is_variable && k < tensor_elems(a); k++)
                assert_float_equal(((const float *)a->data)[k], ((const float *)b->data)[k], 1e-5);
        }
    }
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

/* A profile goes on from what was submitted and not yet waited for. */
static void a_profile_follows_what_was_submitted(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = one_cell();

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct session_options o = {.delegates = {d}, .keep_intermediates = watched};
        struct session *s, *cpu = test_start(&l, NULL);
        const struct profile_row *rows;
        struct err err = {""};
        size_t n;

        TEST_OK(session_new(l.model, &o, &s, &err), err);
        TEST_OK(session_prepare(s, &err), err);
        test_fill(cpu, 3);
        TEST_OK(session_run(cpu, &err), err);
        TEST_OK(session_run(cpu, &err), err);
        test_fill(s, 3);
        TEST_OK(session_submit(s, &err), err);
        TEST_OK(session_profile(s, &rows, &n, &err), err);
        for (size_t i = 0; i < BATCH * CELLS; i++)
            assert_float_equal(((const float *)session_output(s, 0)->data)[i], ((const float *)session_output(cpu, 0)->data)[i],
                               1e-5);
        session_free(s);
        session_free(cpu);
    }
    unload(&l);
    delegate_close(d);
}

/* What was submitted before a reset leaves no state, whenever it ends. */
static void a_reset_outlives_what_was_submitted(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = one_cell();

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct session_options o = {.delegates = {d}, .keep_intermediates = watched};
        struct session *s, *cpu = test_start(&l, NULL);
        struct err err = {""};

        TEST_OK(session_new(l.model, &o, &s, &err), err);
        TEST_OK(session_prepare(s, &err), err);
        for (int waits = 0; waits < 2; waits++) {
            test_fill(s, 3);
            TEST_OK(session_submit(s, &err), err);
            reset(s, cpu);
            if (waits)
                TEST_OK(session_wait(s, &err), err);
            test_compare(s, cpu, 1);
            test_compare(s, cpu, 2);
        }
        session_free(s);
        session_free(cpu);
    }
    unload(&l);
    delegate_close(d);
}

/* Where variables come back to host memory for the next run, its outputs would come with them before they are asked for. */
static void each_run_has_the_state_of_the_last(void **state)
{
    static const struct gl_policy by_dispatches = {.timer = true};
    struct loaded l = one_cell();

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .policy = &by_dispatches, .wait = GPU_WAIT_NONE});
        struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}, .keep_intermediates = watched};
        struct session *s, *cpu = test_start(&l, NULL);
        struct err err = {""};

        TEST_OK(session_new(l.model, &o, &s, &err), err);
        TEST_OK(session_prepare(s, &err), err);
        assert_int_equal(session_ahead(s), !watched);
        for (int i = 0; i < 5; i++) {
            test_fill(s, i);
            TEST_OK(session_submit(s, &err), err);
            if (i < !watched)
                continue;
            TEST_OK(session_fetch(s, &err), err);
            test_fill(cpu, i - !watched);
            TEST_OK(session_run(cpu, &err), err);
            for (size_t k = 0; k < BATCH * CELLS; k++)
                assert_true(fabsf(((const float *)session_output(s, 0)->data)[k] -
                                  ((const float *)session_output(cpu, 0)->data)[k]) < 1e-5f);
        }
        session_free(cpu);
        session_free(s);
        delegate_close(d);
    }
    unload(&l);
}

/* Two cells with the same states: y0 = LSTM(x), m = f(y0), y1 = LSTM(m). */
static void share_variables(uint32_t parts)
{
    struct delegate *d = test_open_best();
    struct session *s, *cpu;
    struct builder b;
    struct loaded l;
    int32_t x, m, y[2], h, c;

    builder_init(&b, "two cells");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(BATCH, WIDTH));
    m = build_tensor(&b, "m", TYPE_FLOAT32, SHAPE(BATCH, CELLS));
    for (int i = 0; i < 2; i++)
        y[i] = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(BATCH, CELLS));
    h = add_state(&b, "h");
    c = add_state(&b, "c");
    add_lstm(&b, x, WIDTH, h, c, y[0]);
    if (parts == 1) {
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(y[0], y[0]), INDICES(m));
    } else {
        const int32_t of_image[] = {1, 1, BATCH, CELLS}, of_cells[] = {BATCH, CELLS};
        int32_t image[2];

        for (int i = 0; i < 2; i++)
            image[i] = build_tensor(&b, "image", TYPE_FLOAT32, SHAPE(1, 1, BATCH, CELLS));
        build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(y[0], build_const(&b, "of_image", TYPE_INT32, SHAPE(4), of_image)),
                 INDICES(image[0]));
        test_on_cpu(&b, image[0], image[1]);
        build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(image[1], build_const(&b, "of_cells", TYPE_INT32, SHAPE(2), of_cells)),
                 INDICES(m));
    }
    add_lstm(&b, m, CELLS, h, c, y[1]);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y[0], y[1]));
    l = load(&b);
    s = test_start(&l, d);
    cpu = test_start(&l, NULL);
    assert_int_equal(session_partitioning(s)->n_parts, parts);
    for (int i = 0; i < 3; i++)
        test_compare(s, cpu, i);
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

/* Within a partition they stay; between two, which the CPU parts, they go by way of the host. */
static void cells_may_share_variables(void **state)
{
    (void)state;
    share_variables(1);
    share_variables(2);
}

/* A start from what was stored begins with nothing, and keeps what it then makes. */
static void a_stored_start_keeps_variables(void **state)
{
    char dir[] = "/tmp/delegauge-staying-XXXXXX", command[64];
    struct loaded l = one_cell();

    (void)state;
    assert_non_null(mkdtemp(dir));
    for (int start = 0; start < 2; start++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .serialize_dir = dir, .serialize_token = "cell"});
        struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);

        for (int i = 0; i < 3; i++)
            test_compare(s, cpu, i);
        assert_false(host_has_state(s));
        session_free(s);
        session_free(cpu);
        delegate_close(d);
    }
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    unload(&l);
}

/* The same inference again and again is one step of the model. */
static void loops_are_one_step(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .loop_times = 3});
    struct loaded l = one_cell();
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);

    (void)state;
    for (int i = 0; i < 3; i++)
        test_compare(s, cpu, i);
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(d);
}

/* a = conv(x) and u = conv(x) by way of the CPU, y = a * u: two partitions, of which the second takes what the first makes of a.
 * And so many convolutions of y, for which a's memory is free. */
static struct loaded two_partitions(int32_t behind)
{
    struct builder b;
    int32_t x, t[4];

    builder_init(&b, "parts");
    x = test_image(&b, "x");
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < 4; i++)
        t[i] = test_image(&b, "t");
    for (uint64_t i = 0; i < 2; i++)
        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
                 INDICES(x, test_weights(&b, SHAPE(C, 3, 3, C), i), test_weights(&b, SHAPE(C), i + 2)), INDICES(t[i]));
    test_on_cpu(&b, t[1], t[2]);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t[0], t[2]), INDICES(t[3]));
    for (int32_t i = 0; i < behind; i++) {
        const int32_t y = test_image(&b, "y");

        build_op(&b, BUILTIN_CONV_2D, 1, &test_conv_same,
                 INDICES(t[3], test_weights(&b, SHAPE(C, 3, 3, C), 5), test_weights(&b, SHAPE(C), 6)), INDICES(y));
        t[3] = y;
    }
    build_outputs(&b, INDICES(t[3]));
    return load(&b);
}

/* Whatever the rules have what is read there be stored in. */
static void what_another_partition_takes_stays(void **state)
{
    static const struct gl_policy policies[] = {{.iterations = GL_FEW_ITERATIONS},
                                                {.iterations = GL_FEW_ITERATIONS, .textures = true}};
    struct loaded l = two_partitions(0);

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct gpu_options o = {.device = -1, .policy = &policies[i]};

        assert_int_equal(test_dispatches(&l, o, "download"), 2);
        assert_int_equal(test_dispatches(&l, o, "upload"), 2);
    }
    unload(&l);
}

/* Dispatches that come again find what was handed over. */
static void loops_keep_what_is_handed_over(void **state)
{
    struct loaded l = two_partitions(4);
    struct session *cpu = test_start(&l, NULL);

    (void)state;
    for (int i = 0; i < 2; i++) {
        const enum gpu_objects objects = i ? GPU_OBJECTS_TEXTURE : GPU_OBJECTS_BUFFER;
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .loop_times = 3, .objects = objects});
        struct session *s = test_start(&l, d);

        test_compare(s, cpu, i);
        session_free(s);
        delegate_close(d);
    }
    session_free(cpu);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_another_partition_takes_stays),   cmocka_unit_test(variables_stay_until_they_are_reset),
        cmocka_unit_test(profiling_is_a_run_like_others),       cmocka_unit_test(watched_variables_are_seen),
        cmocka_unit_test(each_run_has_the_state_of_the_last),   cmocka_unit_test(cells_may_share_variables),
        cmocka_unit_test(a_stored_start_keeps_variables),       cmocka_unit_test(loops_are_one_step),
        cmocka_unit_test(loops_keep_what_is_handed_over),       cmocka_unit_test(a_reset_outlives_what_was_submitted),
        cmocka_unit_test(a_profile_follows_what_was_submitted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
