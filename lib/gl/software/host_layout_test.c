/* SPDX-License-Identifier: Apache-2.0 */
/* host_layout_test.c - elements and their places on the device, by the CPU; and sessions whose transfers take that way against
 * those that dispatch. */
#include "lib/gl/software/host_layout.h"

#include <math.h>
#include <stdlib.h>

#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/gl/run/executable_impl.h"
#include "lib/gl/testing/test_session.h"
#include "lib/session/session_impl.h"
#include "lib/tensor/tensor.h"

enum { MOST = 1 << 14 };

static struct gl_layout dense_layout(enum gl_layout_kind kind, uint32_t b, uint32_t h, uint32_t w, uint32_t c)
{
    const uint64_t slices = (c + 3) / 4;

    return (struct gl_layout){.pitch_b = slices * h * w,
                              .pitch_s = (uint64_t)h * w,
                              .pitch_h = w,
                              .b = b,
                              .h = h,
                              .w = w,
                              .c = c,
                              .kind = kind,
                              .block_h = 1,
                              .block_w = 1};
}

/* What element i of the host, i being whatever fits a byte, is as the device has it. */
static double on_device(const struct gl_layout *l, const void *device, uint64_t lane)
{
    switch ((enum gl_layout_kind)l->kind) {
    case GL_LAYOUT_WORDS: return ((const float *)device)[lane];
    case GL_LAYOUT_HALVES: return (double)half_to_float(((const uint16_t *)device)[lane]);
    default: return ((const uint8_t *)device)[lane];
    }
}

static void set_element(const struct gl_layout *l, void *dense, uint64_t i, uint8_t value)
{
    if (gl_layout_element(l->kind) == 1)
        ((uint8_t *)dense)[i] = value;
    else
        ((float *)dense)[i] = value;
}

/* There and back, with guards on both sides: lanes that are no channels become 0, what lies between the vectors stays. */
static void check(const struct gl_layout *l)
{
    static _Alignas(8) uint8_t device[4 * MOST];
    static _Alignas(8) uint8_t dense[4 * MOST], back[4 * MOST];
    const uint64_t n = (uint64_t)l->b * l->h * l->w * l->c, bytes = n * gl_layout_element(l->kind);
    uint64_t span, in_order, written = 0;

    assert_true(gl_layout_span(l, &span, &in_order) && span <= sizeof device && in_order == bytes && bytes < sizeof dense);
    memset(device, 0xff, sizeof device);
    memset(back, 0xee, sizeof back);
    for (uint64_t i = 0; i < n; i++)
        set_element(l, dense, i, (uint8_t)(1 + i % 251));
    gl_layout_write(l, dense, device);
    for (uint64_t b = 0; b < l->b; b++)
        for (uint64_t s = 0; 4 * s < l->c; s++)
            for (uint64_t h = 0; h < l->h; h++)
                for (uint64_t w = 0; w < l->w; w++)
                    for (uint64_t lane = 0; lane < 4; lane++, written++) {
                        const uint64_t at = 4 * (b * l->pitch_b + s * l->pitch_s + h * l->pitch_h + w) + lane, c = 4 * s + lane;
                        const double want = c < l->c ? (double)(1 + (((b * l->h + h) * l->w + w) * l->c + c) % 251) : 0;

                        assert_true(on_device(l, device, at) == want);
                    }
    for (uint64_t i = 0; i < sizeof device; i++)
        written -= device[i] != 0xff && i % (gl_layout_vector(l->kind) / 4) == 0;
    assert_int_equal(written, 0);
    gl_layout_read(l, device, back);
    assert_memory_equal(back, dense, bytes);
    assert_int_equal(back[bytes], 0xee);
}

static void elements_go_to_their_slices_and_back(void **state)
{
    static const uint32_t shapes[][4] = {{1, 1, 1, 1},  {1, 1, 1, 7}, {2, 3, 5, 3}, {1, 2, 130, 6},
                                         {3, 1, 64, 4}, {2, 5, 1, 9}, {1, 1, 65, 2}};

    (void)state;
    for (int kind = GL_LAYOUT_WORDS; kind < GL_LAYOUT_KINDS; kind++)
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            struct gl_layout l = dense_layout((enum gl_layout_kind)kind, shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3]);

            check(&l);
            l.pitch_h += 2; /* a part of something larger */
            l.pitch_s = l.pitch_h * (l.h + 1);
            l.pitch_b = l.pitch_s * ((l.c + 3) / 4 + 1);
            check(&l);
        }
}

