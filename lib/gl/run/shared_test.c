/* SPDX-License-Identifier: Apache-2.0 */
/* shared_test.c - all partitions and sessions of a delegate compute in the same memory, which grows under them. */
#include "lib/gl/run/shared.h"

#include <math.h>

#include "lib/gl/testing/test_session.h"

/* `parts` partitions on the GPU with a node of the CPU after each: |x| * w + y, y being the partition's input. */
static struct loaded alternating(uint32_t parts, int32_t h)
{
    struct builder b;
    int32_t x;

    builder_init(&b, "alternating");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, h, W, C));
    for (uint32_t i = 0; i < parts; i++) {
        int32_t t[4];

        for (int k = 0; k < 4; k++)
            t[k] = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(1, h, W, C));
        build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t[0]));
        build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(t[0]), INDICES(t[1]));
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[1], x), INDICES(t[2]));
        test_on_cpu(&b, t[2], t[3]);
        x = t[3];
    }
    build_inputs(&b, INDICES(0));
    build_outputs(&b, INDICES(x));
    return load(&b);
}

static void partitions_take_turns(void **state)
{
    struct delegate *d = test_open_best();
    uint32_t before = test_gl_objects();
    struct loaded l = alternating(1, H), many = alternating(12, H);
    struct session *one = test_start(&l, d), *s = test_start(&many, d), *cpu = test_start(&many, NULL);

    (void)state;
    assert_int_equal(session_partitioning(s)->n_parts, 12);
    assert_true(session_fact(one, "memory.tensors") > 0);
    assert_int_equal(session_fact(s, "memory.tensors"), session_fact(one, "memory.tensors"));
    assert_int_equal(session_fact(s, "memory.lower_bound"), session_fact(one, "memory.lower_bound"));
    assert_int_equal(session_fact(s, "memory.staging"), session_fact(one, "memory.staging"));
    assert_int_equal(session_fact(s, "memory.unshared"), 12 * session_fact(one, "memory.unshared"));
    for (int i = 0; i < 3; i++)
        test_compare(s, cpu, i);
    session_free(one);
    test_compare(s, cpu, 3);
    session_free(s);
    assert_int_equal(test_gl_objects(), before);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
    unload(&many);
}

/* Whatever shaders read through. */
static void later_sessions_enlarge(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};

    (void)state;
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects[o]});
        uint32_t before = test_gl_objects();
        struct loaded l[2] = {alternating(2, 3), alternating(2, 40)};
        struct session *small = test_start(&l[0], d), *cpu_small = test_start(&l[0], NULL), *cpu_large = test_start(&l[1], NULL),
                       *large;

        test_compare(small, cpu_small, 0);
        large = test_start(&l[1], d);
        test_compare(small, cpu_small, 1);
        test_compare(large, cpu_large, 2);
        test_compare(small, cpu_small, 3);
        session_free(large);
        test_compare(small, cpu_small, 4);
        session_free(small);
        assert_int_equal(test_gl_objects(), before);
        session_free(cpu_small);
        session_free(cpu_large);
        unload(&l[0]);
        unload(&l[1]);
        delegate_close(d);
    }
}

static void resize(struct session *s, int32_t h)
{
    struct err err = {""};

    TEST_OK(session_resize_input(s, 0, SHAPE(1, h, W, C), &err), err);
    TEST_OK(session_prepare(s, &err), err);
}

/* Beside another session, which keeps what is shared alive. */
static void enlarge(enum gpu_objects objects)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects});
    struct loaded l = alternating(2, H);
    struct session *s = test_start(&l, d), *other = test_start(&l, d), *cpu = test_start(&l, NULL),
                   *cpu_other = test_start(&l, NULL);
    uint32_t held = 0;

    test_compare(s, cpu, 0);
    for (int32_t h = 2 * H; h > 1; h -= 7) {
        resize(s, h);
        resize(cpu, h);
        test_compare(other, cpu_other, h);
        test_compare(s, cpu, h);
        held = held ? held : test_gl_stores();
        assert_int_equal(test_gl_stores(), held); /* no texture of an earlier shape */
    }
    session_free(s);
    session_free(other);
    session_free(cpu);
    session_free(cpu_other);
    delegate_close(d);
    unload(&l);
}

