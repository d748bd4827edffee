/* SPDX-License-Identifier: Apache-2.0 */
/* external_buffers_test.c - inputs and outputs in buffers of the caller's: converted, or bound as they are; and what is no such
 * buffer. */
#include "lib/gl/testing/test_session.h"

#include <math.h>

#include "lib/gl/device/context.h"
#include "lib/gl/gpu/gpu.h"
#include "lib/session/session_impl.h"

enum { ROWS = 6, COLUMNS = 5, BATCH = 2, MOST = BATCH * ROWS * COLUMNS * 8 };

static const struct delegate_ops *ops(struct delegate *d)
{
    return d->ops;
}

/* y = |x| * 3; `c` channels. */
static struct loaded scaled(int32_t c)
{
    struct builder b;
    int32_t x, t, y;

    builder_init(&b, "scaled");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, c));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, c));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, c));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){3})), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct delegate_buffer new_buffer(struct delegate *d, uint64_t offset, uint64_t bytes, enum delegate_layout layout)
{
    struct delegate_buffer b = {.offset = offset, .bytes = bytes, .layout = layout};
    struct err err = {""};

    TEST_OK(ops(d)->buffer_new(d, offset + bytes, &b.id, &err), err);
    return b;
}

/* The element of a tensor that element i of the buffer is; -1: none, in slices. */
static int64_t element(int64_t i, int64_t c, enum delegate_layout layout)
{
    const int64_t slices = (c + 3) / 4, pixels = ROWS * COLUMNS, at = i / 4;
    const int64_t channel = at / pixels % slices * 4 + i % 4, pixel = at / (pixels * slices) * pixels + at % pixels;

    if (layout == DELEGATE_DENSE)
        return i;
    return channel < c ? pixel * c + channel : -1;
}

static size_t elements(int64_t c, enum delegate_layout layout)
{
    return (size_t)(BATCH * ROWS * COLUMNS * (layout == DELEGATE_DENSE ? c : (c + 3) / 4 * 4));
}

static double value(int64_t i, double phase)
{
    return i < 0 ? 0 : sin((double)i + phase);
}

static void fill(struct delegate *d, const struct delegate_buffer *b, int64_t c, double phase)
{
    const size_t n = elements(c, b->layout), before = (size_t)b->offset / 4;
    float f[1024 + MOST];
    struct err err = {""};

    assert_true(before + n <= sizeof f / sizeof *f);
    for (size_t i = 0; i < before + n; i++)
        f[i] = i < before ? 77 : (float)value(element((int64_t)(i - before), c, b->layout), phase);
    TEST_OK(ops(d)->buffer_write(d, b->id, f, 4 * (before + n), &err), err);
}

/* What lies before the range is as it was. */
static void holds(struct delegate *d, const struct delegate_buffer *b, int64_t c, double phase)
{
    const size_t n = elements(c, b->layout), before = (size_t)b->offset / 4;
    float f[1024 + MOST];
    struct err err = {""};

    TEST_OK(ops(d)->buffer_read(d, b->id, f, 4 * (before + n), &err), err);
    for (size_t i = 0; i < before; i++)
        assert_true(f[i] == 77);
    for (size_t i = 0; i < n; i++) {
        const int64_t e = element((int64_t)i, c, b->layout);
        const double want = 3 * fabs(value(e, phase));

        if (e >= 0 && !(fabs((double)f[before + i] - want) <= 1e-5))
            fail_msg("at %zu of %lld channels: %g, not %g", i, (long long)c, (double)f[before + i], want);
    }
}

static enum delegate_way way_of(const struct session *s, uint32_t i, bool output)
{
    struct delegate_crossing c;

    assert_true(session_crossing(s, i, &c));
    assert_int_equal(c.output, output);
    assert_string_equal(c.tensor->name, output ? "y" : "x");
    return c.way;
}

