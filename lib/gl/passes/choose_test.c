/* SPDX-License-Identifier: Apache-2.0 */
/* choose_test.c - which variant is taken: the first that fits and pays, the one asked for by index or by name. */
#include "lib/gl/passes/choose.h"

#include <string.h>

#include "lib/testing/test.h"

static bool small(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)lim;
    return op->out->shape.c < 10;
}

static bool never(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)op;
    (void)lim;
    return false;
}

static uint64_t channels(const struct ir_op *op)
{
    return (uint64_t)op->out->shape.c;
}

static void nothing(struct gl_shader *p, const struct ir_op *op)
{
    (void)p;
    (void)op;
}

static const struct gl_variant variants[] = {
    {"dear", .pays = never}, {"small", small}, {"any", .emit = nothing, .iterations = channels}};
static const struct ir_kind kind = {.name = "test", GL_VARIANTS(variants)};

static const char *chosen(int32_t c, struct gl_choice *choice)
{
    struct ir_value y = {.shape = {1, 1, 1, c}};
    struct ir_op op = {.kind = &kind, .out = &y};
    struct gl_limits lim = gl_limits_least;
    const struct gl_variant *v;

    lim.policy.iterations = 20;
    v = gl_choose(&op, &lim, choice);
    return v ? v->name : "none";
}

static void the_first_that_fits_and_pays(void **state)
{
    (void)state;
    assert_string_equal(chosen(9, NULL), "small");
    assert_string_equal(chosen(20, NULL), "any");
    assert_string_equal(chosen(21, NULL), "dear");
}

static void by_index_what_pays_comes_first(void **state)
{
    static const char *const small_ones[] = {"small", "any", "dear", "dear"};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        struct gl_choice choice = {.pick = {.variant = (uint16_t)i}};

        assert_string_equal(chosen(9, &choice), small_ones[i]);
        assert_int_equal(choice.most, 3);
    }
}

static void by_name_where_it_fits(void **state)
{
    struct gl_forced forced = {.list = {{&kind, &variants[1], 0}, {&kind, &variants[0], 0}}, .n = 1};
    struct gl_choice choice = {.forced = &forced};

    (void)state;
    assert_string_equal(chosen(20, &choice), "any");
    assert_int_equal(forced.list[0].used, 0);
    assert_string_equal(chosen(9, &choice), "small");
    assert_int_equal(forced.list[0].used, 1);
    forced.n = 2;
    assert_string_equal(chosen(20, &choice), "dear");
    assert_int_equal(forced.list[1].used, 1);
    assert_int_equal(forced.list[1].behind, 0);
    assert_string_equal(chosen(9, &choice), "small");
    assert_int_equal(forced.list[1].used, 1);
    assert_int_equal(forced.list[1].behind, 1);
}

static void names_are_read(void **state)
{
    struct gl_forced f;
    struct err err = {""};

    (void)state;
    TEST_OK(gl_forced_read(NULL, &f, &err), err);
    TEST_OK(gl_forced_read("", &f, &err), err);
    assert_int_equal(f.n, 0);
    TEST_OK(gl_forced_read("conv:small image,map:,conv:4x1", &f, &err), err);
    assert_int_equal(f.n, 3);
    assert_string_equal(f.list[0].kind->name, "conv");
    assert_string_equal(f.list[0].variant->name, "small image");
    assert_string_equal(f.list[1].variant->name, "");
    assert_string_equal(f.list[2].variant->name, "4x1");
}

static void what_there_is_not_is_an_error_that_lists_what_there_is(void **state)
{
    static const struct {
        const char *text, *says, *lists;
    } wrong[] = {
        {"konv:4x1", "no kind of operation \"konv\"", "transpose_conv"},
        {"conv:4x", "no variant \"4x\"", "4x1"},
        {"map:,conv", "conv has no variant \"\"", "4x1"},
        {"conv:4x1,,", "no kind of operation \"\"", "conv"},
        {"con:4x1", "no kind of operation \"con\"", "conv"},
        {"map:x", "map has no variant \"x\"", "but"},
    };
    struct gl_forced f;
    char many[200] = "map:";

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct err err = {""};

        assert_int_equal(gl_forced_read(wrong[i].text, &f, &err), ST_USAGE);
        if (!strstr(err.msg, wrong[i].says) || !strstr(err.msg, wrong[i].lists))
            fail_msg("\"%s\": %s", wrong[i].text, err.msg);
        assert_int_equal(gl_forced_read(wrong[i].text, &f, NULL), ST_USAGE);
    }
    for (int i = 0; i < GL_MAX_FORCED; i++)
        strcat(many, i ? ",map:" : "");
    assert_int_equal(gl_forced_read(many, &f, NULL), ST_OK);
    strcat(many, ",map:");
    assert_int_equal(gl_forced_read(many, &f, NULL), ST_USAGE);
}

/* What it says when nothing is chosen: of variants that never fitted, that need too much, and that have all been tried. */
static void why_there_is_none(void **state)
{
    static const struct gl_variant picky[] = {{"small", small}};
    static const struct ir_kind small_only = {.name = "test", GL_VARIANTS(picky)};
    struct gl_limits lim = gl_limits_least;
    struct gl_tried tried = {0};
    struct gl_choice choice = {.tried = &tried};
    struct node node = {.index = 0};
    const struct node *nodes[] = {&node};
    struct ir_value y = {.shape = {1, 1, 1, 30}};
    struct ir_op op = {.kind = &small_only, .out = &y, .nodes = nodes, .n_nodes = 1};
    struct err err = {""};
    bool more;

    (void)state;
    assert_int_equal(gl_choose_none(&op, &lim, &choice, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "no variant of test fits");
    assert_false(choice.exhausted);
    y.shape.c = 5;
    TEST_OK(gl_tried_variant(&tried, NULL, &op, &picky[0], &more, &err), err);
    assert_null(gl_choose(&op, &lim, &choice));
    assert_int_equal(gl_choose_none(&op, &lim, &choice, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "every variant of test that fits has been tried");
    assert_true(choice.exhausted);
    arena_free(&tried.arena);
    op.kind = &(struct ir_kind){.name = "test", .variants = &variants[2], .n_variants = 1};
    y.shape.c = 30;
    lim.policy.iterations = 20;
    assert_int_equal(gl_choose_none(&op, &lim, &choice, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "test needs 30 iterations of one invocation, the device has 20");
    assert_false(choice.exhausted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_that_fits_and_pays),
        cmocka_unit_test(by_index_what_pays_comes_first),
        cmocka_unit_test(by_name_where_it_fits),
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(why_there_is_none),
        cmocka_unit_test(what_there_is_not_is_an_error_that_lists_what_there_is),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
