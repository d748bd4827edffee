/* SPDX-License-Identifier: Apache-2.0 */
/* sink_transpose_test.c - what sinking transposes makes of joins and constants, and when it leaves them alone. */
#include "lib/gl/testing/test_passes.h"

/* Elements of a constant that has more than one axis. */
static void constants_change_their_order(void **state)
{
    static const float x[6] = {1, 2, 3, 4, 5, 6};
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *t = value(f, nchw), *u = value(f, t->shape);
    struct ir_op *m;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, to_nchw, t);
    m = apply(f, &add, t, ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 2, 1, 3}, x), u);
    transpose_to(f, u, to_nhwc, output(f, value(f, nhwc)));
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 0);
    assert_true(ir_same_shape(m->epilogue->operand[1]->shape, (struct ir_shape){1, 1, 3, 2}));
    assert_memory_equal(m->epilogue->operand[1]->data, ((const float[]){1, 4, 2, 5, 3, 6}), sizeof x);
}

/* A join of transposed values is transposed once, and its axis is another. */
static void transposes_sink_through_joins(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *b = value(f, nhwc), *a1 = value(f, nchw), *b1 = value(f, nchw),
                    *y = output(f, value(f, (struct ir_shape){1, 16, 6, 7}));
    struct ir_op *j;

    op(f, &conv, value(f, nhwc), a);
    op(f, &conv, value(f, nhwc), b);
    transpose_to(f, a, to_nchw, a1);
    transpose_to(f, b, to_nchw, b1);
    j = ir_op_new(f->ir, &join, IR_INS(a1, b1), y, 16);
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 1);
    assert_true(j->in[0] == a && j->in[1] == b && j->out != y);
    assert_true(ir_same_shape(j->out->shape, (struct ir_shape){1, 6, 7, 16}));
    assert_memory_equal(j->attr, to_nhwc, sizeof to_nhwc);
    assert_ptr_equal(f->ir->ops[3]->out, y);
    assert_ptr_equal(f->ir->ops[3]->in[0], j->out);
    assert_memory_equal(f->ir->ops[3]->attr, to_nchw, sizeof to_nchw);
    assert_ptr_equal(f->ir->outputs[0], y);
}

/* What others read as it is, and a transpose alone, cost as much elsewhere. */
static void transposes_that_gain_nothing_stay(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *t = value(f, nchw), *u = value(f, nchw);
    struct ir_op *m;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, to_nchw, t);
    m = apply(f, &relu, t, NULL, u);
    op(f, &other, u, output(f, value(f, big)));
    run(f, "sink transposes");
    assert_int_equal(f->ir->n_ops, 4);
    assert_ptr_equal(m->in[0], t);
    assert_ptr_equal(f->ir->ops[1]->out, t);
}

/* A device that cannot hold the other shape. */
static void orders_that_do_not_fit_are_not_taken(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, (struct ir_shape){1, 1, 8, 81}), *t = value(f, (struct ir_shape){1, 81, 1, 8}),
                    *u = value(f, t->shape);

    f->limits.storage_block_bytes = 16 * 81 * 2;
    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, to_nchw, t);
    apply(f, &relu, t, NULL, u);
    transpose_to(f, u, to_nhwc, output(f, value(f, a->shape)));
    run(f, "sink transposes");
    assert_int_equal(f->ir->n_ops, 4);
}

static void permute_pad(struct ir_op *o, const int order[4])
{
    ((struct ir_pad *)o->attr)->value = (float)order[1];
}

/* What is padded is transposed first, where a window may take the border. */
static void transposes_rise_above_pads(void **state)
{
    const struct ir_kind border = {.name = "pad", .role = IR_PAD, IR_TRAITS(.permute = permute_pad)};
    struct fixture *f = *state;
    struct ir_value *a = value(f, nchw), *b = value(f, nchw), *x = value(f, nchw), *t = value(f, (struct ir_shape){1, 8, 8, 9}),
                    *y = value(f, (struct ir_shape){1, 8, 9, 8});
    struct ir_op *p;

    op(f, &other, value(f, big), a);
    op(f, &other, value(f, big), b);
    apply(f, &add, a, b, x); /* two that would have to be transposed */
    p = op(f, &border, x, t);
    transpose_to(f, t, to_nhwc, y);
    op(f, &conv, y, output(f, value(f, nhwc)));
    run(f, "sink transposes");
    assert_int_equal(f->ir->n_ops, 6);
    assert_ptr_equal(f->ir->ops[3]->kind, &transpose);
    assert_ptr_equal(f->ir->ops[3]->in[0], x);
    assert_true(ir_same_shape(f->ir->ops[3]->out->shape, nhwc));
    assert_true(f->ir->ops[4] == p && p->in[0] == f->ir->ops[3]->out && p->out == y);
    assert_true(((const struct ir_pad *)p->attr)->value == 2);
}