/* Binds both, runs three times with other content and once with other buffers, and goes back to host memory. */
static void run_in_buffers(struct delegate *d, int32_t c, enum delegate_layout layout, uint64_t offset, enum delegate_way way)
{
    struct loaded l = scaled(c);
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    const uint64_t bytes = 4 * elements(c, layout);
    struct delegate_buffer x = new_buffer(d, offset, bytes, layout), y = new_buffer(d, offset, bytes, layout),
                           z = new_buffer(d, 0, bytes, layout);
    const uint32_t objects = test_gl_objects();
    const struct profile_row *rows;
    struct delegate_facts before, after;
    struct err err = {""};
    size_t n, n_host;

    session_facts(s, NULL, &before);
    fill(d, &y, c, 0);
    test_fill(s, 9);
    TEST_OK(session_profile(s, &rows, &n_host, &err), err);
    TEST_OK(session_bind_input(s, 0, &x, &err), err);
    TEST_OK(session_bind_output(s, 0, &y, &err), err);
    assert_int_equal(way_of(s, 0, false), way);
    assert_int_equal(way_of(s, 1, true), way);
    memset((void *)session_output(s, 0)->data, 0x5a, 4);
    for (int i = 0; i < 3; i++) {
        fill(d, &x, c, i);
        TEST_OK(i == 1 ? session_profile(s, &rows, &n, &err) : session_run(s, &err), err);
        holds(d, &y, c, i);
        assert_true(i != 1 || n == n_host - (way == DELEGATE_DIRECT ? 2 : 0));
    }
    TEST_OK(session_bind_output(s, 0, &z, &err), err);
    fill(d, &x, c, 3);
    TEST_OK(session_run(s, &err), err);
    holds(d, &z, c, 3);
    holds(d, &y, c, 2);
    assert_int_equal(*(const uint8_t *)session_output(s, 0)->data, 0x5a); /* nothing was read */
    TEST_OK(session_bind_input(s, 0, NULL, &err), err);
    test_fill(s, 5);
    TEST_OK(session_run(s, &err), err);
    holds(d, &z, c, 5);
    TEST_OK(session_bind_output(s, 0, NULL, &err), err);
    test_compare(s, cpu, 7);
    assert_int_equal(way_of(s, 1, true), DELEGATE_BY_HOST);
    session_facts(s, NULL, &after);
    assert_int_equal(fact_value(&after, "start.programs_compiled"), fact_value(&before, "start.programs_compiled"));
    assert_int_equal(test_gl_objects(), objects);
    session_free(s);
    session_free(cpu);
    ops(d)->buffer_free(d, x.id);
    ops(d)->buffer_free(d, y.id);
    ops(d)->buffer_free(d, z.id);
    unload(&l);
}

static void buffers_take_the_place_of_host_memory(void **state)
{
    static const enum gpu_objects objects[] = {GPU_OBJECTS_BUFFER, GPU_OBJECTS_FASTEST, GPU_OBJECTS_TEXTURE};
    uint64_t align;

    (void)state;
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++) {
        struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = objects[o]});
        const enum delegate_way direct = objects[o] == GPU_OBJECTS_TEXTURE ? DELEGATE_CONVERTED : DELEGATE_DIRECT;

        align = gpu_context(d)->limits.storage_align;
        run_in_buffers(d, 4, DELEGATE_DENSE, 0, direct);
        run_in_buffers(d, 4, DELEGATE_DENSE, align, direct);
        run_in_buffers(d, 3, DELEGATE_DENSE, align, DELEGATE_CONVERTED);
        run_in_buffers(d, 8, DELEGATE_DENSE, 0, DELEGATE_CONVERTED);
        if (direct == DELEGATE_DIRECT)
            run_in_buffers(d, 7, DELEGATE_SLICES, align, DELEGATE_DIRECT);
        delegate_close(d);
    }
}

/* What shaders read is in textures, which no buffer replaces; what none reads a buffer may be. */
static void an_output_that_is_not_read_is_no_texture(void **state)
{
    static const struct gl_policy textures = {.textures = true, .iterations = GL_FEW_ITERATIONS};
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .policy = &textures});
    struct loaded l = scaled(4);
    struct session *s = test_start(&l, d);
    const uint64_t bytes = 4 * elements(4, DELEGATE_DENSE);
    struct delegate_buffer x = new_buffer(d, 0, bytes, DELEGATE_DENSE), y = new_buffer(d, 0, bytes, DELEGATE_DENSE);
    struct err err = {""};

    (void)state;
    fill(d, &x, 4, 1);
    TEST_OK(session_bind_input(s, 0, &x, &err), err);
    TEST_OK(session_bind_output(s, 0, &y, &err), err);
    assert_int_equal(way_of(s, 0, false), DELEGATE_CONVERTED);
    assert_int_equal(way_of(s, 1, true), DELEGATE_DIRECT);
    TEST_OK(session_run(s, &err), err);
    holds(d, &y, 4, 1);
    session_free(s);
    ops(d)->buffer_free(d, x.id);
    ops(d)->buffer_free(d, y.id);
    delegate_close(d);
    unload(&l);
}

