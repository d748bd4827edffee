/* SPDX-License-Identifier: Apache-2.0 */
/* dump_ir_test.c - what is written of operations after each pass, and of folders that take nothing. */
#include "lib/gl/ir/dump_ir.h"

#include <stdlib.h>
#include <unistd.h>

#include "lib/gl/testing/test_passes.h"
#include "lib/testing/test_files.h"

static char dir[64], text[1 << 16];

/* The file of that name, which is removed; NULL where there is none. */
static const char *take(const char *name)
{
    char path[128];

    snprintf(path, sizeof path, "%s/%s", dir, name);
    if (access(path, R_OK))
        return NULL;
    text[read_file(path, text, sizeof text - 1)] = 0;
    assert_int_equal(unlink(path), 0);
    return text;
}

static void assert_has(const char *s, const char *part)
{
    assert_non_null(s);
    if (!strstr(s, part))
        fail_msg("no %s in\n%s", part, s);
}

/* y = (x reshaped) + 1, which is a map of its own, then the map fused into the reshape. */
static void graph(struct fixture *f)
{
    static const float one = 1;
    static const struct tensor named = {.name = "a \"name\"\n"};
    struct ir_value *x = value(f, big), *t = value(f, (struct ir_shape){1, 4, 16, 4}), *y = output(f, value(f, t->shape));
    struct ir_op *m;

    x->tensor = y->tensor = &named;
    op(f, &reshape, x, t);
    m = op(f, &map, t, y);
    assert_true(ir_apply(f->ir, m, &add,
                         (struct ir_value *[3]){NULL, ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 1, 1, 1}, &one)}, NULL,
                         IR_FLOAT));
}

static void every_pass_leaves_two_files(void **state)
{
    struct fixture *f = *state;
    char name[128];
    uint32_t n = 0;
    struct err err;

    make_temp_dir(dir);
    graph(f);
    f->ir->dump_dir = dir;
    f->ir->first_node = 12;
    f->graph.subgraph = 3;
    TEST_OK(gl_rewrite_all(f->ir, &f->limits, &err), err);
    assert_has(take("subgraph3-node12-00-lowered.json"), "\"pass\": \"lowered\"");
    assert_has(text, "{\"kind\": \"reshape\", \"variant\": null, \"nodes\": [], \"in\": [0], \"out\": 1, \"out2\": null, "
                     "\"epilogue\": []},\n  {\"kind\": \"map\"");
    assert_has(text, "\"epilogue\": [{\"function\": \"ADD\", \"operands\": [null, 3]}]}");
    assert_has(text, "{\"id\": 0, \"name\": \"a \\\"name\\\"?\", \"type\": \"float\", \"shape\": [1,8,8,4], \"constant\": false");
    assert_has(text, "\"format\": null");
    assert_has(take("subgraph3-node12-00-lowered.dot"), "op0 -> op1;");
    for (const struct gl_rewrite *r = gl_rewrites; r->name; r++) {
        snprintf(name, sizeof name, "subgraph3-node12-%02u-%s.dot", ++n, r->name);
        for (char *c = name; *c; c++)
            *c = (char)(*c == ' ' ? '_' : *c);
        assert_has(take(name), "digraph");
        snprintf(strrchr(name, '.'), 8, ".json");
        assert_has(take(name), "\"number\": ");
    }
    assert_has(text, "{\"kind\": \"reshape\", \"variant\": null, \"nodes\": [], \"in\": [0], \"out\": 2");
    assert_int_equal(rmdir(dir), 0);
}

static void views_are_told(void **state)
{
    static const struct ir_index_map border = {.h = {.before = 2, .length = 8, .shift = 1, .mirrors = true}, .w = {.length = 8}};
    static const struct ir_blend blend = {0.5f, {8, 0.25f}, {8, 1}};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y = output(f, value(f, small));
    struct err err;

    make_temp_dir(dir);
    op(f, &other, x, y);
    y->view.of = x;
    y->view.at = (struct ir_shape){0, 1, 2, 0};
    y->view.pitch = big;
    TEST_OK(gl_dump_ir(f->ir, dir, "view parts", 7, &err), err);
    assert_has(take("node0-07-view_parts.json"),
               "\"view\": {\"of\": 0, \"at\": [0,1,2,0], \"pitch\": [1,8,8,4], \"map\": null, \"blend\": null}");
    assert_has(text, "\"format\": \"float32\", \"storage\": \"buffer\"");
    assert_has(take("node0-07-view_parts.dot"), "in value 0");
    y->view.map = &border;
    TEST_OK(gl_dump_ir(f->ir, dir, "view maps", 8, &err), err);
    assert_has(take("node0-08-view_maps.json"), "\"map\": {\"h\": {\"before\": 2, \"length\": 8, \"shift\": 1, \"mirrors\": true, "
                                                "\"twice\": false}, \"w\": {\"before\": 0, \"length\": 8, \"shift\": 0, "
                                                "\"mirrors\": false, \"twice\": false}}, \"blend\": null}}");
    take("node0-08-view_maps.dot");
    y->view.map = NULL;
    y->view.blend = &blend;
    TEST_OK(gl_dump_ir(f->ir, dir, "view blends", 9, &err), err);
    assert_has(take("node0-09-view_blends.json"), "\"map\": null, \"blend\": {\"center\": 0.5, \"h\": {\"length\": 8, "
                                                  "\"scale\": 0.25}, \"w\": {\"length\": 8, \"scale\": 1}}}}");
    take("node0-09-view_blends.dot");
    assert_int_equal(rmdir(dir), 0);
}

static void folders_that_are_not_there_fail(void **state)
{
    struct fixture *f = *state;
    struct err err;

    graph(f);
    assert_int_equal(gl_dump_ir_try("/nonexistent/dir", &err), ST_IO);
    f->ir->dump_dir = "/nonexistent/dir";
    assert_int_equal(gl_rewrite_all(f->ir, &f->limits, &err), ST_IO);
    assert_has(err.msg, "/nonexistent/dir/node0-00-lowered.json");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_pass_leaves_two_files), TEST(views_are_told),
                                       TEST(folders_that_are_not_there_fail)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
