/* SPDX-License-Identifier: Apache-2.0 */
/* shape_test.c - each helper against its definition, tried out element by element. */
#include "lib/graph/shape.h"
#include "lib/testing/test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct tensor floats(int32_t rank, const int32_t *dim)
{
    struct tensor t = {.name = "t", .type = TYPE_FLOAT32};
    struct err err;

    TEST_OK(tensor_set_shape(&t, dim, rank, &err), err);
    return t;
}

/* numpy: counted from the last dimension, extents are equal or one of them is 1; a missing one is 1. */
static bool broadcast_dim(const struct tensor *a, const struct tensor *b, int32_t from_end, int32_t *out)
{
    int32_t x = from_end < a->rank ? a->dim[a->rank - 1 - from_end] : 1,
            y = from_end < b->rank ? b->dim[b->rank - 1 - from_end] : 1;

    *out = x == 1 ? y : x;
    return x == y || x == 1 || y == 1;
}

static struct tensor random_shape(uint64_t *seed)
{
    int32_t dim[5], rank = (int32_t)(test_random(seed) % 6);

    for (int32_t i = 0; i < rank; i++)
        dim[i] = test_random(seed) % 2 ? 1 : (int32_t)(test_random(seed) % 4);
    return floats(rank, dim);
}

static void shapes_broadcast_as_in_numpy(void **state)
{
    uint64_t seed = 11;
    int good = 0;

    (void)state;
    for (int round = 0; round < 5000; round++) {
        struct tensor a = random_shape(&seed), b = random_shape(&seed);
        int32_t rank = a.rank > b.rank ? a.rank : b.rank, want[TENSOR_MAX_RANK], dim[TENSOR_MAX_RANK], got;
        struct err err = {""};
        bool ok = true;

        for (int32_t i = 0; i < rank; i++)
            ok &= broadcast_dim(&a, &b, i, &want[rank - 1 - i]);
        if (!ok) {
            assert_int_equal(shape_broadcast(&a, &b, dim, &got, &err), ST_BAD_MODEL);
            assert_non_null(strstr(err.msg, TENSOR_TEXT(&a)));
            assert_non_null(strstr(err.msg, TENSOR_TEXT(&b)));
            continue;
        }
        good++;
        TEST_OK(shape_broadcast(&a, &b, dim, &got, &err), err);
        assert_int_equal(got, rank);
        assert_memory_equal(dim, want, (size_t)rank * sizeof *dim);
    }
    assert_true(good > 500 && good < 4500);
}

/* VALID: the places where the whole window lies inside. SAME: one place for each stride begun. */
static int32_t count_places(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, enum padding padding)
{
    int32_t n = 0;

    for (int32_t at = 0; at < in; at += stride)
        n += padding == PAD_SAME || at + (kernel - 1) * dilation < in;
    return n;
}

static void check_window(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, enum padding padding)
{
    int32_t want = count_places(in, kernel, stride, dilation, padding), out = -1, before = -1, missing;
    struct err err = {""};
    enum status st = shape_window(in, kernel, stride, dilation, padding, &out, &before, &err);

    if (in && !want) {
        assert_int_equal(st, ST_BAD_MODEL);
        assert_non_null(strstr(err.msg, "does not fit"));
        return;
    }
    TEST_OK(st, err);
    assert_int_equal(out, want);
    /* What the last window reaches beyond the input, half of it before, the odd one behind. */
    missing = (want - 1) * stride + (kernel - 1) * dilation + 1 - in;
    if (padding == PAD_VALID)
        assert_int_equal(before, 0);
    else if (want)
        assert_int_equal(before, missing > 0 ? missing / 2 : 0);
}

static void windows_are_counted(void **state)
{
    (void)state;
    for (int32_t in = 0; in <= 12; in++)
        for (int32_t kernel = 1; kernel <= 5; kernel++)
            for (int32_t stride = 1; stride <= 4; stride++)
                for (int32_t dilation = 1; dilation <= 3; dilation++) {
                    check_window(in, kernel, stride, dilation, PAD_VALID);
                    check_window(in, kernel, stride, dilation, PAD_SAME);
                }
}

static void bad_windows_are_refused(void **state)
{
    static const int32_t bad[][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {-3, 1, 1}, {1, -1, 1}, {1, 1, INT32_MIN}};
    int32_t out, before;
    struct err err = {""};

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(shape_window(8, bad[i][0], bad[i][1], bad[i][2], PAD_SAME, &out, &before, &err), ST_BAD_MODEL);
    assert_int_equal(shape_window(8, 3, 1, 1, (enum padding)7, &out, &before, &err), ST_BAD_MODEL);
    assert_int_equal(shape_window(INT32_MAX, 3, 1, INT32_MAX, PAD_VALID, &out, &before, &err), ST_BAD_MODEL);
    TEST_OK(shape_window(INT32_MAX, 1, 1, 1, PAD_VALID, &out, &before, &err), err);
    assert_int_equal(out, INT32_MAX);
    TEST_OK(shape_window(INT32_MAX - 3, 3, INT32_MAX, 1, PAD_SAME, &out, &before, &err), err);
    assert_int_equal(out, 1);
    /* Positions inside a window are computed in 32 bits. */
    for (int32_t kernel = 2; kernel < 5; kernel++)
        assert_int_equal(shape_window(8, kernel, 1, INT32_MAX, PAD_SAME, &out, &before, &err), ST_BAD_MODEL);
    assert_non_null(strstr(err.msg, "dilation 2147483647"));
}