/* t = |x| and y = t * 3 side by side, y again as z, and x joined with itself: x lies within something else. */
static struct loaded branches(void)
{
    struct builder b;
    int32_t x, t, y, z, j;

    builder_init(&b, "branches");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    t = build_tensor(&b, "t", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(BATCH, ROWS * COLUMNS, 1, 4));
    j = build_tensor(&b, "j", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 8));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(t));
    build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(t, build_const(&b, "c", TYPE_FLOAT32, SHAPE(1), (float[]){3})), INDICES(y));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL,
             INDICES(y, build_const(&b, "s", TYPE_INT32, SHAPE(4), (int32_t[]){BATCH, ROWS * COLUMNS, 1, 4})), INDICES(z));
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 3}, INDICES(t, x), INDICES(j));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, t, z, j));
    return load(&b);
}

/* What is bound and what is not, in each combination, against the CPU. */
static void outputs_are_each_their_own(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = branches();
    struct session *s = test_start(&l, d), *cpu = test_start(&l, NULL);
    const struct delegate_buffer x = new_buffer(d, 0, 4 * elements(4, DELEGATE_DENSE), DELEGATE_DENSE);
    struct delegate_buffer out[4];
    struct err err = {""};

    (void)state;
    assert_int_equal(session_partitioning(s)->n_cpu, 0);
    for (uint32_t o = 0; o < 4; o++)
        out[o] = new_buffer(d, 0, session_output(s, o)->bytes, DELEGATE_DENSE);
    for (uint32_t set = 0; set < 16; set++) {
        TEST_OK(session_bind_input(s, 0, set % 3 ? &x : NULL, &err), err);
        test_fill(cpu, set);
        test_fill(s, set);
        TEST_OK(ops(d)->buffer_write(d, x.id, session_input(cpu, 0)->data, x.bytes, &err), err);
        TEST_OK(session_run(cpu, &err), err);
        for (uint32_t o = 0; o < 4; o++) {
            TEST_OK(session_bind_output(s, o, set >> o & 1 ? &out[o] : NULL, &err), err);
            memset((void *)session_output(s, o)->data, 0x5a, session_output(s, o)->bytes);
        }
        TEST_OK(session_run(s, &err), err);
        for (uint32_t o = 0; o < 4; o++) {
            float *data = session_output(s, o)->data;
            const float *want = session_output(cpu, o)->data;

            assert_int_equal(*(const uint32_t *)session_output(s, o)->data == 0x5a5a5a5a, set >> o & 1);
            if (set >> o & 1)
                TEST_OK(ops(d)->buffer_read(d, out[o].id, data, out[o].bytes, &err), err);
            for (size_t i = 0; i < out[o].bytes / 4; i++)
                if (!(fabs((double)data[i] - (double)want[i]) <= 1e-5))
                    fail_msg("set %u, output %u at %zu: %g, not %g", set, o, i, (double)data[i], (double)want[i]);
        }
    }
    session_free(s);
    session_free(cpu);
    for (uint32_t o = 0; o < 4; o++)
        ops(d)->buffer_free(d, out[o].id);
    ops(d)->buffer_free(d, x.id);
    delegate_close(d);
    unload(&l);
}

static void what_is_no_such_buffer_is_told(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .objects = GPU_OBJECTS_TEXTURE});
    struct loaded l = scaled(3);
    struct session *s = test_start(&l, d);
    const uint64_t bytes = 4 * elements(3, DELEGATE_DENSE);
    const struct delegate_buffer good = new_buffer(d, 0, bytes, DELEGATE_DENSE);
    struct delegate_buffer b = good;
    struct err err = {""};

    (void)state;
    b.id = 0;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    assert_string_equal(err.msg, "'x': 0 is no GL buffer of the delegate's context");
    b.id = 4711;
    TEST_OK(session_bind_output(s, 0, &good, &err), err);
    assert_int_not_equal(way_of(s, 1, true), DELEGATE_BY_HOST);
    assert_int_equal(session_bind_output(s, 0, &b, &err), ST_USAGE);
    assert_string_equal(err.msg, "'y': 4711 is no GL buffer of the delegate's context");
    assert_int_equal(way_of(s, 1, true), DELEGATE_BY_HOST); /* nor what was there before */
    b = good;
    b.bytes = bytes + 1;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "721 bytes from 0 on, and buffer "));
    assert_non_null(strstr(err.msg, " has 720"));
    b.bytes = bytes - 4;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "takes 720 bytes, the range of buffer "));
    b = good;
    b.offset = 2;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    assert_non_null(strstr(err.msg, "offset 2 in buffer "));
    b.offset = UINT64_MAX - 255;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    b = good;
    b.layout = DELEGATE_SLICES;
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, "is not kept in a buffer of 32-bit slices"));
    assert_int_equal(session_bind_input(s, 1, &good, &err), ST_USAGE);
    assert_int_equal(session_bind_output(s, 1, &good, &err), ST_USAGE);
    assert_int_equal(way_of(s, 0, false), DELEGATE_BY_HOST);
    session_free(s);
    ops(d)->buffer_free(d, good.id);
    delegate_close(d);
    unload(&l);
}

