/* SPDX-License-Identifier: Apache-2.0 */
/* gpus_test.c - which cases run in which modes where modes have them by turns. */
#include "bench/opcheck/gpus.h"
#include "lib/graph/op.h"
#include "lib/testing/test.h"

#define CASES 48

/* How many of the first 48 cases of an operator run in each mode and precision. */
struct runs {
    uint32_t n[GPU_MODES][PRECISION_COUNT];
};

static struct runs runs_of(struct gpus *g, const char *modes, size_t row)
{
    struct runs r = {{{0}}};

    assert_true(gpus_choose(g, modes));
    memset(g->passed_over, 0, sizeof g->passed_over);
    for (uint32_t n = 0; n < CASES; n++)
        for (int mode = 0; mode < GPU_MODES; mode++)
            for (int p = 0; p < PRECISION_COUNT; p++)
                r.n[mode][p] += !gpus_passes_over(g, (enum gpu_mode)mode, (enum precision)p, &op_table[row], n);
    return r;
}

static uint32_t all_of(const struct runs *r, enum gpu_mode mode)
{
    uint32_t n = 0;

    for (int p = 0; p < PRECISION_COUNT; p++)
        n += r->n[mode][p];
    return n;
}

static void modes_have_cases_by_turns(void **state)
{
    static struct gpus g;

    (void)state;
    for (size_t row = 0; row < CASES; row++) {
        const struct runs r = runs_of(&g, "turns", row);

        assert_int_equal(r.n[GPU_DEFAULT][PRECISION_FP32], CASES);
        assert_int_equal(r.n[GPU_DEFAULT][PRECISION_FP16_STORAGE], CASES / 4);
        for (int mode = GPU_BUFFER; mode <= GPU_CHECKED; mode++)
            for (int p = PRECISION_FP32; p <= PRECISION_FP16_STORAGE; p++)
                assert_int_equal(r.n[mode][p], 1);
        assert_int_equal(r.n[GPU_VARIANTS][PRECISION_FP32], CASES / 4);
        assert_int_equal(r.n[GPU_VARIANTS][PRECISION_FP16_STORAGE], CASES / 8);
        assert_int_equal(r.n[GPU_EXACT][PRECISION_FP32], CASES);
        assert_int_equal(r.n[GPU_FP16][PRECISION_FP16_SUM32] + r.n[GPU_FP16][PRECISION_FP16], 1);
        assert_int_equal(r.n[GPU_FP16][PRECISION_FP16_SUM32], (row + GPU_FP16) % 2 == 0);
        for (int mode = GPU_TEXTURE; mode <= GPU_COPIED; mode++) {
            assert_int_equal(r.n[mode][PRECISION_FP32] + r.n[mode][PRECISION_FP16_STORAGE], 1);
            assert_int_equal(r.n[mode][PRECISION_FP32], (row + (size_t)mode) % 2 == 0);
        }
        assert_int_equal(g.passed_over[GPU_EXACT], 0);
        assert_int_equal(g.passed_over[GPU_FP16], PRECISION_COUNT - all_of(&r, GPU_FP16));
        assert_int_equal(g.passed_over[GPU_VARIANTS], CASES * PRECISION_COUNT - all_of(&r, GPU_VARIANTS));
    }
}

/* Of one case, that of the operator before is forgotten. */
static void without_turns_all_run(void **state)
{
    static struct gpus g;
    const struct runs all = runs_of(&g, "all", 0), again = runs_of(&g, "all", 1), named = runs_of(&g, "all,texture", 2);

    (void)state;
    for (int p = 0; p < PRECISION_COUNT; p++) {
        assert_int_equal(all.n[GPU_DEFAULT][p], CASES);
        assert_int_equal(all.n[GPU_CHECKED][p], CASES);
        assert_int_equal(all.n[GPU_VARIANTS][p], CASES);
        assert_int_equal(all.n[GPU_TEXTURE][p], 1);
        assert_int_equal(again.n[GPU_TEXTURE][p], 1);
        assert_int_equal(named.n[GPU_TEXTURE][p], CASES);
    }
    for (int mode = 0; mode < GPU_MODES; mode++)
        assert_int_equal(g.passed_over[mode], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_have_cases_by_turns),
        cmocka_unit_test(without_turns_all_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
