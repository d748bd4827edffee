/* SPDX-License-Identifier: Apache-2.0 */
/* error_map_test.c - each element falls into the cell that its indices say, and none out of the grid. */
#include "lib/compare/diff.h"
#include "lib/compare/error_map.h"
#include "lib/testing/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

static struct error_map map;

static struct tensor shape(enum tensor_type type, int32_t rank, const int32_t *dim)
{
    struct tensor t = {.type = type, .rank = rank};

    memcpy(t.dim, dim, (size_t)rank * sizeof *dim);
    return t;
}

#define SHAPE(...) shape(TYPE_FLOAT32, sizeof(int32_t[]){__VA_ARGS__} / sizeof(int32_t), (int32_t[]){__VA_ARGS__})

static float cell(uint32_t plane, uint32_t row, uint32_t column)
{
    const struct error_plane *p = &map.planes[plane];

    assert_true(row < p->n_rows && column < p->n_columns);
    return p->cells[row * p->n_columns + column];
}

static void begin(const struct tensor *t)
{
    map = (struct error_map){.rank = 0};
    assert_true(error_map_begin(&map, t));
}

/* [2,3,4]: place [1,2], channel 3. */
static void image(void **state)
{
    struct tensor t = SHAPE(1, 2, 3, 4);

    (void)state;
    begin(&t);
    assert_int_equal(map.n_planes, 2);
    error_map_add(&map, 5, 0);
    assert_false(error_map_any(&map));
    error_map_add(&map, (1 * 3 + 2) * 4 + 3, 5);
    error_map_add(&map, (1 * 3 + 2) * 4 + 0, 2);
    assert_int_equal(map.planes[0].rows * 100 + map.planes[0].columns * 10 + map.planes[0].over, 234);
    assert_int_equal(map.planes[1].rows * 100 + map.planes[1].columns * 10 + map.planes[1].over, 243);
    assert_true(error_map_any(&map));
    assert_true(cell(0, 1, 2) == 5 && cell(0, 0, 2) == 0 && cell(0, 1, 1) == 0);
    assert_true(cell(1, 1, 3) == 5 && cell(1, 1, 0) == 2 && cell(1, 0, 3) == 0);
}

/* 100 rows are pooled by 3, of which the last cell has one; 161 columns likewise. */
static void pooled(void **state)
{
    struct tensor t = SHAPE(100, 161);

    (void)state;
    begin(&t);
    assert_int_equal(map.n_planes, 1);
    assert_int_equal(map.planes[0].cell_rows, 3);
    assert_int_equal(map.planes[0].n_rows, 34);
    assert_int_equal(map.planes[0].cell_columns, 3);
    assert_int_equal(map.planes[0].n_columns, 54);
    error_map_add(&map, 99 * 161 + 160, 1);
    error_map_add(&map, 98 * 161 + 159, 0.5);
    assert_true(cell(0, 33, 53) == 1 && cell(0, 32, 53) == 0.5f && cell(0, 32, 52) == 0);
}

static void vector(void **state)
{
    struct tensor t = SHAPE(1, 1001, 1), scalar = {.type = TYPE_FLOAT32}, complex = SHAPE(7);

    (void)state;
    begin(&t);
    error_map_add(&map, 1000, 1);
    assert_int_equal(map.planes[0].n_rows, 13);
    assert_true(cell(0, 12, 40) == 1);
    begin(&scalar);
    error_map_add(&map, 0, 1e300);
    assert_true(cell(0, 0, 0) == FLT_MAX && map.planes[0].n_rows == 1 && map.planes[0].n_columns == 1);
    complex.type = TYPE_COMPLEX64;
    begin(&complex);
    error_map_add(&map, 13, 1);
    assert_true(cell(0, 6, 1) == 1);
}

/* Every element of shapes around the grid's limits falls into the grid, and the last into its last cell. */
static void within(void **state)
{
    const int32_t sizes[] = {1, 2, 39, 40, 41, 79, 80, 81, 160, 161, 163};
    const size_t n = sizeof sizes / sizeof *sizes;

    (void)state;
    for (size_t k = 0; k < n * n * 3; k++) {
        struct tensor t = SHAPE(sizes[k % n], sizes[k / n % n], (int32_t)(k / n / n) * 41 + 1);
        const size_t elems = tensor_elems(&t);

        begin(&t);
        for (uint32_t p = 0; p < map.n_planes; p++)
            assert_true(map.planes[p].n_rows <= ERROR_MAP_ROWS && map.planes[p].n_columns <= ERROR_MAP_COLUMNS);
        error_map_add(&map, elems - 1, 1);
        for (uint32_t p = 0; p < map.n_planes; p++)
            assert_true(cell(p, map.planes[p].n_rows - 1, (map.planes[p].columns - 1) / map.planes[p].cell_columns) == 1 ||
                        (map.n_planes == 1 && elems % map.planes[p].columns));
    }
}

static void shapes_and_nothing(void **state)
{
    struct tensor t = SHAPE(2, 3), other = SHAPE(3, 2), none = SHAPE(0, 4);

    (void)state;
    begin(&t);
    assert_false(error_map_begin(&map, &other));
    assert_true(map.shapes_differ);
    assert_true(error_map_begin(&map, &t));
    map = (struct error_map){.rank = 0};
    assert_false(error_map_begin(&map, &none));
    error_map_add(&map, 0, 1);
    assert_int_equal(map.n_planes, 0);
}

/* What diff_add counts as an error is what the map has, over all comparisons. */
static void of_a_diff(void **state)
{
    float a[] = {1, 2, 3, 4, 5, 6}, b[] = {1, 2.5f, 3, NAN, 5, 6};
    struct tensor ta = SHAPE(2, 3), tb = SHAPE(2, 3);
    struct diff d = {.map = &map};

    (void)state;
    map = (struct error_map){.rank = 0};
    ta.data = a, tb.data = b;
    ta.bytes = tb.bytes = sizeof a;
    diff_add(&d, &ta, &tb, false);
    b[1] = 2.25f, b[3] = 4, b[5] = 8;
    diff_add(&d, &ta, &tb, false);
    assert_true(cell(0, 0, 0) == 0 && cell(0, 0, 1) == 0.5f && isinf(cell(0, 1, 0)) && cell(0, 1, 2) == 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(image),
        cmocka_unit_test(pooled),
        cmocka_unit_test(vector),
        cmocka_unit_test(within),
        cmocka_unit_test(shapes_and_nothing),
        cmocka_unit_test(of_a_diff),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
