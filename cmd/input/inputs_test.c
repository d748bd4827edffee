/* SPDX-License-Identifier: Apache-2.0 */
/* inputs_test.c - which tensor a name means, and what its bytes become. */
#include "cmd/host/files.h"
#include "cmd/input/inputs.h"
#include "lib/testing/test_delegate.h"
#include "lib/testing/test_files.h"

static struct loaded l;
static struct session *s;
static struct input_flags flags;
static struct inputs in;
static struct err err;

/* FLOAT32 "a:0", which the signature calls "left", and INT8 "b" and INT32 "c", shapes [2,3]. */
static int set_up(void **state)
{
    struct session_options opt = {.num_threads = 1};
    struct builder b;
    int32_t a, i8, i32, y0, y1, y2;

    (void)state;
    builder_init(&b, "three inputs");
    a = build_tensor(&b, "a:0", TYPE_FLOAT32, SHAPE(2, 3));
    i8 = build_tensor(&b, "b", TYPE_INT8, SHAPE(2, 3));
    i32 = build_tensor(&b, "c", TYPE_INT32, SHAPE(2, 3));
    y0 = build_tensor(&b, "y0", TYPE_FLOAT32, SHAPE(2, 3));
    y1 = build_tensor(&b, "y1", TYPE_FLOAT32, SHAPE(2, 3));
    y2 = build_tensor(&b, "y2", TYPE_INT32, SHAPE(2, 3));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(a), INDICES(y0));
    build_op(&b, BUILTIN_CAST, 1, NULL, INDICES(i8), INDICES(y1));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(i32), INDICES(y2));
    build_inputs(&b, INDICES(a, i8, i32));
    build_outputs(&b, INDICES(y0, y1, y2));
    build_signature(&b, "serving_default", (const char *const[]){"left", "b8", "c32"}, (const char *const[]){"p", "q", "r"});
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    flag_set_defaults(input_flag_table, &flags);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    inputs_fini(&in);
    session_free(s);
    unload(&l);
    return 0;
}

/* All that a tool does with the flags, for one run. */
static enum status fill(uint64_t run)
{
    enum status st;

    inputs_fini(&in);
    if ((st = inputs_init(&in, &flags, RNG_UNIFORM, &err)) || (st = inputs_resize(&in, s, &err)) || (st = session_prepare(s, &err)))
        return st;
    return inputs_fill(&in, s, run, &err);
}

static void within_ranges(void **state)
{
    const float *a;
    const int8_t *b;

    (void)state;
    flags.ranges = "left,0.5,0.75:b,-3,-2:c32,7,7";
    TEST_OK(fill(0), err);
    a = session_input(s, 0)->data;
    b = session_input(s, 1)->data;
    for (int i = 0; i < 6; i++) {
        assert_true(a[i] >= 0.5f && a[i] <= 0.75f);
        assert_true(b[i] == -3 || b[i] == -2);
        assert_int_equal(((int32_t *)session_input(s, 2)->data)[i], 7);
    }
}

static void ranges_fit_the_type(void **state)
{
    static const char *const bad[] = {"b,-129,0", "b,0,0.5", "b,1,0", "left,0,1e39", "left,1,0", "left,x,1", "c,0,2147483648"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        flags.ranges = bad[i];
        assert_int_equal(fill(0), ST_USAGE);
        assert_non_null(strstr(err.msg, "--input_layer_value_range: '"));
    }
}

static void names_must_be_inputs(void **state)
{
    (void)state;
    flags.ranges = "nobody,0,1";
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer_value_range: no input is called 'nobody'; the first of 3 is 'a:0'");
    flags.ranges = "";
    flags.layers = "nobody", flags.shapes = "1";
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer: no input is called 'nobody'; the first of 3 is 'a:0'");
}

static void shapes(void **state)
{
    (void)state;
    flags.layers = "left,b", flags.shapes = "4:1,2,2";
    TEST_OK(fill(0), err);
    assert_true(session_input(s, 0)->rank == 1 && session_input(s, 0)->dim[0] == 4);
    assert_true(session_input(s, 1)->rank == 3 && session_input(s, 1)->dim[2] == 2);
    assert_true(session_input(s, 2)->rank == 2);
}

/* The same seed and run give the same bytes; another seed, another run or another input do not. */
static void seeds(void **state)
{
    float first[6], again[6];

    (void)state;
    TEST_OK(fill(0), err);
    memcpy(first, session_input(s, 0)->data, sizeof first);
    TEST_OK(fill(1), err);
    assert_memory_not_equal(first, session_input(s, 0)->data, sizeof first);
    TEST_OK(fill(0), err);
    memcpy(again, session_input(s, 0)->data, sizeof again);
    assert_memory_equal(first, again, sizeof first);
    flags.seed = 2;
    TEST_OK(fill(0), err);
    assert_memory_not_equal(first, session_input(s, 0)->data, sizeof first);
}

