/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff_test.c - tensors of a quantized model against those of its float twin, by name. */
#include "lib/compare/name_diff.h"
#include "lib/testing/test_delegate.h"

#include <math.h>

#include "lib/tensor/element.h"

static struct err err;

/* x -> "middle" -> `last`, reshaped; INT8 by the scale 1/2 where quantized. */
static struct loaded three(const char *last, bool quantized)
{
    const enum tensor_type type = quantized ? TYPE_INT8 : TYPE_FLOAT32;
    struct builder b;
    int32_t x, m, y;

    builder_init(&b, "three");
    x = build_tensor(&b, "x", type, SHAPE(4));
    m = build_tensor(&b, "middle", type, SHAPE(2, 2));
    y = build_tensor(&b, last, type, SHAPE(4, 1));
    if (quantized)
        for (int32_t t = 0; t < 3; t++)
            build_quant(&b, t == 0 ? x : t == 1 ? m : y, 0.5f, 1);
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{2, 2}, 2}, INDICES(x), INDICES(m));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4, 1}, 2}, INDICES(m), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct session *run(const struct loaded *l, const void *x, size_t bytes)
{
    struct session_options opt = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    struct session *s;

    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_set_input(s, 0, x, bytes, &err), err);
    TEST_OK(session_run(s, &err), err);
    return s;
}

static void twins_by_name(void **state)
{
    static const float x[4] = {1, 2, 3.25f, -4};
    static const int8_t q[4] = {3, 5, 7, -7};
    struct loaded a = three("y", false), b = three("y_int8", true);
    struct session *reference = run(&a, x, sizeof x), *test = run(&b, q, sizeof q);
    struct name_diffs o;

    (void)state;
    TEST_OK(name_diffs_init(&o, reference, test, &err), err);
    assert_true(o.n == 1 && o.without == 1);
    assert_string_equal(o.rows[0].test->name, "middle");
    assert_null(name_diffs_worst(&o));
    name_diffs_add(&o);
    name_diffs_add(&o);
    assert_true(o.rows[0].diff.comparisons == 2 && o.rows[0].diff.different == 2);
    assert_true(o.rows[0].diff.max_abs == 0.25 && o.rows[0].diff.worst_reference == 3.25 && o.rows[0].diff.worst_test == 3);
    assert_ptr_equal(name_diffs_worst(&o), &o.rows[0]);
    name_diffs_free(&o);
    TEST_OK(name_diffs_init(&o, test, reference, &err), err);
    name_diffs_allow(&o, test, &(struct tolerances){0}, PRECISION_FP32);
    assert_true(o.rows[0].diff.allowed.share > 0 && !o.rows[0].diff.allowed.steps); /* real numbers, not steps */
    name_diffs_free(&o);
    session_free(reference);
    session_free(test);
    unload(&a);
    unload(&b);
}

enum { ELEMS = 24 };

/* x -> "m" of that shape. */
static struct loaded shaped(enum tensor_type type, const int32_t *dim, int32_t rank, bool quantized)
{
    struct opt_reshape to = {.num_dimensions = rank};
    struct builder b;
    int32_t x, m;

    memcpy(to.shape, dim, (size_t)rank * sizeof *dim);
    builder_init(&b, "shaped");
    x = build_tensor(&b, "x", type, SHAPE(ELEMS));
    m = build_tensor(&b, "m", type, dim, rank);
    if (quantized) {
        build_quant(&b, x, 0.5f, 1);
        build_quant(&b, m, 0.5f, 1);
    }
    build_op(&b, BUILTIN_RESHAPE, 1, &to, INDICES(x), INDICES(m));
    build_ends(&b, INDICES(x), INDICES(m));
    return load(&b);
}

/* Where the element i of the reference is on the test side. */
static size_t place(const char *layout, size_t i)
{
    if (!strcmp(layout, "NCHW")) /* [1,4,2,3] against [1,2,3,4] */
        return (i / 3 % 2 * 3 + i % 3) * 4 + i / 6;
    if (!strcmp(layout, "NHWC")) /* [1,2,3,4] against [1,4,2,3] */
        return (i % 4 * 2 + i / 12) * 3 + i / 4 % 3;
    return (i / 12 * 4 + i % 4) * 3 + i / 4 % 3; /* [2,3,4] against [2,4,3] */
}

static void fill(struct tensor *t, size_t i, int value, bool quantized)
{
    if (t->type == TYPE_FLOAT32)
        ((float *)t->data)[i] = (float)value;
    else
        element_set_int(t, i, quantized ? 2 * value + 1 : value);
}