/* A pad that somebody else reads too, or has a function behind it, comes first as it did. */
static void transposes_stay_below_other_pads(void **state)
{
    const struct ir_kind border = {.name = "pad", .role = IR_PAD, IR_TRAITS(.permute = permute_pad)};

    for (int v = 0; v < 3; v++) { /* 0: read twice, 1: an output, 2: with a function */
        struct fixture *f = *state;
        struct ir_value *a = value(f, nchw), *b = value(f, nchw), *x = value(f, nchw), *t = value(f, (struct ir_shape){1, 8, 8, 9}),
                        *y = value(f, (struct ir_shape){1, 8, 9, 8});
        struct ir_op *p;

        op(f, &other, value(f, big), a);
        op(f, &other, value(f, big), b);
        apply(f, &add, a, b, x);
        p = op(f, &border, x, t);
        if (v == 0)
            op(f, &other, t, value(f, big));
        if (v == 1)
            output(f, t);
        if (v == 2)
            assert_true(ir_apply(f->ir, p, &relu, NULL, NULL, IR_FLOAT));
        transpose_to(f, t, to_nhwc, y);
        op(f, &conv, y, value(f, nhwc));
        run(f, "sink transposes");
        assert_true(p->in[0] == x && p->out == t && f->ir->ops[3] == p);
        assert_int_equal(count_of(f, &transpose), 1);
        f->ir->n_ops = 0;
    }
}

/* A transpose that moves nothing goes, be there another or not; what it made is read, and put out, as what it read. */
static void transposes_in_place_go(void **state)
{
    static const int as_it_is[4] = {0, 1, 2, 3};
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *t = value(f, nhwc), *y = value(f, nhwc);
    struct ir_op *m;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, as_it_is, output(f, t));
    m = apply(f, &add, t, t, y);
    output(f, y);
    run(f, "sink transposes");
    assert_int_equal(f->ir->n_ops, 2);
    assert_true(m->in[0] == a && m->epilogue->operand[1] == a);
    assert_true(f->ir->outputs[0] == a && a->is_output && !t->is_output);
    assert_true(f->ir->outputs[1] == y && y->is_output);
}

/* The second transpose reads what is in the place of the first one's output by then; the third, made of both, is none at all. */
static void chains_of_transposes_become_one(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, (struct ir_shape){1, 8, 8, 8}), *x = a;

    op(f, &conv, value(f, a->shape), a);
    for (int i = 0; i < 7; i++) {
        struct ir_value *t = value(f, a->shape), *y = value(f, a->shape);

        transpose_to(f, x, to_nchw, t);
        apply(f, &relu, t, NULL, y);
        x = y;
    }
    output(f, x);
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 1); /* three of them turn all the way round */
    assert_int_equal(f->ir->n_ops, 9);
    for (uint32_t i = 1; i < f->ir->n_ops; i++)
        assert_ptr_equal(f->ir->ops[i]->in[0], f->ir->ops[i - 1]->out);
    assert_ptr_equal(f->ir->ops[8]->out, f->ir->outputs[0]);
}

/* ---- operations that read matrices ---- */

static void exchange(struct ir_op *o, uint32_t i)
{
    ((bool *)o->attr)[i] ^= true;
}

static const struct ir_kind product = {.name = "product", IR_TRAITS(.matrices = 2, .exchange = exchange)};
static const int exchanged[4] = {0, 1, 3, 2};

/* A transpose that exchanges rows and columns, of what others read as well, or of both sides. */
static void matrices_are_read_as_they_lie(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *b = value(f, nhwc), *at = value(f, (struct ir_shape){1, 6, 8, 7}),
                    *bt = value(f, at->shape);
    struct ir_op *p;

    op(f, &conv, value(f, nhwc), a);
    op(f, &conv, value(f, nhwc), b);
    transpose_to(f, a, exchanged, at);
    transpose_to(f, b, exchanged, bt);
    p = ir_op_new(f->ir, &product, IR_INS(at, bt, b), output(f, value(f, big)), 2);
    op(f, &other, a, output(f, value(f, big)));
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 0);
    assert_int_equal(f->ir->n_ops, 4);
    assert_true(p->in[0] == a && p->in[1] == b && p->in[2] == b);
    assert_memory_equal(p->attr, ((const bool[]){true, true}), 2);
}

