/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_test.c - what takes a map into its shader, and what does not; chains of functions that read a value several times. */
#include "lib/gl/testing/test_passes.h"

/* x * sigmoid(x) of what a convolution computes: one operation, and the product takes the value before the sigmoid. */
static void chains_that_read_twice_fuse(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *s = value(f, big);
    struct ir_op *c = op(f, &conv, value(f, big), t);

    apply(f, &relu, t, NULL, s);
    apply(f, &sub, s, t, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(c->epilogue->fn, &relu);
    assert_ptr_equal(c->epilogue->next->fn, &sub);
    assert_null(c->epilogue->next->operand[0]);
    assert_int_equal(c->epilogue->next->back[0], 0);
    assert_null(c->epilogue->next->operand[1]);
    assert_int_equal(c->epilogue->next->back[1], 1);
}

/* (x + b) - relu(x), each from x: two chains become one. */
static void chains_side_by_side_fuse(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *r = value(f, big), *s = value(f, big), *bias = value(f, small);
    struct ir_op *c = op(f, &conv, value(f, big), t);
    const struct ir_epilogue *e;

    apply(f, &relu, t, NULL, r);
    apply(f, &add, t, bias, s);
    apply(f, &sub, s, r, output(f, value(f, big)));
    f->limits.storage_blocks = 8;
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
    e = c->epilogue;
    assert_ptr_equal(e->fn, &relu);
    assert_int_equal(e->back[0], 0);
    e = e->next;
    assert_ptr_equal(e->fn, &add);
    assert_true(!e->operand[0] && e->back[0] == 1 && e->operand[1] == bias);
    e = e->next;
    assert_ptr_equal(e->fn, &sub);
    assert_true(!e->operand[0] && e->back[0] == 0 && !e->operand[1] && e->back[1] == 1);
}

static struct ir_value *number(struct fixture *f, const float *n)
{
    struct ir_value *v = value(f, (struct ir_shape){1, 1, 1, 1});

    v->data = n;
    return v;
}

/* y = fn(a, b), a value of its own. */
static struct ir_value *made(struct fixture *f, const struct ir_fn *fn, struct ir_value *a, struct ir_value *b)
{
    struct ir_value *y = value(f, big);

    apply(f, fn, a, b, y);
    return y;
}

/* The functions that one convolution has applied, when it is all that is left; of number `k` operand `i` is what the convolution
 * itself computed. */
static void all_fused(struct fixture *f, const struct ir_op *c, const struct ir_fn *const *fns, int n, int k, int i)
{
    const struct ir_epilogue *e = c->epilogue;

    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(f->ir->ops[0], c);
    for (int at = 0; at < n; at++, e = e->next) {
        assert_non_null(e);
        assert_ptr_equal(e->fn, fns[at]);
        if (at == k) {
            assert_null(e->operand[i]);
            assert_int_equal(e->back[i], k);
        }
    }
    assert_null(e);
}

/* x * relu6(x + 3) * (1/6), as converters write HARD_SWISH: five operations, then one. */
static void hard_swish_fuses(void **state)
{
    static const float three = 3, sixth = 1.0f / 6;
    static const struct ir_fn *const fns[] = {&add, &relu, &fn_product, &fn_product};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *gate;
    struct ir_op *c = op(f, &conv, value(f, big), x);

    gate = made(f, &relu, made(f, &add, x, number(f, &three)), NULL);
    apply(f, &fn_product, made(f, &fn_product, x, gate), number(f, &sixth), output(f, value(f, big)));
    assert_int_equal(f->ir->n_ops, 5);
    run(f, "fuse maps");
    all_fused(f, c, fns, 4, 2, 0);
}

/* x * (0.5 * (1 + tanh(0.798 * (x + 0.0447 * x * x * x)))), as converters write GELU: ten operations, of which four read x. */
static void gelu_fuses(void **state)
{
    static const float cubic = 0.044715f, scale = 0.7978846f, one = 1, half = 0.5f;
    static const struct ir_fn *const fns[] = {&fn_product, &fn_product, &fn_product, &fn_sum,    &fn_product,
                                              &relu,       &fn_sum,     &fn_product, &fn_product};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t;
    struct ir_op *c = op(f, &conv, value(f, big), x);

    t = made(f, &fn_product, made(f, &fn_product, x, x), x);
    t = made(f, &fn_sum, x, made(f, &fn_product, t, number(f, &cubic)));
    t = made(f, &relu, made(f, &fn_product, t, number(f, &scale)), NULL); /* for tanh */
    t = made(f, &fn_product, made(f, &fn_sum, t, number(f, &one)), number(f, &half));
    apply(f, &fn_product, x, t, output(f, value(f, big)));
    assert_int_equal(f->ir->n_ops, 10);
    run(f, "fuse maps");
    all_fused(f, c, fns, 9, 8, 0);
}

/* What somebody else reads in the middle is computed for all to read: the chain is not one. */
static void hard_swish_whose_gate_is_read_stays(void **state)
{
    static const float three = 3;
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *gate;

    op(f, &conv, value(f, big), x);
    gate = output(f, made(f, &relu, made(f, &add, x, number(f, &three)), NULL));
    apply(f, &fn_product, x, gate, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_true(f->ir->n_ops > 1);
}

/* (pad + conv) - pad, in one map: both operands lack channels. */
static void pad_that_a_map_reads_twice_is_read(void **state)
{
    static const struct ir_shape few = {1, 8, 9, 6}, many = {1, 8, 9, 10};
    struct fixture *f = *state;
    struct ir_value *x = value(f, few), *t = value(f, many), *u = value(f, many);
    struct ir_op *m;

    op(f, &conv, x, t);
    op(f, &pad, x, u);
    m = apply(f, &add, u, t, output(f, value(f, many)));
    assert_true(ir_apply(f->ir, m, &sub, (struct ir_value *[3]){NULL}, NULL, IR_FLOAT));
    m->epilogue->next->back[1] = 1; /* the input */
    run(f, "read pads");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(m->in[0], t);
    assert_ptr_equal(m->epilogue->operand[0], x);
    assert_ptr_equal(m->epilogue->next->operand[1], x);
}

static void map_stays_where_its_input_is_read_twice(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big);

    op(f, &conv, value(f, big), t);
    apply(f, &relu, t, NULL, output(f, value(f, big)));
    op(f, &other, t, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 3);
}

static void map_that_broadcasts_its_input_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, small);

    op(f, &other, value(f, big), t);
    apply(f, &add, t, value(f, big), output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
}

