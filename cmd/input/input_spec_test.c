/* SPDX-License-Identifier: Apache-2.0 */
/* input_spec_test.c - the flags that describe inputs. */
#include "cmd/input/input_spec.h"
#include "lib/testing/test.h"

static struct arena arena;
static struct input_spec spec;
static struct err err;

static enum status parse(const char *layers, const char *shapes, const char *ranges, const char *files)
{
    err.msg[0] = '\0';
    return input_spec_parse(&(struct input_texts){layers, shapes, ranges, files, ""}, &arena, &spec, &err);
}

static void shapes(void **state)
{
    (void)state;
    assert_int_equal(parse("a,b:0", "1,224,224,3:7", "", ""), ST_OK);
    assert_int_equal(spec.n_shapes, 2);
    assert_string_equal(spec.shapes[0].name, "a");
    assert_string_equal(spec.shapes[1].name, "b:0");
    assert_int_equal(spec.shapes[0].rank, 4);
    assert_int_equal(spec.shapes[0].dim[3], 3);
    assert_int_equal(spec.shapes[1].dim[0], 7);
    assert_int_equal(parse("", "", "", ""), ST_OK);
    assert_int_equal(spec.n_shapes, 0);
}

static void bad_shapes(void **state)
{
    (void)state;
    assert_int_equal(parse("", "1", "", ""), ST_USAGE);
    assert_int_equal(parse("a", "", "", ""), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer needs --input_layer_shape, with one shape for each name");
    assert_int_equal(parse("a,b", "1", "", ""), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer has 2 names, --input_layer_shape 1 shapes");
    assert_int_equal(parse("a", "1:2", "", ""), ST_USAGE);
    assert_int_equal(parse("a", "1,-1", "", ""), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer_shape: '-1' in '1,-1' is no dimension from 0 to 2147483647");
    assert_int_equal(parse("a", "1,,2", "", ""), ST_USAGE);
    assert_int_equal(parse("a", "1,2,", "", ""), ST_USAGE);
    assert_int_equal(parse("a", "99999999999", "", ""), ST_USAGE);
    assert_int_equal(parse("a", "1,1,1,1,1,1,1,1,1", "", ""), ST_USAGE);
}

static void ranges(void **state)
{
    (void)state;
    assert_int_equal(parse("", "", "a,-1,1:scope::0,0.5,2:odd,name,3,4", ""), ST_OK);
    assert_int_equal(spec.n_ranges, 3);
    assert_string_equal(spec.ranges[0].lo, "-1");
    assert_string_equal(spec.ranges[1].name, "scope:0");
    assert_string_equal(spec.ranges[1].hi, "2");
    assert_string_equal(spec.ranges[2].name, "odd,name");
    assert_int_equal(parse("", "", "a,1", ""), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer_value_range: 'a' is not NAME,LOW,HIGH");
    assert_int_equal(parse("", "", "a", ""), ST_USAGE);
    assert_int_equal(parse("", "", ",1,2", ""), ST_USAGE);
    assert_int_equal(parse("", "", "a,1,2:", ""), ST_USAGE);
}

/* Blanks behind commas, which people write, are no part of what follows. */
static void blanks_behind_commas(void **state)
{
    (void)state;
    assert_int_equal(parse("a, b", "1, 512, 512, 3:2,  7", "a, 1, 2:b, -1.5, 3", "a:x.bin, b:y.bin"), ST_OK);
    assert_string_equal(spec.shapes[1].name, "b");
    assert_int_equal(spec.shapes[0].rank, 4);
    assert_int_equal(spec.shapes[0].dim[1], 512);
    assert_int_equal(spec.shapes[1].dim[1], 7);
    assert_string_equal(spec.ranges[1].lo, "-1.5");
    assert_string_equal(spec.ranges[0].hi, "2");
    assert_string_equal(spec.files[1].name, "b");
    assert_int_equal(parse("a", "1, ,2", "", ""), ST_USAGE);
}

static void files(void **state)
{
    (void)state;
    assert_int_equal(parse("", "", "", "a:x.bin,scope::b::0:dir/y.bin"), ST_OK);
    assert_int_equal(spec.n_files, 2);
    assert_string_equal(spec.files[0].path, "x.bin");
    assert_string_equal(spec.files[1].name, "scope:b:0");
    assert_string_equal(spec.files[1].path, "dir/y.bin");
    assert_int_equal(parse("", "", "", "a"), ST_USAGE);
    assert_string_equal(err.msg, "--input_layer_value_files: 'a' is not NAME:PATH");
    assert_int_equal(parse("", "", "", ":x"), ST_USAGE);
    assert_int_equal(parse("", "", "", "a:x,"), ST_USAGE);
}

static enum status parse_fill(const char *text)
{
    err.msg[0] = '\0';
    return input_spec_parse(&(struct input_texts){"", "", "", "", text}, &arena, &spec, &err);
}

static void fills(void **state)
{
    (void)state;
    assert_int_equal(parse_fill("zeros"), ST_OK);
    assert_true(spec.n_fills == 1 && !spec.fills[0].name && !spec.fills[0].draws);
    assert_string_equal(spec.fills[0].lo, "0");
    assert_int_equal(parse_fill("a::0,gauss:b,c,-1.5:d,uniform"), ST_OK);
    assert_int_equal(spec.n_fills, 3);
    assert_string_equal(spec.fills[0].name, "a:0");
    assert_true(spec.fills[0].draws && spec.fills[0].shape == RNG_GAUSS);
    assert_string_equal(spec.fills[1].name, "b,c");
    assert_string_equal(spec.fills[1].hi, "-1.5");
    assert_true(spec.fills[2].draws && spec.fills[2].shape == RNG_UNIFORM);
    assert_int_equal(parse_fill("a,1:zeros"), ST_USAGE);
    assert_string_equal(err.msg, "--input_fill: 'zeros' is not NAME,KIND");
    assert_int_equal(parse_fill("zeros:a,1"), ST_USAGE);
    assert_int_equal(parse_fill(",1"), ST_USAGE);
    assert_int_equal(parse_fill("a,ones"), ST_USAGE);
    assert_string_equal(err.msg, "--input_fill: 'ones' is neither gauss, uniform, zeros nor a number");
    assert_int_equal(parse_fill("a,"), ST_USAGE);
}

static int free_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes), cmocka_unit_test(bad_shapes),           cmocka_unit_test(ranges),
        cmocka_unit_test(files),  cmocka_unit_test(blanks_behind_commas), cmocka_unit_test(fills),
    };

    return cmocka_run_group_tests(tests, NULL, free_arena);
}
