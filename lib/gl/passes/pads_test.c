/* SPDX-License-Identifier: Apache-2.0 */
/* pads_test.c - which windows take a pad for their border, and which pads stay. */
#include "lib/gl/testing/test_passes.h"

/* Each of several convolutions covers the border itself. */
static void pad_with_several_convolutions_merges(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, (struct ir_shape){1, 9, 9, 4});
    struct ir_op *p = op(f, &pad, x, t), *a = op(f, &conv, t, output(f, value(f, big))),
                 *b = op(f, &conv, t, output(f, value(f, big)));

    ((struct ir_pad *)p->attr)->before = (struct ir_shape){0, 1, 0, 0};
    run(f, "merge pads");
    run(f, "drop unused");
    assert_int_equal(f->ir->n_ops, 2);
    assert_true(a->in[0] == x && b->in[0] == x);
    assert_true(((const struct ir_window *)a->attr)->pad_h == 1 && ((const struct ir_window *)b->attr)->pad_h == 1);
}

static bool takes_ones(const struct ir_op *o, float v)
{
    (void)o;
    return v == 1;
}

static void take_note(struct ir_op *o, const struct ir_op *by)
{
    ((struct ir_window *)o->attr)->stride_h = by->out->shape.h;
}

/* A kind says which borders it takes, and is told before it has one. */
static void pads_merge_into_pools(void **state)
{
    const struct ir_kind pool = {.name = "pool", IR_TRAITS(.takes_border = takes_ones, .take_border = take_note)};

    for (int v = 0; v < 2; v++) {
        struct fixture *f = *state;
        struct ir_value *x = value(f, big), *t = value(f, (struct ir_shape){1, 9, 9, 4});
        struct ir_op *p = op(f, &pad, x, t), *o = op(f, &pool, t, value(f, big));
        const struct ir_window *win = o->attr;

        *(struct ir_pad *)p->attr = (struct ir_pad){{0, 1, 1, 0}, (float)v};
        run(f, "merge pads");
        assert_ptr_equal(o->in[0], v ? x : t);
        assert_true(win->pad_h == v && win->pad_w == v && win->stride_h == 9 * v);
    }
}

static void pad_with_another_value_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, (struct ir_shape){1, 10, 10, 4});
    struct ir_op *p = op(f, &pad, value(f, big), t), *c = op(f, &conv, t, output(f, value(f, big)));

    ((struct ir_pad *)p->attr)->value = 1;
    run(f, "merge pads");
    assert_ptr_equal(c->in[0], t);
}

static void pad_of_channels_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, (struct ir_shape){1, 8, 8, 5});
    struct ir_op *c;

    op(f, &pad, value(f, big), t);
    c = op(f, &conv, t, output(f, value(f, big)));
    run(f, "merge pads");
    assert_ptr_equal(c->in[0], t);
}

/* Which of these a pad is: read once, by a convolution that may take it, or not. */
static void pad_stays(struct fixture *f, struct ir_shape x, struct ir_shape y, bool epilogue, bool read_twice)
{
    struct ir_value *t = value(f, y);
    struct ir_op *p = op(f, &pad, value(f, x), t), *c = op(f, &conv, t, output(f, value(f, big)));

    ((struct ir_pad *)p->attr)->before = (struct ir_shape){y.b - x.b, y.h - x.h, y.w - x.w, y.c - x.c};
    if (epilogue)
        assert_true(ir_apply(f->ir, p, &relu, NULL, NULL, IR_FLOAT));
    if (read_twice)
        op(f, &other, t, output(f, value(f, big)));
    run(f, "merge pads");
    assert_ptr_equal(c->in[0], t);
}

static void pad_of_batches_stays(void **state)
{
    pad_stays(*state, big, (struct ir_shape){2, 8, 8, 4}, false, false);
}

static void pad_with_a_function_stays(void **state)
{
    pad_stays(*state, big, (struct ir_shape){1, 9, 9, 4}, true, false);
}

static void pad_with_two_readers_stays(void **state)
{
    pad_stays(*state, big, (struct ir_shape){1, 9, 9, 4}, false, true);
}
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pad_with_several_convolutions_merges),
        TEST(pads_merge_into_pools),
        TEST(pad_with_another_value_stays),
        TEST(pad_of_channels_stays),
        TEST(pad_of_batches_stays),
        TEST(pad_with_a_function_stays),
        TEST(pad_with_two_readers_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
