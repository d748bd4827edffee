/* SPDX-License-Identifier: Apache-2.0 */
/* texture_test.c - which values fit a texture, and that no two that live at once share one. */
#include "lib/gl/ir/texture.h"
#include "lib/testing/test.h"

#define N 40

static void extents_follow_shapes(void **state)
{
    struct gl_limits lim = gl_limits_least;
    struct gl_extent e = gl_extent_of((struct ir_shape){2, 5, 7, 9});

    (void)state;
    assert_true(e.width == 7 && e.height == 5 && e.layers == 6);
    e = gl_extent_of((struct ir_shape){3, 1, 1, 4001});
    assert_true(e.width == 1001 && e.height == 3 && e.layers == 1);
    assert_false(gl_fits_texture(&lim, (struct ir_shape){1, 1, 1, 1}));
    lim.texture_reads = 1;
    assert_true(gl_fits_texture(&lim, (struct ir_shape){2, 2048, 2048, 512}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){2, 2048, 2048, 513}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){1, 2049, 1, 1}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){1, 1, 2049, 1}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){257, 1, 2, 1}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){INT32_MAX, 2, 1, INT32_MAX}));
    assert_true(gl_fits_texture(&lim, (struct ir_shape){2048, 1, 1, 8192}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){2049, 1, 1, 1}));
    assert_false(gl_fits_texture(&lim, (struct ir_shape){1, 1, 1, 8193}));
}

static bool same_kind(const struct gl_texture_use *a, const struct gl_texture_use *b)
{
    return a->extent.width == b->extent.width && a->extent.height == b->extent.height && a->extent.layers == b->extent.layers &&
           a->format == b->format;
}

/* Of one kind, as many as live at the busiest step. */
static uint32_t fewest(const struct gl_texture_use *use)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < N; i++) {
        uint32_t most = 0;
        bool first = use[i].extent.width > 0;

        for (uint32_t k = 0; k < i; k++)
            first = first && !same_kind(&use[k], &use[i]);
        for (uint32_t at = 0; at < 30 && first; at++) {
            uint32_t alive = 0;

            for (uint32_t k = i; k < N; k++)
                alive += same_kind(&use[k], &use[i]) && use[k].first <= at && at <= use[k].last;
            most = most > alive ? most : alive;
        }
        sum += most;
    }
    return sum;
}

static void textures_are_shared_by_turns(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct gl_texture_use use[N];
        uint32_t n;
        struct err err = {""};

        for (uint32_t i = 0; i < N; i++) {
            use[i] = (struct gl_texture_use){
                .extent = {(uint32_t)(test_random(&seed) % 3), 1, 1 + (uint32_t)(test_random(&seed) % 2)},
                .format = test_random(&seed) % 2 ? GL_FORMAT_FLOAT : GL_FORMAT_HALF,
                .first = (uint32_t)(test_random(&seed) % 20)};
            use[i].last = use[i].first + (uint32_t)(test_random(&seed) % 10);
        }
        TEST_OK(gl_share_textures(use, N, &n, &err), err);
        assert_int_equal(n, fewest(use));
        for (uint32_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < i; k++) {
                if (!use[i].extent.width || !use[k].extent.width || use[i].texture != use[k].texture)
                    continue;
                assert_true(same_kind(&use[i], &use[k]) && use[i].texture < n);
                assert_true(use[i].last < use[k].first || use[k].last < use[i].first);
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(extents_follow_shapes),
        cmocka_unit_test(textures_are_shared_by_turns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