/* Channel c of a pixel is channel c % channels of pixel c / channels of its block. */
static void pixels_go_to_their_blocks(void **state)
{
    static const uint32_t cases[][5] = {{1, 1, 1, 1, 1}, {2, 2, 3, 2, 70}, {3, 1, 2, 2, 65}, {2, 3, 5, 3, 3}, {1, 4, 4, 2, 6}};

    (void)state;
    for (int kind = GL_LAYOUT_WORDS; kind < GL_LAYOUT_KINDS; kind++)
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            static _Alignas(8) uint8_t device[4 * MOST], got[4 * MOST], want[4 * MOST];
            const uint32_t bh = cases[i][0], bw = cases[i][1], n = cases[i][2], h = cases[i][3], w = cases[i][4];
            struct gl_layout l = dense_layout((enum gl_layout_kind)kind, 2, h, w, bh * bw * n);
            const uint64_t elems = (uint64_t)2 * h * w * l.c;

            for (uint64_t k = 0; k < elems; k++)
                set_element(&l, got, k, (uint8_t)(1 + k % 251));
            gl_layout_write(&l, got, device);
            for (uint64_t k = 0; k < elems; k++) {
                const uint64_t c = k % l.c, x = k / l.c % w, y = k / l.c / w % h, b = k / l.c / w / h, pixel = c / n;

                set_element(&l, want, (((b * h + y) * bh + pixel / bw) * w * bw + x * bw + pixel % bw) * n + c % n,
                            (uint8_t)(1 + k % 251));
            }
            l.block_h = bh;
            l.block_w = bw;
            gl_layout_read(&l, device, got);
            assert_memory_equal(got, want, elems * gl_layout_element(l.kind));
        }
}

static void what_is_no_layout_is_told(void **state)
{
    const struct gl_layout good = dense_layout(GL_LAYOUT_WORDS, 2, 3, 5, 7);
    struct gl_layout bad[] = {good, good, good, good, good, good, good, good, good, good, good, good};
    uint64_t span, bytes;

    (void)state;
    assert_true(gl_layout_span(&good, &span, &bytes));
    assert_int_equal(span, 2 * 3 * 5 * 2 * 16);
    assert_int_equal(bytes, 2 * 3 * 5 * 7 * 4);
    bad[0].kind = GL_LAYOUT_NONE;
    bad[1].kind = GL_LAYOUT_KINDS;
    bad[2].b = 0;
    bad[3].h = 0;
    bad[4].w = 0;
    bad[5].c = 0;
    bad[6].pitch_b = UINT64_MAX;
    bad[7].pitch_s = UINT64_MAX - 20;
    bad[8].pitch_h = UINT64_MAX / 8;
    bad[9].block_h = 0;
    bad[10].block_w = 0;
    bad[11].block_w = 2; /* of 7 channels */
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(gl_layout_span(&bad[i], &span, &bytes));
    bad[0] = (struct gl_layout){
        .block_h = 1, .block_w = 1, .b = UINT32_MAX, .h = UINT32_MAX, .w = UINT32_MAX, .c = UINT32_MAX, .kind = GL_LAYOUT_BYTES};
    assert_false(gl_layout_span(&bad[0], &span, &bytes));
}

/* ---- in sessions ---- */

/* Two inputs joined, an odd number of channels, integers; the outputs: a part of something, a product, numbers. */
static struct loaded network(void)
{
    struct builder b;
    int32_t x[2], n, joined, abs, sum, twice, part;