/* The CPU computes one of the two nodes, and has no way to the buffer. */
static void what_the_cpu_needs_stays_in_host_memory(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = scaled(4);
    struct session_options o = {.delegates = {d}, .partition = {.end_node = 1}};
    const struct delegate_buffer b = new_buffer(d, 0, 4 * elements(4, DELEGATE_DENSE), DELEGATE_DENSE);
    struct session *s;
    struct err err = {""};

    (void)state;
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_USAGE);
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_bind_input(s, 0, &b, &err), err);
    assert_int_equal(session_bind_output(s, 0, &b, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "output 0 'y' is made by node 1 MUL on the CPU");
    session_free(s);
    o.partition.first_node = 1;
    o.partition.end_node = 0;
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "input 0 'x' is read by node 0 ABS on the CPU");
    TEST_OK(session_bind_output(s, 0, &b, &err), err);
    session_free(s);
    s = test_start(&l, NULL);
    assert_int_equal(session_bind_input(s, 0, &b, &err), ST_UNSUPPORTED);
    session_free(s);
    ops(d)->buffer_free(d, b.id);
    delegate_close(d);
    unload(&l);
}

/* An output that is the input again: as buffers they are two. */
static void an_input_may_be_an_output_again(void **state)
{
    struct delegate *d = test_open_best();
    const uint64_t bytes = 4 * elements(4, DELEGATE_DENSE);
    const struct delegate_buffer x = new_buffer(d, 0, bytes, DELEGATE_DENSE), same = new_buffer(d, 0, bytes, DELEGATE_DENSE);
    float in[MOST], out[MOST];
    struct err err = {""};
    struct builder b;
    struct session *s;
    struct loaded l;
    int32_t from, y, again;

    (void)state;
    builder_init(&b, "again");
    from = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    again = build_tensor(&b, "again", TYPE_FLOAT32, SHAPE(BATCH, ROWS, COLUMNS, 4));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(from), INDICES(y));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL,
             INDICES(from, build_const(&b, "s", TYPE_INT32, SHAPE(4), (int32_t[]){BATCH, ROWS, COLUMNS, 4})), INDICES(again));
    build_inputs(&b, INDICES(from));
    build_outputs(&b, INDICES(y, again));
    l = load(&b);
    s = test_start(&l, d);
    assert_int_equal(session_partitioning(s)->n_cpu, 0);
    for (size_t i = 0; i < bytes / 4; i++)
        in[i] = (float)value((int64_t)i, 1);
    TEST_OK(ops(d)->buffer_write(d, x.id, in, bytes, &err), err);
    TEST_OK(session_bind_input(s, 0, &x, &err), err);
    TEST_OK(session_bind_output(s, 1, &same, &err), err);
    TEST_OK(session_run(s, &err), err);
    TEST_OK(ops(d)->buffer_read(d, same.id, out, bytes, &err), err);
    assert_memory_equal(in, out, bytes);
    session_free(s);
    ops(d)->buffer_free(d, x.id);
    ops(d)->buffer_free(d, same.id);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_take_the_place_of_host_memory),
        cmocka_unit_test(an_output_that_is_not_read_is_no_texture),
        cmocka_unit_test(outputs_are_each_their_own),
        cmocka_unit_test(an_input_may_be_an_output_again),
        cmocka_unit_test(what_is_no_such_buffer_is_told),
        cmocka_unit_test(what_the_cpu_needs_stays_in_host_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