/* Element 13 is 1 off. */
static void compare_turned(const char *layout, const int32_t *of_reference, const int32_t *of_test, int32_t rank,
                           enum tensor_type type, enum tensor_type test_type, bool quantized)
{
    uint8_t bytes[2][ELEMS * 4] = {{0}};
    struct tensor x[2] = {{.type = type, .data = bytes[0]}, {.type = test_type, .data = bytes[1]}};
    struct loaded a = shaped(type, of_reference, rank, false), b = shaped(test_type, of_test, rank, quantized);
    struct session *reference, *test;
    struct name_diffs o;

    for (size_t i = 0; i < ELEMS; i++) {
        fill(&x[0], i, (int)(i % 15) - 8, false);
        fill(&x[1], place(layout, i), (int)(i % 15) - 8 + (i == 13), quantized);
    }
    reference = run(&a, bytes[0], type_bytes(type, ELEMS));
    test = run(&b, bytes[1], type_bytes(test_type, ELEMS));
    TEST_OK(name_diffs_init(&o, reference, test, &err), err);
    assert_int_equal(o.n, 1);
    name_diffs_add(&o);
    assert_string_equal(o.rows[0].layout->name, layout);
    assert_true(o.rows[0].diff.elems == ELEMS && o.rows[0].diff.different == 1 && o.rows[0].diff.max_abs == 1);
    assert_true(o.rows[0].diff.worst == 13 && o.rows[0].diff.worst_reference == 5 && o.rows[0].diff.worst_test == 6);
    name_diffs_free(&o);
    session_free(reference);
    session_free(test);
    unload(&a);
    unload(&b);
}

static void other_orders_of_axes(void **state)
{
    static const struct {
        enum tensor_type reference, test;
        bool quantized;
    } types[] = {{TYPE_FLOAT32, TYPE_FLOAT32, false},
                 {TYPE_INT8, TYPE_INT8, false},
                 {TYPE_INT4, TYPE_INT4, false},
                 {TYPE_FLOAT32, TYPE_INT8, true}};
    static const int32_t first[] = {1, 4, 2, 3}, last[] = {1, 2, 3, 4}, rows[] = {2, 3, 4}, columns[] = {2, 4, 3};

    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        compare_turned("NCHW", first, last, 4, types[i].reference, types[i].test, types[i].quantized);
        compare_turned("NHWC", last, first, 4, types[i].reference, types[i].test, types[i].quantized);
        compare_turned("NCW", rows, columns, 3, types[i].reference, types[i].test, types[i].quantized);
    }
}

static void count_twins(struct loaded a, struct loaded b, uint32_t n, uint32_t without, uint32_t same_names)
{
    static const float x[ELEMS] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct session *reference = run(&a, x, sizeof x), *test = run(&b, x, sizeof x);
    struct name_diffs o;

    TEST_OK(name_diffs_init(&o, reference, test, &err), err);
    name_diffs_add(&o);
    assert_true(o.n == n && o.without == without && o.same_names == same_names);
    for (uint32_t i = 0; i < n; i++)
        assert_true(!o.rows[i].layout && o.rows[i].diff.comparisons == 1 && !o.rows[i].diff.different);
    name_diffs_free(&o);
    session_free(reference);
    session_free(test);
    unload(&a);
    unload(&b);
}

static struct loaded floats(const int32_t *dim, int32_t rank)
{
    return shaped(TYPE_FLOAT32, dim, rank, false);
}

static void equal_shapes_stay(void **state)
{
    (void)state;
    count_twins(floats(SHAPE(3, 2, 2, 2)), floats(SHAPE(3, 2, 2, 2)), 1, 0, 0);
    count_twins(floats(SHAPE(6, 2, 2)), floats(SHAPE(6, 2, 2)), 1, 0, 0);
    count_twins(floats(SHAPE(1, 3, 2, 4)), floats(SHAPE(1, 4, 2, 3)), 0, 1, 0); /* no order of channels */
    count_twins(floats(SHAPE(2, 3, 4)), floats(SHAPE(3, 2, 4)), 0, 1, 0);
    count_twins(floats(SHAPE(4, 6)), floats(SHAPE(6, 4)), 0, 1, 0);
}

/* x -ABS-> `middle` -NEG-> `last`. */
static struct loaded negative(const char *middle, const char *last)
{
    struct builder b;
    int32_t x, m, y;

    builder_init(&b, "negative");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(ELEMS));
    m = build_tensor(&b, middle, TYPE_FLOAT32, SHAPE(ELEMS));
    y = build_tensor(&b, last, TYPE_FLOAT32, SHAPE(ELEMS));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(x), INDICES(m));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(m), INDICES(y));
    build_ends(&b, INDICES(x), INDICES(y));
    return load(&b);
}

