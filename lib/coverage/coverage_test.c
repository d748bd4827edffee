/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_test.c - what is covered, what is not and why, and what one more operator would gain. */
#include "lib/coverage/coverage.h"
#include "lib/testing/test_delegate.h"

static struct loaded l;
static struct coverage c;
static struct err err;

static void ask_delegate(const char *takes, struct partition_options limits)
{
    struct fake fake = fake_delegate(takes);

    TEST_OK(coverage_of_delegate(l.model, 0, &fake.base, &limits, &c, &err), err);
}

static int set_up(void **state)
{
    (void)state;
    l = load_chain();
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    coverage_free(&c);
    unload(&l);
    return 0;
}

static const struct coverage_op *op(const char *name)
{
    for (uint32_t i = 0; i < c.n_ops; i++)
        if (!strcmp(c.ops[i].name, name))
            return &c.ops[i];
    fail_msg("no operator %s", name);
    return NULL;
}

#define BYTES (LEN * 4u)

static void of_a_delegate(void **state)
{
    (void)state;
    ask_delegate(" NEG ADD ", (struct partition_options){0});
    assert_true(c.n_verdicts == 4 && c.covered == 3 && c.folded == 0 && c.to_run == 4);
    assert_true(c.covered_percent == 75);
    assert_int_equal(c.parts.n_parts, 2);
    assert_int_equal(c.bytes_in, 3 * BYTES); /* x, then a and b */
    assert_int_equal(c.bytes_out, 2 * BYTES);
    assert_true(c.verdicts[0].covered && c.verdicts[0].partition == 0 && c.verdicts[3].partition == 1);
    assert_false(c.verdicts[1].covered);
    assert_int_equal(c.verdicts[1].why.code, REASON_UNSUPPORTED_OPERATOR);
    assert_ptr_equal(c.first_refused, &c.verdicts[1]);
    assert_string_equal(c.ops[0].name, "NEG"); /* most nodes first, then by name */
    assert_string_equal(c.ops[1].name, "ABS");
    assert_true(c.ops[0].nodes == 2 && c.ops[0].covered == 2 && !c.ops[0].first_refused);
    assert_ptr_equal(c.ops[1].first_refused, &c.verdicts[1]);
    assert_int_equal(c.n_gains, 1);
    assert_string_equal(c.gains[0].op, "ABS");
    assert_true(c.gains[0].nodes == 4 && c.gains[0].partitions == 1);
}

static void limits_are_no_fault_of_a_node(void **state)
{
    (void)state;
    ask_delegate(" NEG ADD ", (struct partition_options){.min_nodes = 2});
    assert_true(c.covered == 2 && c.parts.n_parts == 1);
    assert_int_equal(c.verdicts[0].why.code, REASON_PARTITION_TOO_SMALL);
    assert_ptr_equal(op("NEG")->first_refused, &c.verdicts[0]);
    assert_ptr_equal(c.first_refused, &c.verdicts[1]);
    assert_int_equal(c.n_gains, 1); /* NEG would gain nothing: its nodes are accepted */
    assert_string_equal(c.gains[0].op, "ABS");
}

static void everything_and_nothing(void **state)
{
    (void)state;
    ask_delegate(" NEG ABS ADD ", (struct partition_options){0});
    assert_true(c.covered == 4 && c.covered_percent == 100 && c.n_gains == 0 && !c.first_refused);
    assert_true(c.macs == 0 && c.macs_percent == 100);
    coverage_free(&c);
    ask_delegate("", (struct partition_options){0});
    assert_true(c.covered == 0 && c.covered_percent == 0 && c.bytes_in == 0);
    assert_int_equal(c.n_gains, 4);            /* no node joins partitions, where there is none */
    assert_string_equal(c.gains[0].op, "NEG"); /* two nodes; the others one each */
    assert_true(c.gains[3].what == COVERAGE_IF_REASON && c.gains[3].nodes == 4);
}

static int load_alternating(void **state)
{
    static const int32_t ops[] = {BUILTIN_ABS, BUILTIN_NEG, BUILTIN_ABS, BUILTIN_NEG, BUILTIN_NEG, BUILTIN_ABS, BUILTIN_SIN};
    struct builder b;
    int32_t t;

    (void)state;
    builder_init(&b, "alternating");
    t = build_tensor(&b, "t0", TYPE_FLOAT32, SHAPE(LEN));
    build_inputs(&b, INDICES(t));
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        char name[8];
        int32_t next;

        snprintf(name, sizeof name, "t%zu", i + 1);
        next = build_tensor(&b, name, TYPE_FLOAT32, SHAPE(LEN));
        build_op(&b, ops[i], 1, NULL, INDICES(t), INDICES(next));
        t = next;
    }
    build_outputs(&b, INDICES(t));
    l = load(&b);
    return 0;
}