static void axes_count_from_both_ends(void **state)
{
    (void)state;
    for (int32_t rank = 0; rank <= TENSOR_MAX_RANK; rank++)
        for (int32_t axis = -12; axis <= 12; axis++) {
            int32_t out = -9;
            struct err err = {""};
            enum status st = shape_axis(axis, rank, &out, &err);

            assert_int_equal(st, axis >= -rank && axis < rank ? ST_OK : ST_BAD_MODEL);
            if (!st)
                assert_int_equal((out - axis) % rank, 0);
            if (!st)
                assert_true(out >= 0 && out < rank);
        }
}

static void arity_is_checked(void **state)
{
    struct tensor t = {.name = "t"};

    (void)state;
    for (uint32_t n_in = 0; n_in <= 4; n_in++)
        for (uint32_t n_out = 0; n_out <= 2; n_out++)
            for (uint32_t holes = 0; holes < 64; holes++) {
                struct tensor *in[4], *out[2];
                struct node n = {.in = in, .out = out, .n_in = n_in, .n_out = n_out};
                struct err err = {""};
                bool ok = n_in >= 2 && n_in <= 3 && n_out == 1;

                for (uint32_t i = 0; i < 4; i++)
                    in[i] = holes >> i & 1 ? NULL : &t;
                for (uint32_t i = 0; i < 2; i++)
                    out[i] = holes >> (4 + i) & 1 ? NULL : &t;
                ok = ok && in[0] && in[1] && out[0]; /* in[2] is optional */
                assert_int_equal(shape_arity(&n, 2, 3, 1, &err), ok ? ST_OK : ST_BAD_MODEL);
                assert_int_equal(err.msg[0] != 0, !ok);
            }
}

static void outputs_take_the_shape(void **state)
{
    struct tensor a = floats(3, (const int32_t[]){2, 1, 5}), b = floats(2, (const int32_t[]){7, 1});
    struct tensor y = {.name = "y", .type = TYPE_INT16};
    struct tensor *in[] = {&a, &b}, *out[] = {&y};
    struct node n = {.in = in, .out = out, .n_in = 2, .n_out = 1};
    struct err err = {""};

    (void)state;
    TEST_OK(shape_binary(&n, &err), err);
    assert_string_equal(TENSOR_TEXT(&y), "INT16[2,7,5]");
    assert_int_equal(y.bytes, 2 * 7 * 5 * 2);
    assert_int_equal(shape_unary(&n, &err), ST_BAD_MODEL);
    n.n_in = 1;
    TEST_OK(shape_unary(&n, &err), err);
    assert_string_equal(TENSOR_TEXT(&y), "INT16[2,1,5]");
    TEST_OK(shape_like(&n, 0, &b, &err), err);
    assert_string_equal(TENSOR_TEXT(&y), "INT16[7,1]");
    TEST_OK(shape_set(&n, 0, NULL, 0, &err), err);
    assert_int_equal(y.bytes, 2);
    assert_int_equal(shape_set(&n, 0, (const int32_t[]){3, -1}, 2, &err), ST_BAD_MODEL);
    assert_int_equal(shape_set(&n, 0, (const int32_t[]){1 << 21, 1 << 20}, 2, &err), ST_NOMEM);
    assert_string_equal(TENSOR_TEXT(&y), "INT16[]"); /* a failure changes nothing */
}

static void sizes_are_read(void **state)
{
    const int64_t wide[] = {-1, INT64_MAX, INT64_MIN, (int64_t)INT32_MAX + 1, 7};
    const int32_t want[] = {-1, INT32_MAX, INT32_MIN, INT32_MAX, 7};
    const int8_t bytes[] = {-128, 127, 3};
    struct tensor t = {.name = "t", .type = TYPE_INT64, .rank = 1, .dim = {5}, .data = (void *)wide, .is_known = true};
    int32_t out[5];
    uint32_t n = 99;
    struct err err = {""};

    (void)state;
    TEST_OK(shape_ints(&t, out, 5, &n, &err), err);
    assert_int_equal(n, 5);
    assert_memory_equal(out, want, sizeof want);
    assert_int_equal(shape_ints(&t, out, 4, &n, &err), ST_BAD_MODEL);
    t.is_known = false;
    assert_int_equal(shape_ints(&t, out, 5, &n, &err), ST_LATER);
    assert_int_equal(shape_ints(&t, out, 4, &n, &err), ST_BAD_MODEL); /* that will not get better */
    t = (struct tensor){.name = "t", .type = TYPE_INT8, .rank = 1, .dim = {3}, .data = (void *)bytes, .is_known = true};
    TEST_OK(shape_ints(&t, out, 5, &n, &err), err);
    assert_int_equal(out[0], -128);
    assert_int_equal(out[2], 3);
    t.rank = 2;
    t.dim[1] = 1;
    assert_int_equal(shape_ints(&t, out, 5, &n, &err), ST_BAD_MODEL);
    t.rank = 0;
    TEST_OK(shape_ints(&t, out, 5, &n, &err), err);
    assert_int_equal(n, 1);
    for (enum tensor_type type = TYPE_NONE; type < TYPE_COUNT; type++) {
        bool ints = type == TYPE_INT8 || type == TYPE_INT16 || type == TYPE_INT32 || type == TYPE_INT64;

        t.type = type;
        t.is_known = false;
        assert_int_equal(shape_ints(&t, out, 5, &n, &err), ints ? ST_LATER : ST_BAD_MODEL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_broadcast_as_in_numpy),
        cmocka_unit_test(windows_are_counted),
        cmocka_unit_test(bad_windows_are_refused),
        cmocka_unit_test(axes_count_from_both_ends),
        cmocka_unit_test(arity_is_checked),
        cmocka_unit_test(outputs_take_the_shape),
        cmocka_unit_test(sizes_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