static void names_of_several(void **state)
{
    (void)state;
    count_twins(negative("m", "y"), negative("m", "y"), 2, 0, 0);
    count_twins(negative("m", "m"), negative("m", "y"), 0, 2, 1);
    count_twins(negative("m", "y"), negative("m", "m"), 0, 2, 2);
    count_twins(negative("a", "b"), negative("m", "m"), 0, 2, 0);
    count_twins(negative("", "y"), negative("", "y"), 1, 1, 0);
}

/* The node of the first row beyond these limits; -1 for none. */
static int first_off(struct name_diffs *o, const struct session *reference, const char *atol)
{
    struct tolerances ts = {0};
    const struct name_diff *first;

    TEST_OK(tolerances_fail_on(&ts, "max", &err), err);
    TEST_OK(tolerances_add(&ts, TOLERANCE_ATOL, "atol", atol, &err), err);
    for (uint32_t i = 0; i < o->n; i++)
        o->rows[i].diff = (struct diff){0};
    name_diffs_allow(o, reference, &ts, PRECISION_FP32);
    name_diffs_add(o);
    first = name_diffs_first_off(o);
    tolerances_free(&ts);
    return first ? (int)first->node->index : -1;
}

static void first_beyond_limits(void **state)
{
    static const float x[ELEMS] = {1, 2}, off[ELEMS] = {1, 2.5f};
    struct loaded a = negative("m", "y"), b = negative("m", "y");
    struct session *reference = run(&a, x, sizeof x), *test = run(&b, off, sizeof off);
    struct name_diffs o;

    (void)state;
    TEST_OK(name_diffs_init(&o, reference, test, &err), err);
    assert_int_equal(first_off(&o, reference, "10"), -1);
    assert_int_equal(first_off(&o, reference, "0.1"), 0);
    assert_int_equal(first_off(&o, reference, "10,NEG:0.1"), 1);
    assert_int_equal(first_off(&o, reference, "0.1,ABS:0.5"), 1);
    name_diffs_free(&o);
    session_free(reference);
    session_free(test);
    unload(&a);
    unload(&b);
}

/* x, shape -> "m", whose shape is known while running alone. */
static struct loaded unshaped(void)
{
    struct builder b;
    int32_t x, shape, m;

    builder_init(&b, "unshaped");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(ELEMS));
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(2));
    m = build_tensor(&b, "m", TYPE_FLOAT32, SHAPE(2, 12));
    build_op(&b, BUILTIN_RESHAPE, 1, NULL, INDICES(x, shape), INDICES(m));
    build_ends(&b, INDICES(x, shape), INDICES(m));
    return load(&b);
}

static void run_shaped(struct session *s, const float *x, int32_t rows)
{
    TEST_OK(session_set_input(s, 0, x, ELEMS * sizeof *x, &err), err);
    TEST_OK(session_set_input(s, 1, (int32_t[]){rows, ELEMS / rows}, 8, &err), err);
    TEST_OK(session_run(s, &err), err);
}

static void what_is_not_compared(void **state)
{
    static const struct session_options opt = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    static const float x[ELEMS] = {1, 2}, off[ELEMS] = {2, 2};
    struct loaded a = floats(SHAPE(4, 6)), b = unshaped();
    struct session *fixed = run(&a, x, sizeof x), *open;
    struct name_diffs o;
    struct tensor bare, none;

    (void)state;
    TEST_OK(session_new(b.model, &opt, &open, &err), err);
    TEST_OK(session_prepare(open, &err), err);
    TEST_OK(name_diffs_init(&o, fixed, open, &err), err);
    run_shaped(open, off, 6);
    name_diffs_add(&o);
    assert_true(o.n == 1 && o.rows[0].diff.comparisons == 0 && o.rows[0].skipped[NAME_DIFF_SHAPE] == 1);
    assert_null(name_diffs_worst(&o));
    run_shaped(open, off, 4);
    name_diffs_add(&o);
    assert_true(o.rows[0].diff.comparisons == 1 && o.rows[0].diff.max_abs == 1);
    assert_int_equal(name_diffs_skipped(&o, NAME_DIFF_SHAPE), 1);
    assert_int_equal(name_diffs_skipped(&o, NAME_DIFF_NO_DATA), 0);
    bare = *o.rows[0].reference;
    bare.data = NULL;
    o.rows[0].reference = &bare;
    name_diffs_add(&o);
    assert_int_equal(o.rows[0].skipped[NAME_DIFF_NO_DATA], 1);
    assert_int_equal(name_diffs_skipped(&o, NAME_DIFF_NO_DATA), 1);
    assert_int_equal(o.rows[0].diff.comparisons, 1);
    none = bare; /* without elements there is no data to miss */
    none.dim[0] = 0;
    none.bytes = 0;
    o.rows[0].reference = o.rows[0].test = &none;
    name_diffs_add(&o);
    assert_true(o.rows[0].skipped[NAME_DIFF_NO_DATA] == 1 && o.rows[0].diff.comparisons == 2);
    name_diffs_free(&o);
    TEST_OK(name_diffs_init(&o, open, fixed, &err), err); /* the reference's shape */
    name_diffs_add(&o);
    assert_true(o.n == 1 && o.rows[0].diff.comparisons == 0 && name_diffs_skipped(&o, NAME_DIFF_SHAPE) == 1);
    name_diffs_free(&o);
    session_free(fixed);
    session_free(open);
    unload(&a);
    unload(&b);
}