/* Twice exchanged is not at all; what else reads the transposed keeps the transpose, but costs the product nothing. */
static void others_read_what_was_transposed(void **state)
{
    for (int v = 0; v < 3; v++) { /* 0: an output, 1: an operation that reads no matrices, 2: an operand that is none */
        struct fixture *f = *state;
        struct ir_value *a = value(f, nhwc), *t = value(f, (struct ir_shape){1, 6, 8, 7});
        struct ir_op *p;

        op(f, &conv, value(f, nhwc), a);
        transpose_to(f, a, exchanged, t);
        p = ir_op_new(f->ir, &product, v == 2 ? (struct ir_value *[]){t, t, t} : (struct ir_value *[]){t, t}, v == 2 ? 3 : 2,
                      output(f, value(f, big)), 2);
        ((bool *)p->attr)[1] = true;
        if (v == 0)
            output(f, t);
        if (v == 1)
            op(f, &other, t, output(f, value(f, big)));
        run(f, "sink transposes");
        assert_int_equal(count_of(f, &transpose), 1);
        assert_true(p->in[0] == a && p->in[1] == a && (v < 2 || p->in[2] == t));
        assert_memory_equal(p->attr, ((const bool[]){true, false}), 2);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* Channels that come from elsewhere than the rows. */
static void other_orders_are_no_matrices(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *t = value(f, nchw);
    struct ir_op *p;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, to_nchw, t);
    p = ir_op_new(f->ir, &product, IR_INS(t, t), output(f, value(f, big)), 2);
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 1);
    assert_true(p->in[0] == t && p->in[1] == t);
    assert_memory_equal(p->attr, ((const bool[]){false, false}), 2);
}

/* It sinks through functions, unless others read what these make, too; and stays below a pad that it would have to rise above. */
static void transposes_sink_to_matrices(void **state)
{
    const struct ir_kind border = {.name = "pad", .role = IR_PAD, IR_TRAITS(.permute = permute_pad)};

    for (int v = 0; v < 3; v++) { /* 0: a function, 1: which is read as it is, 2: a pad before it */
        const struct ir_shape turned = {1, 6, 8, 7};
        struct fixture *f = *state;
        struct ir_value *a = value(f, nhwc), *t = value(f, turned), *u = value(f, turned), *padded = value(f, nhwc);
        struct ir_op *p;

        op(f, &conv, value(f, nhwc), a);
        if (v == 2)
            op(f, &border, a, padded);
        transpose_to(f, v == 2 ? padded : a, exchanged, t);
        if (v < 2)
            apply(f, &relu, t, NULL, u);
        p = ir_op_new(f->ir, &product, IR_INS(v < 2 ? u : t, value(f, nhwc)), output(f, value(f, big)), 2);
        if (v == 1)
            op(f, &other, u, output(f, value(f, big)));
        run(f, "sink transposes");
        assert_int_equal(count_of(f, &transpose), v == 1);
        assert_true(ir_same_shape(p->in[0]->shape, v == 1 ? turned : nhwc));
        assert_memory_equal(p->attr, ((const bool[]){v != 1, false}), 2);
        f->ir->n_ops = f->ir->n_outputs = 0;
    }
}

/* Nor does it go round between a product and what makes its operand: others behind it still have their turn. */
static void transposes_stay_with_matrices(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *t = value(f, (struct ir_shape){1, 6, 8, 7}), *b = value(f, nhwc), *bt = value(f, nchw),
                    *u = value(f, nchw);
    struct ir_op *p;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, exchanged, t);
    p = ir_op_new(f->ir, &product, IR_INS(value(f, nhwc), t), output(f, value(f, big)), 2);
    op(f, &conv, value(f, nhwc), b);
    transpose_to(f, b, to_nchw, bt);
    apply(f, &relu, bt, NULL, u);
    transpose_to(f, u, to_nhwc, output(f, value(f, nhwc)));
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 0);
    assert_ptr_equal(p->in[1], a);
    assert_memory_equal(p->attr, ((const bool[]){false, true}), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(constants_change_their_order),    TEST(transposes_sink_through_joins),    TEST(transposes_that_gain_nothing_stay),
        TEST(transposes_rise_above_pads),      TEST(transposes_stay_below_other_pads), TEST(orders_that_do_not_fit_are_not_taken),
        TEST(transposes_in_place_go),          TEST(chains_of_transposes_become_one),  TEST(matrices_are_read_as_they_lie),
        TEST(others_read_what_was_transposed), TEST(other_orders_are_no_matrices),     TEST(transposes_sink_to_matrices),
        TEST(transposes_stay_with_matrices),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