static void files(void **state)
{
    const int8_t bytes[6] = {1, -2, 3, -4, 5, -6};
    struct file_piece piece = {bytes, sizeof bytes};
    char dir[64], path[96], option[128], command[128];

    (void)state;
    make_temp_dir(dir);
    snprintf(path, sizeof path, "%s/input_1.bin", dir);
    TEST_OK(file_write(path, &piece, 1, &err), err);
    snprintf(option, sizeof option, "b:%s", path);
    flags.files = option;
    TEST_OK(fill(0), err);
    assert_memory_equal(session_input(s, 1)->data, bytes, 6);
    flags.dir = dir;
    assert_int_equal(fill(0), ST_USAGE); /* both */
    assert_string_equal(err.msg, "--input_dir and --input_layer_value_files exclude each other");
    flags.files = "";
    assert_int_equal(fill(0), ST_IO); /* the folder must have all of them */
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

static void fills(void **state)
{
    static const char *const bad[] = {"b,300", "c,0.5", "left,1e39", "nobody,1", "x", "b,zeros:zeros"};
    const float *a;

    (void)state;
    flags.fills = "left,0.25:b,-7:c,zeros";
    TEST_OK(fill(0), err);
    a = session_input(s, 0)->data;
    for (int i = 0; i < 6; i++)
        assert_true(a[i] == 0.25f && ((int8_t *)session_input(s, 1)->data)[i] == -7 && !((int32_t *)session_input(s, 2)->data)[i]);
    assert_false(inputs_random_integers(&in, s));
    flags.fills = "gauss";
    flags.ranges = "left,2,3";
    TEST_OK(fill(0), err);
    a = session_input(s, 0)->data;
    for (int i = 0; i < 6; i++)
        assert_true(a[i] >= 2 && a[i] <= 3);
    flags.fills = "9"; /* all but those that have a range */
    TEST_OK(fill(0), err);
    a = session_input(s, 0)->data;
    assert_true(a[0] >= 2 && a[0] <= 3 && ((int8_t *)session_input(s, 1)->data)[5] == 9);
    flags.fills = "left,1";
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "--input_fill: 'left' is a constant, and has a range by --input_layer_value_range");
    flags.ranges = "";
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        flags.fills = bad[i];
        assert_int_equal(fill(0), ST_USAGE);
        assert_memory_equal(err.msg, "--input_fill: ", 14);
    }
}

/* Gaussian content is not the uniform one, and the default of each tool is one of them. */
static void drawn_as_asked(void **state)
{
    uint8_t uniform[24], gauss[24];

    (void)state;
    TEST_OK(fill(0), err);
    memcpy(uniform, session_input(s, 0)->data, 24);
    flags.fills = "left,gauss";
    TEST_OK(fill(0), err);
    memcpy(gauss, session_input(s, 0)->data, 24);
    assert_memory_not_equal(gauss, uniform, 24);
    flags.fills = "uniform";
    TEST_OK(fill(0), err);
    assert_memory_equal(session_input(s, 0)->data, uniform, 24);
}

/* Where the file has -1 the array says the shape, but not over a flag, nor where the file has a number. */
static void shapes_of_arrays(void **state)
{
    static const int32_t rows[] = {-1, 3}, columns[] = {2, -1}, one[] = {1, 3};
    struct tensor *t = session_input(s, 0);

    (void)state;
    flags.files = "left:testdata/npy/f4.npy"; /* [2,3] */
    TEST_OK(inputs_init(&in, &flags, RNG_UNIFORM, &err), err);
    t->n_signature = 2;
    for (int k = 0; k < 2; k++) {
        t->signature = k ? rows : columns;
        TEST_OK(session_resize_input(s, 0, one, 2, &err), err);
        TEST_OK(inputs_resize(&in, s, &err), err);
        assert_int_equal(t->dim[0], k ? 2 : 1);
    }
    inputs_fini(&in);
    flags.layers = "left", flags.shapes = "1,3";
    TEST_OK(inputs_init(&in, &flags, RNG_UNIFORM, &err), err);
    TEST_OK(inputs_resize(&in, s, &err), err);
    assert_int_equal(t->dim[0], 1);
}