/* Partitions of nodes 0, 2 and 5: each NEG stands between two, but the one that joins them alone is node 1. */
static void what_would_help(void **state)
{
    (void)state;
    ask_delegate(" ABS ", (struct partition_options){0});
    assert_int_equal(c.n_gains, 4);
    assert_true(c.gains[0].what == COVERAGE_IF_OPERATOR && c.gains[0].nodes == 6 && c.gains[0].partitions == 1);
    assert_string_equal(c.gains[0].op, "NEG");
    assert_true(c.gains[1].what == COVERAGE_IF_OPERATOR && c.gains[1].nodes == 4 && c.gains[1].partitions == 3);
    assert_true(c.gains[2].what == COVERAGE_IF_REASON && c.gains[2].nodes == 7 && c.gains[2].partitions == 1);
    assert_int_equal(c.gains[2].reason, REASON_UNSUPPORTED_OPERATOR);
    assert_true(c.gains[3].what == COVERAGE_IF_NODE && c.gains[3].nodes == 4 && c.gains[3].partitions == 2);
    assert_ptr_equal(c.gains[3].node, c.verdicts[1].node);
}

/* Of partitions the largest alone: what counts is the largest one afterwards. */
static void what_would_help_with_a_limit(void **state)
{
    (void)state;
    ask_delegate(" ABS ", (struct partition_options){.max_partitions = 1});
    assert_int_equal(c.parts.n_delegated, 1);
    assert_int_equal(c.n_gains, 4);
    assert_true(c.gains[0].what == COVERAGE_IF_OPERATOR && c.gains[0].nodes == 6 && c.gains[0].partitions == 1);
    assert_string_equal(c.gains[0].op, "NEG");
    assert_true(c.gains[1].what == COVERAGE_IF_OPERATOR && c.gains[1].nodes == 2 && c.gains[1].partitions == 1);
    assert_string_equal(c.gains[1].op, "SIN");
    assert_true(c.gains[2].what == COVERAGE_IF_REASON && c.gains[2].nodes == 7 && c.gains[2].partitions == 1);
    assert_true(c.gains[3].what == COVERAGE_IF_NODE && c.gains[3].nodes == 3 && c.gains[3].partitions == 1);
    assert_ptr_equal(c.gains[3].node, c.verdicts[1].node);
}

/* ABS by the first and SIN by the second: what each of them could take besides, of the same operator. */
static void what_would_help_several(void **state)
{
    struct fake first = fake_delegate(" ABS "), second = fake_delegate(" SIN ");
    struct delegate *const ds[] = {&first.base, &second.base, NULL};

    (void)state;
    TEST_OK(coverage_of_delegates(l.model, 0, ds, &(struct partition_options){0}, &c, &err), err);
    assert_int_equal(c.parts.n_before_limits, 4);
    assert_true(c.gains[0].what == COVERAGE_IF_OPERATOR && c.gains[0].by == 0 && c.gains[0].nodes == 7);
    assert_int_equal(c.gains[0].partitions, 2);
    assert_true(c.gains[1].what == COVERAGE_IF_OPERATOR && c.gains[1].by == 1 && c.gains[1].nodes == 7);
    assert_int_equal(c.gains[1].partitions, 6);
    assert_true(c.gains[2].what == COVERAGE_IF_NODE && c.gains[2].by == 0 && c.gains[2].partitions == 3);
    assert_int_equal(c.gains[2].node->index, 1);
    assert_int_equal(c.n_gains, 3);
}

/* Two fully connected layers, one of constants alone, and a custom operator in a second subgraph. */
static int load_layers(void **state)
{
    static const float w[3 * 4] = {1}, ones[4] = {1, 1, 1, 1};
    struct builder b;
    int32_t x, c0, weights, folded, y, u, v, last;

    (void)state;
    builder_init(&b, "layers");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(5, 4));
    c0 = build_const(&b, "c", TYPE_FLOAT32, SHAPE(1, 4), ones);
    weights = build_const(&b, "w", TYPE_FLOAT32, SHAPE(3, 4), w);
    folded = build_tensor(&b, "f", TYPE_FLOAT32, SHAPE(1, 3));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(5, 3));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(c0, weights, -1), INDICES(folded));
    build_op(&b, BUILTIN_FULLY_CONNECTED, 2, NULL, INDICES(x, weights, -1), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y, folded));
    build_subgraph(&b, "other");
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(1));
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(1));
    last = build_tensor(&b, "last", TYPE_FLOAT32, SHAPE(1));
    build_custom_op(&b, "Mine", NULL, 0, INDICES(u), INDICES(v));
    build_op(&b, BUILTIN_NEG, 999, NULL, INDICES(v), INDICES(last));
    build_inputs(&b, INDICES(u));
    build_outputs(&b, INDICES(last));
    l = load(&b);
    return 0;
}

