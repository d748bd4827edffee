/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_called_test.c - nodes of called subgraphs are counted once each, however many nodes call them and from how deep. */
#include "lib/coverage/coverage.h"
#include "lib/testing/test_delegate.h"

static int32_t vector(struct builder *b)
{
    return build_tensor(b, "v", TYPE_FLOAT32, SHAPE(LEN));
}

static int32_t apply(struct builder *b, enum builtin op, int32_t x, int32_t with)
{
    int32_t y = vector(b);

    build_op(b, op, 1, NULL, (int32_t[]){x, with}, with < 0 ? 1 : 2, INDICES(y));
    return y;
}

static int32_t choose(struct builder *b, int32_t yes, int32_t x, int32_t then, int32_t otherwise)
{
    int32_t y = vector(b);

    build_op(b, BUILTIN_IF, 1, &(struct opt_if){then, otherwise}, INDICES(yes, x), INDICES(y));
    return y;
}

static int32_t truth(struct builder *b)
{
    return build_const(b, "yes", TYPE_BOOL, SCALAR, &(bool){true});
}

/* y = IF (yes) {1: -|x|, 2: IF (true) {3: x + x, 1} of |x|}, and the same of y; `unshaped`: of y as `shape` says. */
static struct loaded make(bool unshaped)
{
    struct builder b;
    int32_t yes, x, y, shape;

    builder_init(&b, "calls");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SCALAR);
    x = vector(&b);
    shape = build_tensor(&b, "shape", TYPE_INT32, SHAPE(1));
    y = unshaped ? apply(&b, BUILTIN_RESHAPE, x, shape) : choose(&b, yes, x, 1, 2);
    build_inputs(&b, INDICES(yes, x, shape));
    build_outputs(&b, INDICES(choose(&b, yes, y, 1, 2)));
    build_subgraph(&b, "one");
    x = vector(&b);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_NEG, apply(&b, BUILTIN_ABS, x, -1), -1)));
    build_subgraph(&b, "two");
    x = vector(&b);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(choose(&b, truth(&b), apply(&b, BUILTIN_ABS, x, -1), 3, 1)));
    build_subgraph(&b, "three");
    x = vector(&b);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_ADD, x, x)));
    return load(&b);
}

static struct coverage_called count(bool unshaped, struct partition_options limits)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct loaded l = make(unshaped);
    struct coverage_called called;
    struct coverage c;
    struct err err;

    TEST_OK(coverage_of_delegate(l.model, 0, &fake.base, &limits, &c, &err), err);
    called = c.called;
    coverage_free(&c);
    unload(&l);
    return called;
}

static void each_is_counted_once(void **state)
{
    const struct coverage_called c = count(false, (struct partition_options){0});

    (void)state;
    assert_int_equal(c.subgraphs, 3);
    assert_int_equal(c.nodes, 2 + 2 + 1); /* the inner IF is one */
    assert_int_equal(c.delegated, 1 + 0 + 1);
    assert_int_equal(c.partitions, 2);
    assert_int_equal(c.unknown, 0);
}

/* As nodes are numbered in the outermost graph, what these call is the CPU's then. */
static void numbers_leave_them_to_the_cpu(void **state)
{
    const struct coverage_called c = count(false, (struct partition_options){.first_node = 1});

    (void)state;
    assert_int_equal(c.subgraphs, 3);
    assert_int_equal(c.nodes, 5);
    assert_int_equal(c.delegated, 0);
}

static void shapes_that_a_run_tells_are_not_known(void **state)
{
    const struct coverage_called c = count(true, (struct partition_options){0});

    (void)state;
    assert_int_equal(c.subgraphs, 2);
    assert_int_equal(c.unknown, 2);
    assert_int_equal(c.nodes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_is_counted_once),
        cmocka_unit_test(numbers_leave_them_to_the_cpu),
        cmocka_unit_test(shapes_that_a_run_tells_are_not_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
