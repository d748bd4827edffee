/* SPDX-License-Identifier: Apache-2.0 */
/* fold_test.c - every fold of random shapes keeps the dense order of elements and what must stay apart, and copies least. */
#include "lib/gl/ir/fold.h"
#include "lib/testing/test.h"

static struct ir_fold best(int32_t rank, uint32_t apart, const int32_t *dim, struct ir_shape stored)
{
    const struct ir_folded t = {.dim = dim, .stored = stored};
    struct ir_fold f = {.at = {0}};

    assert_true(ir_fold_best(rank, apart, &t, 1, &f));
    return f;
}

static void assert_shape(struct ir_shape s, int32_t b, int32_t h, int32_t w, int32_t c)
{
    if (s.b != b || s.h != h || s.w != w || s.c != c)
        fail_msg("[%d,%d,%d,%d] is not [%d,%d,%d,%d]", s.b, s.h, s.w, s.c, b, h, w, c);
}

static void assert_stored(int32_t rank, const int32_t *dim, int32_t b, int32_t h, int32_t w, int32_t c)
{
    struct ir_fold f = ir_fold_stored(dim, rank);

    assert_int_equal(f.at[0], 0);
    assert_int_equal(f.at[4], rank);
    assert_shape(ir_fold_shape(&f, dim), b, h, w, c);
}

static void shapes_are_stored_so(void **state)
{
    (void)state;
    assert_stored(0, NULL, 1, 1, 1, 1);
    assert_stored(1, (const int32_t[]){5}, 1, 1, 1, 5);
    assert_stored(4, (const int32_t[]){2, 3, 4, 5}, 2, 3, 4, 5);
    assert_stored(5, (const int32_t[]){2, 3, 4, 5, 6}, 2, 12, 5, 6);
    assert_stored(5, (const int32_t[]){1, 3, 4, 5, 6}, 3, 4, 5, 6);
    assert_stored(6, (const int32_t[]){1, 1, 4, 5, 6, 7}, 4, 5, 6, 7);
    assert_stored(6, (const int32_t[]){1, 3, 4, 5, 6, 7}, 1, 60, 6, 7);
    assert_stored(8, (const int32_t[]){1, 1, 1, 1, 1, 1, 1, 1}, 1, 1, 1, 1);
    assert_stored(8, (const int32_t[]){2, 2, 2, 2, 2, 2, 2, 3}, 2, 32, 2, 3);
    assert_stored(6, (const int32_t[]){2, 65536, 65536, 1, 2, 3}, 2, INT32_MAX, 2, 3); /* fits no device */
}

static void keys_say_what_is_apart(void **state)
{
    (void)state;
    assert_int_equal(ir_fold_apart((const int32_t[]){0, 0, 0}, 3), 0);
    assert_int_equal(ir_fold_apart((const int32_t[]){0, 1, 1, 0}, 4), 2 | 8);
    assert_int_equal(ir_fold_apart((const int32_t[]){0, -1, 0, -1, 1}, 5), 16);
    assert_int_equal(ir_fold_apart((const int32_t[]){-1, -1, 7}, 3), 0);
    assert_int_equal(ir_fold_around((const int32_t[]){2, 3, 4, 5, 6}, 5, 2), 4 | 8);
    assert_int_equal(ir_fold_around((const int32_t[]){2, 1, 1, 5, 6}, 5, 2), 4 | 8);
    assert_int_equal(ir_fold_around((const int32_t[]){1, 1, 4, 1, 1}, 5, 2), 0);
}

/* Random shapes and sets: each run is what the set allows, B to C are products of runs, and there is a fold exactly where three
 * cuts are enough. */
