/* SPDX-License-Identifier: Apache-2.0 */
/* topk_test.c - the largest scores against a plain sort, for every type and shape. */
#include "lib/eval/topk.h"
#include "lib/testing/test.h"

#include <math.h>

static struct err err;

static struct tensor output(enum tensor_type type, void *data, int32_t n, const int32_t *dim, int32_t rank)
{
    struct tensor t = {.name = "y", .type = type, .rank = rank, .data = data, .bytes = type_bytes(type, (size_t)n)};

    memcpy(t.dim, dim, (size_t)rank * sizeof *dim);
    return t;
}

static void shapes(void **state)
{
    static const struct {
        int32_t dim[4], rank;
        uint32_t classes; /* 0: refused */
    } rows[] = {{{7}, 1, 7}, {{1, 7}, 2, 7},    {{1, 1, 1, 7}, 4, 7},    {{1, 7, 1, 1}, 4, 7},
                {{1}, 1, 0}, {{1, 1}, 2, 0},    {{2, 7}, 2, 0},          {{1, 0}, 2, 0},
                {{0}, 0, 0}, {{1, 2, 7}, 3, 0}, {{1, 200000}, 2, 200000}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct tensor t = output(TYPE_FLOAT32, NULL, 0, rows[i].dim, rows[i].rank);
        uint32_t n = 0;

        assert_int_equal(topk_classes(&t, &n, &err), rows[i].classes ? ST_OK : ST_USAGE);
        assert_int_equal(n, rows[i].classes);
    }
}

static void types(void **state)
{
    static const enum tensor_type refused[] = {TYPE_STRING, TYPE_BOOL, TYPE_COMPLEX64, TYPE_RESOURCE};
    uint8_t bytes[4] = {3, 200, 200, 0};
    int8_t signed_bytes[4] = {3, -56, 127, 127};
    uint16_t halves[4] = {0x3c00, 0xbc00, 0x7c00, 0x3c01};
    const int32_t dim[] = {4};
    float scale = 0.5f;
    int64_t zero = 100;
    struct tensor t = output(TYPE_UINT8, bytes, 4, dim, 1);
    struct topk top;
    uint32_t n;

    (void)state;
    t.quant = (struct quant){.n = 1, .scale = &scale, .zero_point = &zero};
    topk_find(&t, 3, NULL, &top);
    assert_true(top.n == 3 && top.index[0] == 1 && top.index[1] == 2 && top.index[2] == 0);
    assert_true(top.score[0] == 50 && top.score[2] == -48.5);
    t = output(TYPE_INT8, signed_bytes, 4, dim, 1);
    topk_find(&t, 9, NULL, &top);
    assert_true(top.n == 4 && top.index[0] == 2 && top.index[1] == 3 && top.index[3] == 1);
    t = output(TYPE_FLOAT16, halves, 4, dim, 1);
    topk_find(&t, 2, NULL, &top);
    assert_true(top.n == 2 && top.index[0] == 2 && isinf(top.score[0]) && top.index[1] == 3);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        t = output(refused[i], NULL, 4, dim, 1);
        assert_int_equal(topk_classes(&t, &n, &err), ST_USAGE);
    }
}

/* Few different scores, so that many are equal; some are NaN. */
static void as_sorted(void **state)
{
    uint64_t seed = 49;
    float v[97];

    (void)state;
    for (int round = 0; round < 2000; round++) {
        const int32_t n = 2 + (int32_t)(test_random(&seed) % 96);
        const uint32_t k = 1 + (uint32_t)(test_random(&seed) % 12);
        const struct tensor t = output(TYPE_FLOAT32, v, n, &n, 1);
        bool taken[97] = {false}, among[97];
        struct topk top;
        uint32_t found = 0, nans = 0;

        for (int32_t i = 0; i < n; i++) {
            v[i] = test_random(&seed) % 10 ? (float)(test_random(&seed) % 9) : NAN;
            among[i] = round % 2 || test_random(&seed) % 3;
            taken[i] = !among[i];
            nans += among[i] && isnan(v[i]);
        }
        topk_find(&t, k, round % 2 ? NULL : among, &top);
        for (; found < k; found++) {
            int32_t best = -1;

            for (int32_t i = 0; i < n; i++)
                if (!taken[i] && !isnan(v[i]) && (best < 0 || v[i] > v[best]))
                    best = i;
            if (best < 0)
                break;
            taken[best] = true;
            assert_true(found < top.n && top.index[found] == (uint32_t)best);
        }
        assert_int_equal(top.n, found);
        assert_int_equal(top.n_nan, nans);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(shapes), cmocka_unit_test(types), cmocka_unit_test(as_sorted)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
