/* SPDX-License-Identifier: Apache-2.0 */
/* views_test.c - more of the passes that let values lie within others: what must stay as it is; see storage_test.c. */
#include "lib/gl/testing/test_passes.h"

/* Five channels are a slice of four and one of one: no order is kept but that of equal channels and batches. */
static void a_reshape_that_moves_vectors_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){2, 2, 3, 5});

    op(f, &reshape, x, output(f, value(f, (struct ir_shape){1, 4, 3, 5})));
    op(f, &reshape, x, output(f, value(f, (struct ir_shape){2, 2, 5, 3})));
    op(f, &reshape, value(f, big), output(f, value(f, (struct ir_shape){1, 8, 4, 8})));
    run(f, "view reshapes");
    assert_int_equal(f->ir->n_ops, 3);
}

/* Whoever alone reads the vectors of whole slices as one pixel takes them in the order in which they lie. */
static void a_reader_takes_another_order(void **state)
{
    static const struct ir_shape shapes[] = {{2, 3, 5, 8}, {1, 3, 5, 6}, {1, 3, 5, 8}, {1, 1, 2, 8}};
    struct fixture *f = *state;
    struct ir_value *y[4];
    struct ir_op *reader[4];

    for (int i = 0; i < 4; i++) {
        const struct ir_shape s = shapes[i];

        y[i] = value(f, (struct ir_shape){s.b, 1, i == 3 ? 4 : 1, (int32_t)(ir_elems(s) / (uint64_t)s.b) / (i == 3 ? 4 : 1)});
        op(f, &reshape, value(f, s), y[i]);
        reader[i] = op(f, &reordered, y[i], output(f, value(f, small)));
    }
    op(f, &other, y[2], value(f, small));
    run(f, "view reshapes");
    assert_int_equal(count_of(f, &reshape), 3);
    assert_true(y[0]->view.of && ir_same_shape(y[0]->view.pitch, y[0]->shape));
    assert_true(ir_same_shape(*(const struct ir_shape *)reader[0]->attr, shapes[0]));
    for (int i = 1; i < 4; i++)
        assert_int_equal(((const struct ir_shape *)reader[i]->attr)->c, 0);
}

/* What else is made of it, or lies in it, is read where it is; and what comes from outside is not stored by anybody. */
static void blocks_of_what_others_read_stay(void **state)
{
    const struct ir_shape deep = {1, 4, 3, 16}, large = {1, 8, 6, 4};
    struct fixture *f = *state;
    struct ir_value *x = value(f, deep), *in = value(f, deep), *part = value(f, small), *whole = value(f, deep);

    in->is_input = true;
    op(f, &test_blocks, in, value(f, large));
    op(f, &other, value(f, big), x);
    op(f, &test_blocks, x, value(f, large));
    op(f, &other, x, value(f, big));
    op(f, &other, value(f, big), whole);
    op(f, &other, value(f, big), part);
    part->view = (struct ir_view){.of = whole, .pitch = deep};
    whole->holds = true;
    op(f, &test_blocks, whole, value(f, large));
    run(f, "view blocks");
    assert_int_equal(count_of(f, &test_blocks), 3);
}

static bool box_at(const struct ir_op *o, struct ir_shape *at)
{
    *at = *(const struct ir_shape *)o->attr;
    return true;
}

static const struct ir_kind box = {.name = "box", IR_TRAITS(.is_box = box_at)};

/* Maps of as many channels, as what they store and as an operand, make nothing of the lanes behind. Others do, and so do maps of
 * more channels, and what begins within a slice has its lanes elsewhere. */
static void a_part_that_maps_read_may_end_within_a_slice(void **state)
{
    const struct ir_shape two = {1, 1, 1, 2}, six = {1, 1, 1, 6};
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 1, 1, 22}), *y[6];

    for (int i = 0; i < 6; i++) {
        y[i] = i == 4 ? output(f, value(f, two)) : value(f, two);
        *(struct ir_shape *)op(f, &box, x, y[i])->attr = (struct ir_shape){0, 0, 0, i == 5 ? 6 : 4};
    }
    apply(f, &relu, y[0], NULL, value(f, two));
    apply(f, &add, value(f, two), y[1], value(f, two));
    op(f, &other, y[2], value(f, small));
    apply(f, &add, value(f, six), y[3], value(f, six));
    apply(f, &relu, y[4], NULL, value(f, two));
    apply(f, &relu, y[5], NULL, value(f, two));
    f->limits.policy.any_batch = true;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 6);
    f->limits.policy.any_batch = false;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 4);
    for (int i = 0; i < 6; i++)
        assert_true(i < 2 ? y[i]->view.of == x && y[i]->view.at.c == 4 && !y[i]->view.lane : !y[i]->view.of);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_reshape_that_moves_vectors_stays),
        TEST(a_reader_takes_another_order),
        TEST(blocks_of_what_others_read_stay),
        TEST(a_part_that_maps_read_may_end_within_a_slice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