static void folded_nodes_are_no_work(void **state)
{
    (void)state;
    ask_delegate("", (struct partition_options){0});
    assert_true(c.n_verdicts == 2 && c.folded == 1 && c.to_run == 1 && c.covered == 0);
    assert_int_equal(c.macs, 5 * 3 * 4);
    assert_int_equal(c.macs_covered, 0);
    assert_true(c.macs_percent == 0 && op("FULLY_CONNECTED")->macs_percent == 100);
    assert_true(op("FULLY_CONNECTED")->min_version == 1 && op("FULLY_CONNECTED")->max_version == 2);
    coverage_free(&c);
    ask_delegate(" FULLY_CONNECTED ", (struct partition_options){0});
    assert_true(c.covered == 1 && c.covered_percent == 100 && c.macs_covered == 60 && c.macs_percent == 100);
}

static void of_the_cpu_kernels(void **state)
{
    (void)state;
    TEST_OK(coverage_of_cpu(l.model, &c, &err), err);
    assert_true(c.n_verdicts == 4 && c.n_graphs == 2 && c.covered == 2 && c.n_gains == 0 && !c.first_refused);
    assert_true(c.macs_unknown == 1 && op("Mine")->macs_unknown == 1 && !c.verdicts[2].macs_known);
    assert_true(c.verdicts[0].covered && c.verdicts[0].subgraph == 0 && c.verdicts[2].subgraph == 1);
    assert_int_equal(c.verdicts[2].why.code, REASON_UNSUPPORTED_OPERATOR);
    assert_string_equal(c.verdicts[2].why.text, "no CPU kernel");
    assert_int_equal(c.verdicts[3].why.code, REASON_UNSUPPORTED_OPERATOR_VERSION);
    assert_non_null(strstr(c.verdicts[3].why.text, "version 999"));
}

/* A tensor that nothing writes, read by an operator that is known and by one that is not. */
static int load_unwritten(void **state)
{
    struct builder b;
    int32_t x, u, v;

    (void)state;
    builder_init(&b, "unwritten");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(2));
    u = build_tensor(&b, "u", TYPE_FLOAT32, SHAPE(2));
    v = build_tensor(&b, "v", TYPE_FLOAT32, SHAPE(2));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(u));
    build_custom_op(&b, "Mine", NULL, 0, INDICES(u), INDICES(v));
    build_outputs(&b, INDICES(v));
    l = load(&b);
    return 0;
}

static void what_cannot_run_is_looked_at(void **state)
{
    (void)state;
    ask_delegate(" NEG Mine ", (struct partition_options){0});
    assert_string_equal(c.cannot_run, "node 0 NEG reads tensor 0 \"x\", which nothing writes");
    assert_true(c.n_verdicts == 2 && c.covered == 0 && c.to_run == 2 && c.covered_percent == 0 && c.n_gains == 0);
    assert_int_equal(c.verdicts[0].why.code, REASON_INVALID_MODEL);
    assert_int_equal(c.verdicts[1].why.code, REASON_UNSUPPORTED_OPERATOR);
    assert_ptr_equal(c.first_refused, &c.verdicts[0]);
    assert_int_equal(c.parts.n_cpu, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(of_a_delegate, set_up, clean_up),
        cmocka_unit_test_setup_teardown(limits_are_no_fault_of_a_node, set_up, clean_up),
        cmocka_unit_test_setup_teardown(everything_and_nothing, set_up, clean_up),
        cmocka_unit_test_setup_teardown(what_would_help, load_alternating, clean_up),
        cmocka_unit_test_setup_teardown(what_would_help_with_a_limit, load_alternating, clean_up),
        cmocka_unit_test_setup_teardown(what_would_help_several, load_alternating, clean_up),
        cmocka_unit_test_setup_teardown(folded_nodes_are_no_work, load_layers, clean_up),
        cmocka_unit_test_setup_teardown(of_the_cpu_kernels, load_layers, clean_up),
        cmocka_unit_test_setup_teardown(what_cannot_run_is_looked_at, load_unwritten, clean_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