/* Arrays that NumPy wrote, by name and from a folder; element i is i - 3. */
static void arrays(void **state)
{
    char dir[64], command[512];

    (void)state;
    flags.files = "left:testdata/npy/f4_fortran_2_3_4.npy";
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "testdata/npy/f4_fortran_2_3_4.npy has shape [2,3,4], 'a:0' is FLOAT32[2,3]");
    flags.files = "left:testdata/npy/f4.npy,b:testdata/npy/i1.npy,c:testdata/npy/i4.npy";
    TEST_OK(fill(0), err);
    for (int i = 0; i < 6; i++) {
        assert_true(((float *)session_input(s, 0)->data)[i] == (float)(i - 3));
        assert_int_equal(((int8_t *)session_input(s, 1)->data)[i], i - 3);
        assert_int_equal(((int32_t *)session_input(s, 2)->data)[i], i - 3);
    }
    make_temp_dir(dir);
    snprintf(command, sizeof command,
             "cd testdata/npy && cp f4.npy %s/input_0.npy && cp i1.npy %s/input_1.npy && cp i4.npy "
             "%s/input_2.npy",
             dir, dir, dir);
    assert_int_equal(system(command), 0);
    flags.files = "", flags.dir = dir;
    memset(session_input(s, 2)->data, 0, 24);
    TEST_OK(fill(0), err);
    assert_int_equal(((int32_t *)session_input(s, 2)->data)[5], 2);
    snprintf(command, sizeof command, "cp testdata/npy/f4.npy %s/input_0.bin", dir);
    assert_int_equal(system(command), 0);
    assert_int_equal(fill(0), ST_USAGE);
    assert_non_null(strstr(err.msg, "/input_0.npy and input_0.bin are both there for input 0"));
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
}

/* A picture of 7 x 5 in an input of 3 x 2. */
static void images(void **state)
{
    const float *a;

    (void)state;
    flags.files = "left:testdata/images/gray.pgm,b:testdata/images/rgb.bmp";
    TEST_OK(fill(0), err);
    a = session_input(s, 0)->data;
    for (int i = 0; i < 6; i++)
        assert_true(a[i] >= -1 && a[i] <= 1);
    flags.image_resize = RESIZE_NONE;
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "testdata/images/gray.pgm is 7 x 5 pixels, input 'a:0' FLOAT32[2,3] takes 3 x 2 "
                                 "(--image_resize=bilinear)");
    flags.mean = "x";
    assert_int_equal(fill(0), ST_USAGE);
    assert_string_equal(err.msg, "--input_mean: 'x' is no number");
}

/* Where those are indices, the run may fail: the tools warn. */
static void random_integers(void **state)
{
    (void)state;
    TEST_OK(fill(0), err);
    assert_true(inputs_random_integers(&in, s));
    flags.ranges = "c,0,4";
    TEST_OK(fill(0), err);
    assert_false(inputs_random_integers(&in, s)); /* INT8 is no index */
}

/* b and c reach no table: a model whose input does is built anew. */
static void random_indices(void **state)
{
    static const float rows[5] = {0};
    struct session_options opt = {.num_threads = 1};
    struct index_range r;
    struct builder b;
    int32_t x, table, y;

    (void)state;
    TEST_OK(fill(0), err);
    TEST_OK(inputs_chosen_range(&in, s, 2, &r, &err), err);
    assert_null(r.node);
    session_free(s);
    s = NULL;
    unload(&l);
    builder_init(&b, "a table");
    x = build_tensor(&b, "x", TYPE_INT32, SHAPE(64));
    table = build_const(&b, "table", TYPE_FLOAT32, SHAPE(5, 1), rows);
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(64, 1));
    build_op(&b, BUILTIN_GATHER, 1, NULL, INDICES(table, x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    TEST_OK(fill(0), err);
    for (int i = 0; i < 64; i++)
        assert_in_range(((int32_t *)session_input(s, 0)->data)[i], 0, 4);
    TEST_OK(inputs_chosen_range(&in, s, 0, &r, &err), err);
    assert_true(r.node && r.lo == 0 && r.hi == 4);
    flags.ranges = "x,7,7";
    TEST_OK(fill(0), err);
    assert_int_equal(((int32_t *)session_input(s, 0)->data)[63], 7);
    TEST_OK(inputs_chosen_range(&in, s, 0, &r, &err), err);
    assert_null(r.node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(within_ranges, set_up, tear_down),
        cmocka_unit_test_setup_teardown(ranges_fit_the_type, set_up, tear_down),
        cmocka_unit_test_setup_teardown(names_must_be_inputs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shapes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(seeds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files, set_up, tear_down),
        cmocka_unit_test_setup_teardown(fills, set_up, tear_down),
        cmocka_unit_test_setup_teardown(drawn_as_asked, set_up, tear_down),
        cmocka_unit_test_setup_teardown(arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shapes_of_arrays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(images, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_integers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(random_indices, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