static void a_larger_input_enlarges(void **state)
{
    (void)state;
    enlarge(GPU_OBJECTS_FASTEST);
    enlarge(GPU_OBJECTS_TEXTURE);
}

/* s goes from the first partition to the second and, under another rank, from there to the third; a is read by the CPU too:
 *
 *   GPU: a = |x|, s = softmax(a)     CPU: b = f(a)
 *   GPU: t = s + b, r = s            CPU: c = f(t)
 *   GPU: y = r * c
 */
static struct loaded handing_on(bool also_an_output)
{
    struct builder b;
    int32_t x, a, s, from_cpu, t, r, c, y;

    builder_init(&b, "handing on");
    x = test_image(&b, "x");
    a = test_image(&b, "a");
    s = test_image(&b, "s");
    from_cpu = test_image(&b, "b");
    t = test_image(&b, "t");
    r = build_tensor(&b, "r", TYPE_FLOAT32, SHAPE(H, W, C));
    c = test_image(&b, "c");
    y = test_image(&b, "y");
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(a));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(a), INDICES(s));
    test_on_cpu(&b, a, from_cpu);
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(s, from_cpu), INDICES(t));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{H, W, C}, 3}, INDICES(s), INDICES(r));
    test_on_cpu(&b, t, c);
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(r, c), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, (int32_t[]){y, s}, also_an_output ? 2 : 1);
    return load(&b);
}

static void what_only_partitions_read_stays(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = handing_on(false);
    struct session *s = test_start(&l, d), *other = test_start(&l, d), *cpu = test_start(&l, NULL);

    (void)state;
    assert_int_equal(session_partitioning(s)->n_parts, 3);
    /* Three operations, up come x, b and c, down go a, t and y. */
    assert_int_equal(session_fact(s, "work.dispatches"), 4 + 3 + 3);
    for (int i = 0; i < 3; i++) {
        test_compare(s, cpu, i);
        test_compare(other, cpu, i + 0.5);
    }
    session_free(other);
    session_free(s);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

static void what_somebody_reads_does_not_stay(void **state)
{
    struct delegate *d = test_open_best();
    struct session_options watched = {.mode = CPU_REFERENCE, .delegates = {d}, .keep_intermediates = true};
    struct loaded l = handing_on(true), hidden = handing_on(false);
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL), *w, *cpu_w;
    struct err err = {""};

    (void)state;
    test_compare(s, cpu, 0); /* s is an output */
    TEST_OK(session_new(hidden.model, &watched, &w, &err), err);
    TEST_OK(session_prepare(w, &err), err);
    watched.delegates[0] = NULL;
    TEST_OK(session_new(hidden.model, &watched, &cpu_w, &err), err);
    TEST_OK(session_prepare(cpu_w, &err), err);
    test_compare(w, cpu_w, 1);
    for (uint32_t i = 0; i < session_graph(w)->n_tensors; i++) {
        const struct tensor *a = &session_graph(cpu_w)->tensors[i], *b = &session_graph(w)->tensors[i];

        for (size_t k = 0; k < tensor_elems(a); k++)
            assert_true(fabsf(((float *)a->data)[k] - ((float *)b->data)[k]) < 1e-5f);
    }
    session_free(s);
    session_free(w);
    session_free(cpu);
    session_free(cpu_w);
    delegate_close(d);
    unload(&l);
    unload(&hidden);
}

/* s is a texture in the first partition and a buffer in the second, where r lies in it:
 *
 *   GPU: a = |x|, s = softmax(a)     CPU: b = f(a)
 *   GPU: t = s + b, q = softmax(2 r), where r is s in another shape
 */
static struct loaded seen_otherwise(void)
{
    struct builder b;
    int32_t v[7];