static void folds_keep_apart_what_must_be(void **state)
{
    uint64_t seed = 5;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        int32_t rank = 5 + (int32_t)(test_random(&seed) % 4), dim[TENSOR_MAX_RANK];
        uint32_t apart = (uint32_t)test_random(&seed) & ((1u << rank) - 2);
        struct ir_folded t = {.dim = dim};
        struct ir_fold f, stored;

        for (int32_t i = 0; i < rank; i++)
            dim[i] = 1 + (int32_t)(test_random(&seed) % 5);
        stored = ir_fold_stored(dim, rank);
        t.stored = ir_fold_shape(&stored, dim);
        if (!ir_fold_best(rank, apart, &t, 1, &f)) {
            assert_true(__builtin_popcount(apart) > 3);
            continue;
        }
        assert_true(__builtin_popcount(apart) <= 3);
        for (int32_t i = 1; i < rank; i++)
            if (apart >> i & 1)
                assert_int_equal(ir_fold_axis(&f, i), ir_fold_axis(&f, i - 1) + 1);
        for (int32_t i = 0; i < rank; i++)
            assert_true(f.at[ir_fold_axis(&f, i)] <= i && i < f.at[ir_fold_axis(&f, i) + 1]);
        assert_int_equal(ir_elems(ir_fold_shape(&f, dim)), ir_elems(t.stored));
        assert_int_equal(f.copies, ir_same_order(ir_fold_shape(&f, dim), t.stored) ? 0 : ir_elems(t.stored));
        if (!apart)
            assert_int_equal(f.copies, 0);
    }
}

static void the_fold_that_copies_least_is_taken(void **state)
{
    static const int32_t dim[] = {2, 3, 4, 5, 6}, fewer[] = {2, 3, 1, 1, 5};
    const struct ir_folded t[2] = {{.dim = dim, .stored = {2, 12, 5, 6}}, {.dim = fewer, .stored = {6, 1, 1, 5}}};
    struct ir_folded constant = {.dim = dim, .stored = {1, 1, 1, 720}, .free = true};
    struct ir_fold f;

    (void)state;
    f = best(5, 0, dim, (struct ir_shape){2, 12, 5, 6});
    assert_int_equal(f.at[1], 1); /* B stays */
    f = best(5, 0, dim, (struct ir_shape){6, 4, 5, 6});
    assert_int_equal(f.at[1], 2);
    assert_int_equal(f.copies, 0);
    f = best(5, 2, dim, (struct ir_shape){6, 4, 5, 6}); /* B must not have two axes */
    assert_int_equal(f.copies, 720);
    assert_true(ir_fold_best(5, 0, t, 2, &f)); /* no fold suits both */
    assert_int_equal(f.at[1], 1);
    assert_int_equal(f.copies, 30);
    assert_true(ir_fold_best(5, 2, &constant, 1, &f));
    assert_int_equal(f.copies, 0);
}

/* [2,3,4,5,6] whose axes come in the order 4, 0, 1, 3, 2: under the runs {0}, {1,2}, {3}, {4} of the output. */
static void permuted_runs_find_their_places(void **state)
{
    static const int32_t dim[] = {2, 3, 4, 5, 6}, order[] = {4, 0, 1, 3, 2}, ones[] = {1, 6, 1, 2, 5}, far[] = {4, 0, 3, 1, 2};
    struct ir_folded t = {.dim = dim, .order = order};
    const struct ir_fold f = {.at = {0, 1, 3, 4, 5}}, g = {.at = {0, 1, 3, 4, 5}};
    int to[4];

    (void)state;
    assert_shape(ir_fold_permuted(&f, &t, to), 6, 4, 5, 6);
    assert_true(to[0] == 3 && to[1] == 0 && to[2] == 2 && to[3] == 1);
    t = (struct ir_folded){.dim = ones, .order = far}; /* an axis of one element is wherever its run is */
    assert_shape(ir_fold_permuted(&g, &t, to), 6, 1, 2, 5);
    assert_true(to[0] == 3 && to[1] == 2 && to[2] == 0 && to[3] == 1);
}

static void vectors_keep_their_order(void **state)
{
    static const struct ir_shape a = {2, 6, 4, 9};

    (void)state;
    assert_true(ir_same_order(a, (struct ir_shape){2, 3, 8, 9}) && !ir_same_order(a, (struct ir_shape){4, 3, 4, 9}));
    assert_true(ir_same_order((struct ir_shape){2, 3, 4, 3}, (struct ir_shape){6, 2, 2, 3}));
    assert_true(ir_same_order((struct ir_shape){2, 3, 4, 4}, (struct ir_shape){3, 1, 1, 32}));
    assert_false(ir_same_order((struct ir_shape){2, 3, 4, 8}, (struct ir_shape){2, 3, 8, 4}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_are_stored_so),
        cmocka_unit_test(keys_say_what_is_apart),
        cmocka_unit_test(folds_keep_apart_what_must_be),
        cmocka_unit_test(the_fold_that_copies_least_is_taken),
        cmocka_unit_test(permuted_runs_find_their_places),
        cmocka_unit_test(vectors_keep_their_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