/* a - b, b computed last: only b's operation can take the subtraction, with its operands exchanged. */
static void map_fuses_into_the_later_operand(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, big), *b = value(f, big), *y = output(f, value(f, big));
    struct ir_op *second;

    op(f, &conv, x, a);
    second = op(f, &conv, a, b);
    apply(f, &sub, a, b, y);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(second->out, y);
    assert_ptr_equal(second->epilogue->operand[0], a);
    assert_null(second->epilogue->operand[1]);
}

/* x * a + b, b made after the product, as converters write normalizations: the product waits for it, with what follows. */
static void map_waits_for_an_operand_of_its_reader(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, small), *b = value(f, small), *t = value(f, big), *u = value(f, big),
                    *y = output(f, value(f, big));
    struct ir_op *product = apply(f, &fn_product, x, a, t), *o = op(f, &other, a, b);
    const struct ir_epilogue *e;

    apply(f, &sub, t, b, u);
    apply(f, &relu, u, NULL, y);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(f->ir->ops[0], o);
    assert_ptr_equal(f->ir->ops[1], product);
    assert_ptr_equal(product->out, y);
    assert_ptr_equal(y->producer, product);
    e = product->epilogue;
    assert_true(e->fn == &fn_product && e->next->fn == &sub && e->next->next->fn == &relu);
    assert_true(!e->next->operand[0] && e->next->operand[1] == b);
}

/* ((x * a - b) - c) - d, b made after the product: what has waited still counts what it reads itself. */
static void map_that_waited_keeps_to_the_device_limit(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, small), *b = value(f, small), *t = made(f, &fn_product, value(f, big), a);

    op(f, &other, a, b);
    for (int i = 0; i < 3; i++)
        t = made(f, &sub, t, i ? value(f, small) : b);
    output(f, t);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 3);
    assert_ptr_equal(f->ir->ops[1]->epilogue->next->fn, &sub); /* x, a, b and what it makes: as many as the least device binds */
    assert_null(f->ir->ops[1]->epilogue->next->next);
}

/* An operation that computes more than functions stays in its place; and what is computed last takes a sum, so that none waits. */
static void maps_alone_wait(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *u = value(f, big), *b = value(f, small);
    struct ir_op *c;

    op(f, &conv, x, t);
    op(f, &other, x, b);
    apply(f, &add, t, b, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 3);
    f->ir->n_ops = f->ir->n_outputs = 0;
    apply(f, &fn_product, x, b, t);
    c = op(f, &conv, x, u);
    apply(f, &sub, t, u, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(f->ir->ops[1], c);
    assert_ptr_equal(c->epilogue->operand[0], t);
}

/* What else reads the product does so before the sum does. */
static void map_that_others_read_does_not_wait(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *b = value(f, small);

    apply(f, &fn_product, x, value(f, small), t);
    op(f, &other, t, b);
    apply(f, &add, t, b, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 3);
}

static void map_stays_where_neither_operand_can_take_it(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, big), *b = value(f, big);
    struct ir_op *m;

    op(f, &other, x, a);
    op(f, &other, a, b);
    op(f, &other, b, output(f, value(f, big)));
    m = apply(f, &sub, a, b, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 4);
    assert_ptr_equal(m->in[0], a);
    assert_ptr_equal(m->epilogue->operand[1], b);
    assert_null(m->epilogue->operand[0]);
}

