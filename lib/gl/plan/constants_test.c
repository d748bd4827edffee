/* SPDX-License-Identifier: Apache-2.0 */
/* constants_test.c - packed constants, whatever pieces they are packed in, are what shaders read. */
#include "lib/gl/plan/draft.h"

#include <stdlib.h>

#include "lib/testing/test.h"

#define MANY 70000 /* vectors: enough for several threads to take part */

/* Vector i: i, i + 0.25, ... */
static void count(const void *arg, size_t first, size_t n, void *to)
{
    float *v = to;

    (void)arg;
    for (size_t i = 4 * first; i < 4 * (first + n); i++)
        *v++ = (float)(i % 8192) / 4;
}

/* One large value. */
static void peak(const void *arg, size_t first, size_t n, void *to)
{
    size_t at = *(const size_t *)arg;

    memset(to, 0, 16 * n);
    if (at >= first && at < first + n)
        ((float *)to)[4 * (at - first) + 3] = 1e6f;
}

static char *packed(const struct gl_binding *b, uint64_t bytes)
{
    struct gl_dispatch d = {.shader.n_bind = 1, .shader.bind = {*b}, .ranges = {{.store = GL_STORE_CONSTANTS, .bytes = bytes}}};
    struct gl_draft draft = {.dispatches = &d, .n_dispatches = 1, .bytes = {[GL_STORE_CONSTANTS] = bytes}};
    char *to = malloc(bytes + 1);
    struct err err = {""};

    assert_non_null(to);
    to[bytes] = 77;
    TEST_OK(gl_pack_constants(&draft, to, &err), err);
    assert_int_equal(to[bytes], 77);
    return to;
}

static void weights_of_any_length(void **state)
{
    (void)state;
    for (int half = 0; half < 2; half++) {
        struct gl_binding b = {
            .bind = GL_BIND_WEIGHTS, .pack = count, .n = MANY, .format = half ? GL_FORMAT_HALF : GL_FORMAT_FLOAT};
        char *to = packed(&b, gl_binding_bytes(&b));

        for (size_t i = 0; i < 4 * MANY; i++) {
            float want = (float)(i % 8192) / 4;

            if (half)
                assert_int_equal(((uint16_t *)to)[i], half_from_float(want));
            else
                assert_true(((float *)to)[i] == want);
        }
        free(to);
    }
}

static void number(const void *arg, size_t first, size_t n, void *to)
{
    (void)arg;
    for (size_t i = 0; i < 4 * n; i++)
        ((float *)to)[i] = (float)(4 * first + i);
}

/* For four textures, each of which has a vector of each block. */
static void blocks_are_packed_by_their_rows(void **state)
{
    const size_t n = 4 * 700;
    const struct gl_binding b = {
        .bind = GL_BIND_WEIGHTS, .through = GL_THROUGH_FOUR, .pack = number, .n = n, .format = GL_FORMAT_FLOAT};
    float *got = (float *)packed(&b, gl_binding_bytes(&b));

    (void)state;
    for (size_t row = 0; row < 4; row++)
        for (size_t block = 0; block < n / 4; block++)
            for (size_t lane = 0; lane < 4; lane++)
                assert_int_equal(got[(row * (n / 4) + block) * 4 + lane], (block * 4 + row) * 4 + lane);
    free(got);
}

/* Slices of four channels, zeros beyond the last, batch by batch. */
static void operands_are_sliced(void **state)
{
    struct ir_value v = {.type = IR_INT, .shape = {2, 3, 5, 6}};
    struct gl_binding b = {.bind = GL_BIND_INPUT, .value = &v};
    int32_t data[2 * 3 * 5 * 6], *got;

    (void)state;
    for (int32_t i = 0; i < 2 * 3 * 5 * 6; i++)
        data[i] = i - 50;
    v.data = data;
    got = (int32_t *)packed(&b, gl_binding_bytes(&b));
    for (int batch = 0; batch < 2; batch++)
        for (int c = 0; c < 8; c++)
            for (int pixel = 0; pixel < 15; pixel++)
                assert_int_equal(got[((batch * 2 + c / 4) * 15 + pixel) * 4 + c % 4],
                                 c < 6 ? data[(batch * 15 + pixel) * 6 + c] : 0);
    free(got);
}

static void one_large_weight_among_many_is_found(void **state)
{
    static const size_t at[] = {0, 255, 256, 999};
    size_t nowhere = 1000;
    struct gl_binding b = {.bind = GL_BIND_WEIGHTS, .pack = peak, .n = 1000, .arg = &nowhere};

    (void)state;
    assert_true(gl_weights_fit_half(&b));
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        b.arg = &at[i];
        assert_false(gl_weights_fit_half(&b));
    }
}

static int packings;

static void count_calls(const void *arg, size_t first, size_t n, void *to)
{
    if (first == 0)
        packings++;
    memset(to, *(const int *)arg, 16 * n);
}

/* Three dispatches: the last reads what the first two brought. */
static void what_several_bind_is_packed_once(void **state)
{
    static const int one = 1, two = 2;
    const struct gl_binding a = {.bind = GL_BIND_WEIGHTS, .pack = count_calls, .arg = &one, .n = 2};
    const struct gl_binding b = {.bind = GL_BIND_WEIGHTS, .pack = count_calls, .arg = &two, .n = 1};
    const struct gl_range at_0 = {.store = GL_STORE_CONSTANTS, .bytes = 32},
                          at_64 = {.store = GL_STORE_CONSTANTS, .offset = 64, .bytes = 16};
    struct gl_dispatch d[3] = {{.shader = {.n_bind = 1, .bind = {a}}, .ranges = {at_0}},
                               {.shader = {.n_bind = 1, .bind = {b}}, .ranges = {at_64}},
                               {.shader = {.n_bind = 2, .bind = {a, b}}, .ranges = {at_0, at_64}}};
    struct gl_draft draft = {.dispatches = d, .n_dispatches = 3, .bytes = {[GL_STORE_CONSTANTS] = 80}};
    char to[80];
    struct err err = {""};

    (void)state;
    packings = 0;
    TEST_OK(gl_pack_constants(&draft, to, &err), err);
    assert_int_equal(packings, 2);
    assert_true(to[0] == 1 && to[31] == 1 && to[64] == 2 && to[79] == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_of_any_length),
        cmocka_unit_test(blocks_are_packed_by_their_rows),
        cmocka_unit_test(operands_are_sliced),
        cmocka_unit_test(what_several_bind_is_packed_once),
        cmocka_unit_test(one_large_weight_among_many_is_found),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