    builder_init(&b, "seen otherwise");
    for (int i = 0; i < 5; i++)
        v[i] = build_tensor(&b, (const char *[]){"x", "a", "s", "b", "t"}[i], TYPE_FLOAT32, SHAPE(1, 1, H * W, C));
    v[5] = test_image(&b, "r");
    v[6] = test_image(&b, "q");
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(v[0]), INDICES(v[1]));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){1}, INDICES(v[1]), INDICES(v[2]));
    test_on_cpu(&b, v[1], v[3]);
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(v[2], v[3]), INDICES(v[4]));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{1, H, W, C}, 4}, INDICES(v[2]), INDICES(v[5]));
    build_op(&b, BUILTIN_SOFTMAX, 1, &(struct opt_softmax){2}, INDICES(v[5]), INDICES(v[6]));
    build_inputs(&b, INDICES(v[0]));
    build_outputs(&b, INDICES(v[4], v[6]));
    return load(&b);
}

static void what_is_stored_otherwise_does_not_stay(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = GPU_OBJECTS_TEXTURE});
    struct delegate *buffers = test_open_gpu((struct gpu_options){.device = -1, .objects = GPU_OBJECTS_BUFFER});
    struct loaded l = seen_otherwise();
    struct session *in_buffers = test_start(&l, buffers), *s = test_start(&l, d), *cpu = test_start(&l, NULL);

    (void)state;
    assert_int_equal(session_partitioning(s)->n_parts, 2);
    /* Four operations, one of which moves nothing; up come x and b, down go a, t and q; and s. */
    assert_int_equal(session_fact(in_buffers, "work.dispatches"), 4 + 2 + 3);
    assert_int_equal(session_fact(s, "work.dispatches"), 4 + 3 + 4);
    for (int i = 0; i < 3; i++) {
        test_compare(s, cpu, i);
        test_compare(in_buffers, cpu, i + 0.5);
    }
    session_free(in_buffers);
    session_free(s);
    session_free(cpu);
    delegate_close(buffers);
    delegate_close(d);
    unload(&l);
}

/* A mapped byte, written and read back. */
static void check_usable(GLuint buffer, uint64_t at)
{
    unsigned char *map;

    glBindBuffer(GL_SHADER_STORAGE_BUFFER, buffer);
    assert_non_null(map = glMapBufferRange(GL_SHADER_STORAGE_BUFFER, (GLintptr)at, 1, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT));
    *map = 42;
    assert_int_equal(*map, 42);
    assert_true(glUnmapBuffer(GL_SHADER_STORAGE_BUFFER));
}

static void what_does_not_fit_leaves_the_others_alone(void **state)
{
    struct gl_context *c = test_open_context();
    uint32_t before = test_gl_objects();
    struct gl_shared s = {0};
    struct err err = {""};

    (void)state;
    assert_int_equal(gl_shared_join(&s, c, (uint64_t[GL_SHARED_KINDS]){100, UINT64_MAX / 2 + 1}, &err), ST_NOMEM);
    assert_int_equal(s.users, 0);
    assert_int_equal(test_gl_objects(), before);
    TEST_OK(gl_shared_join(&s, c, (uint64_t[GL_SHARED_KINDS]){100, 0}, &err), err);
    assert_int_equal(gl_shared_join(&s, c, (uint64_t[GL_SHARED_KINDS]){UINT64_MAX / 2 + 1, 10}, &err), ST_NOMEM);
    assert_int_equal(s.users, 1);
    check_usable(s.buffer[GL_SHARED_VALUES], 99);
    TEST_OK(gl_shared_join(&s, c, (uint64_t[GL_SHARED_KINDS]){50, 1000}, &err), err);
    check_usable(s.buffer[GL_SHARED_VALUES], 99);
    check_usable(s.buffer[GL_SHARED_STAGING], 999);
    gl_shared_leave(&s);
    check_usable(s.buffer[GL_SHARED_STAGING], 999);
    gl_shared_leave(&s);
    assert_int_equal(test_gl_objects(), before);
    gl_context_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions_take_turns),
        cmocka_unit_test(later_sessions_enlarge),
        cmocka_unit_test(a_larger_input_enlarges),
        cmocka_unit_test(what_only_partitions_read_stays),
        cmocka_unit_test(what_somebody_reads_does_not_stay),
        cmocka_unit_test(what_is_stored_otherwise_does_not_stay),
        cmocka_unit_test(what_does_not_fit_leaves_the_others_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