static void fusing_stops_at_the_device_limit(void **state)
{
    struct fixture *f = *state;
    struct ir_value *v = value(f, big);

    /* A convolution binds input, output and weights: the least device has room for one operand more. */
    op(f, &conv, value(f, big), v);
    for (int i = 0; i < 2; i++) {
        struct ir_value *next = value(f, big);

        apply(f, &add, v, value(f, small), next);
        v = next;
    }
    output(f, v);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(f->ir->ops[0]->epilogue->fn, &add);
    assert_null(f->ir->ops[0]->epilogue->next);
}

/* b + a and a + b, of which a convolution computed one, are one text; b - a is not a - b. */
static void what_was_computed_stands_first(void **state)
{
    static const struct ir_fn *const fns[] = {&fn_sum, &fn_product, &sub};
    struct fixture *f = *state;

    for (int i = 0; i < 6; i++) {
        struct ir_value *x = value(f, big), *second = value(f, big);
        struct ir_op *c = op(f, &conv, value(f, big), x);
        const bool first = i % 2, stays = first || i / 2 == 2;

        apply(f, fns[i / 2], first ? x : second, first ? second : x, output(f, value(f, big)));
        run(f, "fuse maps");
        assert_int_equal(f->ir->n_ops, 1);
        assert_ptr_equal(c->epilogue->operand[first || !stays], second);
        assert_null(c->epilogue->operand[!first && stays]);
        assert_int_equal(c->epilogue->back[0] | c->epilogue->back[1], 0);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* (b + x) * relu(x): of the sum that is x of one function before. */
static void what_was_computed_before_stands_first(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *second = value(f, big), *gate;
    struct ir_op *c = op(f, &conv, value(f, big), x);
    const struct ir_epilogue *sum = NULL;

    gate = made(f, &relu, x, NULL);
    apply(f, &fn_product, made(f, &fn_sum, second, x), gate, output(f, value(f, big)));
    run(f, "fuse maps");
    for (const struct ir_epilogue *e = c->epilogue; e; e = e->next)
        sum = e->fn == &fn_sum ? e : sum;
    assert_non_null(sum);
    assert_null(sum->operand[0]);
    assert_ptr_equal(sum->operand[1], second);
    assert_int_equal(sum->back[0], 1);
    assert_int_equal(sum->back[1], 0);
}

/* A constant of one element is a number: any amount of them fits where no further buffer would. */
static void scalars_take_no_buffer(void **state)
{
    static const float two = 2;
    struct fixture *f = *state;
    struct ir_value *v = value(f, big);

    op(f, &conv, value(f, big), v);
    for (int i = 0; i < 6; i++) {
        struct ir_value *next = value(f, big);

        apply(f, &add, v, ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 1, 1, 1}, &two), next);
        v = next;
    }
    output(f, v);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
}

/* What leaves the partition stays whole, though only one operation reads it. */
static void outputs_are_not_fused_away(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = output(f, value(f, big));

    op(f, &conv, value(f, big), t);
    apply(f, &relu, t, NULL, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(f->ir->outputs[0], t);
}

static void map_of_one_of_two_outputs_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big);
    struct ir_op *o = op(f, &other, value(f, big), t);

    o->out2 = output(f, value(f, big));
    apply(f, &relu, t, NULL, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 2);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(chains_that_read_twice_fuse),
        TEST(chains_side_by_side_fuse),
        TEST(hard_swish_fuses),
        TEST(gelu_fuses),
        TEST(hard_swish_whose_gate_is_read_stays),
        TEST(pad_that_a_map_reads_twice_is_read),
        TEST(map_stays_where_its_input_is_read_twice),
        TEST(map_that_broadcasts_its_input_stays),
        TEST(map_fuses_into_the_later_operand),
        TEST(map_waits_for_an_operand_of_its_reader),
        TEST(map_that_waited_keeps_to_the_device_limit),
        TEST(maps_alone_wait),
        TEST(map_that_others_read_does_not_wait),
        TEST(map_stays_where_neither_operand_can_take_it),
        TEST(fusing_stops_at_the_device_limit),
        TEST(what_was_computed_stands_first),
        TEST(what_was_computed_before_stands_first),
        TEST(scalars_take_no_buffer),
        TEST(outputs_are_not_fused_away),
        TEST(map_of_one_of_two_outputs_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
