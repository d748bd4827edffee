/* SPDX-License-Identifier: Apache-2.0 */
/* index_range_test.c - one input and its readers, each model small enough to see the answer. */
#include "lib/graph/graph_infer.h"
#include "lib/graph/index_range.h"
#include "lib/testing/test_model.h"

static struct err err;
static struct builder b;
static int32_t x, table;

/* An INT32 input of that shape, and a table of 10 rows of 7. */
static void begin(const int32_t *dim, int32_t rank)
{
    static const float rows[70];

    builder_init(&b, "index");
    x = build_tensor(&b, "x", TYPE_INT32, dim, rank);
    table = build_const(&b, "table", TYPE_FLOAT32, SHAPE(10, 7), rows);
    build_inputs(&b, INDICES(x));
}

/* Ends the model at `y`; the walk must find [lo, hi] and blame `node`, or nothing where node is -1. */
static void check(int32_t y, int node, int64_t lo, int64_t hi)
{
    struct index_range r;
    struct loaded_graph l;
    enum status st;

    build_outputs(&b, INDICES(y));
    l = load_graph(&b, &st, &err);
    TEST_OK(st, err);
    TEST_OK(graph_infer(l.graph, &err), err);
    TEST_OK(index_range_find(l.graph, l.graph->inputs[0], &r, &err), err);
    if (node < 0) {
        assert_null(r.node);
    } else {
        assert_non_null(r.node);
        assert_int_equal(r.node->index, node);
        assert_int_equal(r.lo, lo);
        assert_int_equal(r.hi, hi);
    }
    unload_graph(&l);
}

static int32_t gather(int32_t from, int32_t index, int axis, const int32_t *dim, int32_t rank)
{
    int32_t y = build_tensor(&b, "y", TYPE_FLOAT32, dim, rank);

    build_op(&b, BUILTIN_GATHER, 1, &(struct opt_gather){axis, 0}, INDICES(from, index), INDICES(y));
    return y;
}

static void rows_of_a_table(void **state)
{
    (void)state;
    begin(SHAPE(4));
    check(gather(table, x, 0, SHAPE(4, 7)), 0, 0, 9);
    begin(SHAPE(4));
    check(gather(table, x, -1, SHAPE(10, 4)), 0, 0, 6);
}

/* Two readers: what both allow, and the one that narrowed it. */
static void two_readers(void **state)
{
    (void)state;
    begin(SHAPE(4));
    gather(table, x, 0, SHAPE(4, 7));
    check(gather(table, x, 1, SHAPE(10, 4)), 1, 0, 6);
}

static void through_reshape_and_cast(void **state)
{
    static const int32_t shape[] = {4};
    int32_t flat, wide, to;

    (void)state;
    begin(SHAPE(2, 2));
    to = build_const(&b, "shape", TYPE_INT32, SHAPE(1), shape);
    flat = build_tensor(&b, "flat", TYPE_INT32, SHAPE(4));
    wide = build_tensor(&b, "wide", TYPE_INT64, SHAPE(4));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4}, 1}, INDICES(x, to), INDICES(flat));
    build_op(&b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT32, TYPE_INT64}, INDICES(flat), INDICES(wide));
    check(gather(table, wide, 0, SHAPE(4, 7)), 2, 0, 9);
}

static void shifted(void **state)
{
    static const int32_t three[] = {3};
    int32_t c, sum;

    (void)state;
    begin(SHAPE(4));
    c = build_const(&b, "three", TYPE_INT32, SHAPE(1), three);
    sum = build_tensor(&b, "sum", TYPE_INT32, SHAPE(4));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, c), INDICES(sum));
    check(gather(table, sum, 0, SHAPE(4, 7)), 1, -3, 6);
}

/* SELECT(x < 0, x + 10, x): as TensorFlow writes negative indices. */
static void negative_wrapped(void **state)
{
    static const int32_t values[] = {0, 10};
    int32_t zero, ten, sum, less, which;

    (void)state;
    begin(SHAPE(4));
    zero = build_const(&b, "zero", TYPE_INT32, SHAPE(1), values);
    ten = build_const(&b, "ten", TYPE_INT32, SHAPE(1), values + 1);
    less = build_tensor(&b, "less", TYPE_BOOL, SHAPE(4));
    sum = build_tensor(&b, "sum", TYPE_INT32, SHAPE(4));
    which = build_tensor(&b, "which", TYPE_INT32, SHAPE(4));
    build_op(&b, BUILTIN_LESS, 1, NULL, INDICES(x, zero), INDICES(less));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(x, ten), INDICES(sum));
    build_op(&b, BUILTIN_SELECT_V2, 1, NULL, INDICES(less, sum, x), INDICES(which));
    check(gather(table, which, 0, SHAPE(4, 7)), 3, 0, 9);
}

static void places(void **state)
{
    int32_t y;

    (void)state;
    begin(SHAPE(3, 2)); /* [row, column]: 10 and 7 */
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(3));
    build_op(&b, BUILTIN_GATHER_ND, 1, NULL, INDICES(table, x), INDICES(y));
    check(y, 0, 0, 6);
    begin(SHAPE(3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(3, 7));
    build_op(&b, BUILTIN_EMBEDDING_LOOKUP, 1, NULL, INDICES(x, table), INDICES(y));
    check(y, 0, 0, 9);
}

static void parts(void **state)
{
    static const int32_t size[] = {8, 7};
    int32_t y, s;

    (void)state;
    begin(SHAPE(2));
    s = build_const(&b, "size", TYPE_INT32, SHAPE(2), size);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(8, 7));
    build_op(&b, BUILTIN_SLICE, 1, NULL, INDICES(table, x, s), INDICES(y));
    check(y, 0, 0, 0); /* all 7 columns: they begin at 0 */
}

static void positions(void **state)
{
    int32_t f, y;

    (void)state;
    begin(SHAPE(4));
    f = build_tensor(&b, "f", TYPE_FLOAT32, SHAPE(4));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(4));
    build_op(&b, BUILTIN_CAST, 1, &(struct opt_cast){TYPE_INT32, TYPE_FLOAT32}, INDICES(x), INDICES(f));
    build_op(&b, BUILTIN_SIN, 1, NULL, INDICES(f), INDICES(y));
    check(y, 0, 0, 2047);
}

static void unbounded(void **state)
{
    int32_t y;

    (void)state;
    begin(SHAPE(4));
    y = build_tensor(&b, "y", TYPE_INT32, SHAPE(4));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(y));
    check(y, -1, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_table), cmocka_unit_test(two_readers), cmocka_unit_test(through_reshape_and_cast),
        cmocka_unit_test(shifted),         cmocka_unit_test(places),      cmocka_unit_test(negative_wrapped),
        cmocka_unit_test(parts),           cmocka_unit_test(positions),   cmocka_unit_test(unbounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