    builder_init(&b, "network");
    x[0] = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, H, W, 8));
    x[1] = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, H, W, 7));
    n = build_tensor(&b, "n", TYPE_INT32, SHAPE(2, 3, 5));
    joined = build_tensor(&b, "joined", TYPE_FLOAT32, SHAPE(1, H, W, 15));
    build_op(&b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 3}, x, 2, INDICES(joined));
    abs = build_tensor(&b, "abs", TYPE_FLOAT32, SHAPE(1, H, W, 15));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(joined), INDICES(abs));
    sum = build_tensor(&b, "sum", TYPE_FLOAT32, SHAPE(1, H, W, 24));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 5, &(struct opt_fully_connected){.keep_num_dims = true},
             INDICES(abs, test_weights(&b, SHAPE(24, 15), 5), -1), INDICES(sum));
    part = build_tensor(&b, "part", TYPE_FLOAT32, SHAPE(1, H, W, 8));
    build_op(&b, BUILTIN_SLICE, 1, NULL,
             INDICES(sum, build_const(&b, "begin", TYPE_INT32, SHAPE(4), (int32_t[]){0, 0, 0, 8}),
                     build_const(&b, "size", TYPE_INT32, SHAPE(4), (int32_t[]){1, H, W, 8})),
             INDICES(part));
    twice = build_tensor(&b, "twice", TYPE_INT32, SHAPE(2, 3, 5));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(n, n), INDICES(twice));
    build_inputs(&b, INDICES(x[0], x[1], n));
    build_outputs(&b, INDICES(part, sum, twice, abs));
    return load(&b);
}

static struct delegate *open_with(bool host_layout, int32_t loops)
{
    static struct gl_policy policy;
    struct gl_context *c = test_open_context();

    policy = c->limits.policy;
    policy.host_layout = host_layout;
    gl_context_close(c);
    return test_open_gpu((struct gpu_options){.device = -1, .policy = &policy, .loop_times = loops});
}

static void fill_numbers(struct session *s, int32_t from)
{
    struct tensor *n = session_input(s, 2);

    for (size_t i = 0; i < 30; i++)
        ((int32_t *)n->data)[i] = from + (int32_t)i * 100003;
}

/* All transfers of the only partition. */
static void expect_by_cpu(const struct session *s, bool all)
{
    const struct gl_executable *x = ((const struct gpu_kernel *)s->plan.steps[0].kernel)->executable;

    assert_int_equal(s->plan.n_steps, 1);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(gl_is_laid_out(x, false, i), all);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(gl_is_laid_out(x, true, i), all);
    assert_int_equal(gl_is_moved_by_cpu(x, 0), all);
    assert_false(gl_is_moved_by_cpu(x, 3));
}

static void compare(bool host_layout, int32_t loops)
{
    struct loaded l = network();
    struct delegate *d = open_with(host_layout, loops);
    struct session *gpu = test_start(&l, d), *cpu = test_start(&l, NULL);
    const struct profile_row *rows;
    struct err err = {""};
    size_t n;

    expect_by_cpu(gpu, host_layout && loops <= 1);
    for (int run = 0; run < 3; run++) {
        fill_numbers(gpu, run);
        fill_numbers(cpu, run);
        test_compare(gpu, cpu, run);
        assert_memory_equal(session_output(gpu, 2)->data, session_output(cpu, 2)->data, 120);
        TEST_OK(session_profile(gpu, &rows, &n, &err), err);
        assert_string_equal(rows[0].type, "upload");
        assert_string_equal(rows[n - 1].type, "download");
        assert_true(rows[0].timed && rows[0].ns && rows[n - 1].timed && rows[n - 1].ns);
    }
    session_free(gpu);
    session_free(cpu);
    delegate_close(d);
    unload(&l);
}

static void the_cpu_moves_what_dispatches_would(void **state)
{
    (void)state;
    compare(true, 1);
    compare(false, 1);
}

/* Values share memory: what an input was is gone when its dispatches come again. */
static void loops_within_a_run_dispatch(void **state)
{
    (void)state;
    compare(true, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_go_to_their_slices_and_back),
        cmocka_unit_test(pixels_go_to_their_blocks),
        cmocka_unit_test(what_is_no_layout_is_told),
        cmocka_unit_test(the_cpu_moves_what_dispatches_would),
        cmocka_unit_test(loops_within_a_run_dispatch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
