/* SPDX-License-Identifier: Apache-2.0 */
/* generate_test.c - what does not fit as it was fused or chosen is tried in another way. */
#include "lib/gl/compile/generate.h"

#include <string.h>

#include "bench/models/builder.h"
#include "lib/graph/graph_infer.h"
#include "lib/testing/test.h"
#include "lib/testing/test_model.h"

#define SCALES 6

static struct loaded l;
static struct graph *g;
static struct partition part;
static struct node *nodes[SCALES];
static struct err err;

/* x * s0 * s1 ... of different shape each: one dispatch if all are fused, which then binds them all. */
static int set_up(void **state)
{
    static const float ones[4 * 8] = {1};
    struct builder b;
    int32_t x, y = 0;

    (void)state;
    err = (struct err){""};
    builder_init(&b, "scales");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 2, 4, 8));
    build_inputs(&b, INDICES(x));
    for (int i = 0; i < SCALES; i++) {
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 2, 4, 8));
        build_op(&b, BUILTIN_MUL, 1, NULL, INDICES(x, build_const(&b, "s", TYPE_FLOAT32, SHAPE(8), ones)), INDICES(y));
        x = y;
    }
    build_outputs(&b, INDICES(y));
    l = load(&b);
    TEST_OK(graph_new(l.model, 0, &g, &err), err);
    TEST_OK(graph_infer(g, &err), err);
    for (uint32_t i = 0; i < SCALES; i++)
        nodes[i] = &g->nodes[i];
    part = (struct partition){
        .nodes = nodes, .inputs = g->inputs, .outputs = g->outputs, .n_nodes = SCALES, .n_inputs = 1, .n_outputs = 1};
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    graph_free(g);
    unload(&l);
    return 0;
}

/* Dispatches without the two transfers; 0 where nothing fits. */
static uint32_t operations(const struct gl_limits *lim)
{
    const struct gl_recipe how = {.limits = lim};
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    const struct node *stuck;
    enum status st = gl_generate(&how, g, &part, &tried, &draft, &stuck, &err);
    uint32_t n = draft.n_dispatches;

    arena_free(&draft.arena);
    arena_free(&tried.arena);
    if (st == ST_UNSUPPORTED)
        return 0;
    TEST_OK(st, err);
    return n - 2;
}

static struct gl_limits roomy(void)
{
    struct gl_limits lim = gl_limits_least;

    lim.storage_blocks = lim.output_resources = 32;
    return lim;
}

/* Numbers of all that is fused lie in one uniform block. */
static void what_does_not_fit_fused_is_not_fused(void **state)
{
    struct gl_limits lim = roomy();
    uint32_t before = 1;

    (void)state;
    assert_int_equal(operations(&lim), 1);
    for (uint32_t bytes = 1024; bytes > 0; bytes -= 16) {
        uint32_t n;

        lim.uniform_block_bytes = bytes;
        n = operations(&lim);
        if (!n) /* not even one alone */
            break;
        assert_true(n >= before && n <= SCALES);
        before = n;
    }
    assert_int_equal(before, SCALES);
}

static void combined_resources_count(void **state)
{
    struct gl_limits lim = roomy();

    (void)state;
    lim.output_resources = 3;
    assert_int_equal(operations(&lim), SCALES);
    lim.output_resources = 2;
    assert_int_equal(operations(&lim), 0);
    assert_non_null(strstr(err.msg, "binds 3 buffers and images, the device has 2"));
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_does_not_fit_fused_is_not_fused), TEST(combined_resources_count)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