/* What tensors "a", "b" and "c" of nodes 0, 1 and 2 have, one after the other; NAN: there is none. Node 1 adds the constant 1. */
static void begins(const float value[3], const char *expected)
{
    static const float one[ELEMS] = {1}, x[ELEMS] = {1};
    float data[3][ELEMS] = {{0}};
    struct tensor made[3];
    const struct node *nodes[3];
    struct tolerances ts = {0};
    const struct name_diff *first;
    struct builder b;
    struct loaded l;
    struct session *s;
    struct name_diffs o;
    int32_t t[5];
    char found[8] = "";
    uint32_t n = 0, n_nodes = 0;

    builder_init(&b, "three nodes");
    for (int k = 0; k < 4; k++)
        t[k] = build_tensor(&b, (const char *const[]){"x", "a", "b", "c"}[k], TYPE_FLOAT32, SHAPE(ELEMS));
    t[4] = build_const(&b, "one", TYPE_FLOAT32, SHAPE(ELEMS), one);
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(t[0]), INDICES(t[1]));
    build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(t[1], t[4]), INDICES(t[2]));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(t[2]), INDICES(t[3]));
    build_ends(&b, INDICES(t[0]), INDICES(t[3]));
    l = load(&b);
    s = run(&l, x, sizeof x);
    for (int k = 0; k < 3; k++)
        if (!isnan(value[k])) {
            made[n] = (struct tensor){.name = (const char *const[]){"a", "b", "c"}[k], .type = TYPE_FLOAT32, .data = data[n]};
            TEST_OK(tensor_set_shape(&made[n], (int32_t[]){ELEMS}, 1, &err), err);
            data[n++][0] = value[k];
        }
    TEST_OK(name_diffs_init_tensors(&o, made, n, s, &err), err);
    assert_int_equal(o.n, n);
    TEST_OK(tolerances_fail_on(&ts, "max", &err), err);
    name_diffs_allow(&o, s, &ts, PRECISION_FP32);
    name_diffs_add(&o);
    if ((first = name_diffs_first_off(&o)))
        TEST_OK(name_diffs_begins(&o, first, s, nodes, &n_nodes, &err), err);
    for (uint32_t i = 0; i < n_nodes; i++)
        found[i] = (char)('0' + nodes[i]->index);
    assert_string_equal(found, expected);
    tolerances_free(&ts);
    name_diffs_free(&o);
    session_free(s);
    unload(&l);
}

static void where_an_error_begins(void **state)
{
    (void)state;
    begins((float[]){1, 2, -2}, "");
    begins((float[]){1, 3, -3}, "1");
    begins((float[]){1, NAN, -3}, "12");
    begins((float[]){NAN, 2, -3}, "2");
    begins((float[]){NAN, NAN, -3}, "012");
    begins((float[]){2, NAN, -3}, "0");
}

/* [1,2,3,4] to [1,4,2,3]. */
static void turns_axes(void **state)
{
    float last[ELEMS], first[ELEMS];
    struct tensor from = {.type = TYPE_FLOAT32, .data = last}, to = {.type = TYPE_FLOAT32, .data = first};
    const struct name_layout *l;

    (void)state;
    TEST_OK(tensor_set_shape(&from, (int32_t[]){1, 2, 3, 4}, 4, &err), err);
    TEST_OK(tensor_set_shape(&to, (int32_t[]){1, 4, 2, 3}, 4, &err), err);
    for (size_t i = 0; i < ELEMS; i++)
        last[i] = (float)i;
    assert_non_null(l = name_layout_between(&to, &from));
    name_layout_turn(l, &from, &to);
    for (size_t i = 0; i < ELEMS; i++)
        assert_true(first[i] == (float)place("NCHW", i));
    assert_null(name_layout_between(&from, &from));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twins_by_name),         cmocka_unit_test(other_orders_of_axes), cmocka_unit_test(equal_shapes_stay),
        cmocka_unit_test(names_of_several),      cmocka_unit_test(first_beyond_limits),  cmocka_unit_test(what_is_not_compared),
        cmocka_unit_test(where_an_error_begins), cmocka_unit_test(turns_axes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
