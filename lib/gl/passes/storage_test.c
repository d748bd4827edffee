/* SPDX-License-Identifier: Apache-2.0 */
/* storage_test.c - formats and views of values in graphs made for it, and what must stay as it is. */
#include "lib/gl/codegen/shader.h"
#include "lib/gl/passes/choose.h"
#include "lib/gl/testing/test_passes.h"

/* ---- formats ---- */

static void values_get_formats(void **state)
{
    static const float fits[] = {65504}, large[] = {65536};
    const struct tensor int8 = {.type = TYPE_INT8}, uint8 = {.type = TYPE_UINT8}, int32 = {.type = TYPE_INT32};
    const struct tensor *const tensors[] = {&int8, &uint8, &int32, NULL};
    const enum gl_format stored[] = {GL_FORMAT_INT8, GL_FORMAT_UINT8, GL_FORMAT_INT, GL_FORMAT_INT};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *sum = ir_temp_full(f->ir, IR_FLOAT, big), *truth = ir_temp(f->ir, IR_BOOL, big);
    struct ir_value *a = ir_const(f->ir, IR_FLOAT, small, fits), *b = ir_const(f->ir, IR_FLOAT, small, large), *ints[4];

    a->shape = b->shape = (struct ir_shape){1, 1, 1, 1};
    for (int i = 0; i < 4; i++) {
        ints[i] = ir_temp(f->ir, IR_INT, big);
        ints[i]->tensor = tensors[i];
    }
    run(f, "choose formats");
    assert_int_equal(x->format, GL_FORMAT_FLOAT);
    f->ir->half = true;
    run(f, "choose formats");
    assert_true(x->format == GL_FORMAT_HALF && truth->format == GL_FORMAT_HALF && a->format == GL_FORMAT_HALF);
    assert_true(sum->format == GL_FORMAT_FLOAT && b->format == GL_FORMAT_FLOAT);
    for (int i = 0; i < 4; i++)
        assert_int_equal(ints[i]->format, stored[i]);
}

/* ---- views ---- */

static bool box_at(const struct ir_op *o, struct ir_shape *at)
{
    *at = *(const struct ir_shape *)o->attr;
    return true;
}

static const struct ir_kind box = {.name = "box", IR_TRAITS(.is_box = box_at)};

static struct ir_op *join_two(struct fixture *f, struct ir_value *a, struct ir_value *b, struct ir_value *y)
{
    return ir_op_new(f->ir, &join, IR_INS(a, b), y, 0);
}

static void take_box(struct fixture *f, struct ir_value *x, struct ir_shape at, struct ir_value *y)
{
    *(struct ir_shape *)op(f, &box, x, y)->attr = at;
}

static void assert_lies(const struct ir_value *v, const struct ir_value *of, struct ir_shape at)
{
    assert_ptr_equal(v->view.of, of);
    assert_true(ir_same_shape(v->view.at, at));
}

static void reshapes_become_views(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, (struct ir_shape){1, 4, 16, 4}),
                    *y = value(f, (struct ir_shape){1, 1, 1, 256});

    op(f, &other, value(f, big), x);
    op(f, &reshape, x, t);
    op(f, &reshape, x, output(f, y));
    op(f, &other, t, output(f, value(f, big)));
    run(f, "view reshapes");
    assert_int_equal(f->ir->n_ops, 2);
    assert_lies(t, x, (struct ir_shape){0, 0, 0, 0});
    assert_true(ir_same_shape(t->view.pitch, t->shape));
    assert_lies(y, x, (struct ir_shape){0, 0, 0, 0});
    assert_int_equal(ir_vector_at(y, (struct ir_shape){0, 0, 0, 248}), 62);
}

/* y lies in x as t does, but for a part of x: that is not in the order of a shape. */
static void a_reshape_of_a_reshape_becomes_a_view(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 6, 4, 9}), *t = value(f, (struct ir_shape){1, 2, 12, 9}),
                    *y = value(f, (struct ir_shape){1, 24, 1, 9}), *z = value(f, (struct ir_shape){1, 2, 6, 9});

    op(f, &other, value(f, big), x);
    op(f, &reshape, x, t);
    op(f, &reshape, t, output(f, y));
    take_box(f, x, (struct ir_shape){0, 3, 0, 0}, z);
    z->view = (struct ir_view){x, {0, 3, 0, 0}, x->shape};
    op(f, &reshape, z, output(f, value(f, (struct ir_shape){1, 4, 3, 9})));
    run(f, "view reshapes");
    assert_int_equal(f->ir->n_ops, 3);
    assert_lies(y, x, (struct ir_shape){0, 0, 0, 0});
    assert_true(ir_same_shape(y->view.pitch, y->shape));
}

static void parts_become_views(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 8, 8, 22}), *a = value(f, (struct ir_shape){1, 2, 8, 18});
    struct ir_value *b = value(f, (struct ir_shape){1, 1, 3, 8});

    take_box(f, x, (struct ir_shape){0, 5, 0, 4}, output(f, a));
    take_box(f, a, (struct ir_shape){0, 1, 2, 8}, output(f, b));
    run(f, "view parts");
    assert_int_equal(f->ir->n_ops, 0);
    assert_lies(a, x, (struct ir_shape){0, 5, 0, 4});
    assert_lies(b, x, (struct ir_shape){0, 6, 2, 12});
    assert_int_equal(ir_vector_at(b, (struct ir_shape){0, 0, 1, 4}), (4 * 8 + 6) * 8 + 3);
    assert_false(ir_is_flat(b));
}

/* Lanes beyond the part's last channel would be other channels; and what would be bound as an image must fit one. */
static void a_part_that_cannot_be_a_view_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 8, 8, 22});

    take_box(f, x, (struct ir_shape){0, 0, 0, 4}, output(f, value(f, (struct ir_shape){1, 8, 8, 17})));
    take_box(f, x, (struct ir_shape){0, 0, 0, 2}, output(f, value(f, (struct ir_shape){1, 8, 8, 4})));
    run(f, "view parts");
    assert_int_equal(f->ir->n_ops, 2);
    f->limits.image_reads = 1;
    f->limits.policy.image_reads = true;
    f->limits.image_vectors = 8 * 8 * 6 - 1;
    take_box(f, x, (struct ir_shape){0, 0, 0, 0}, output(f, value(f, (struct ir_shape){1, 8, 8, 4})));
    run(f, "view parts");
    assert_int_equal(f->ir->n_ops, 3);
    f->limits.image_vectors++;
    run(f, "view parts");
    assert_int_equal(f->ir->n_ops, 2);
}

/* Maps broadcast one channel: as an operand, and as what they store. What is read in another way, or is an output, stays. */
static void a_lane_that_is_broadcast_becomes_a_view(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 1, 1, 22}), *lanes[3];

    for (int32_t i = 0; i < 3; i++)
        take_box(f, x, (struct ir_shape){0, 0, 0, 5 * i}, lanes[i] = value(f, (struct ir_shape){1, 1, 1, 1}));
    apply(f, &add, value(f, big), lanes[1], output(f, value(f, big)));
    op(f, &map, lanes[2], output(f, value(f, small)));
    op(f, &other, lanes[0], output(f, value(f, small)));
    f->limits.policy.any_batch = true;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 3);
    f->limits.policy.any_batch = false;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 1);
    assert_lies(lanes[1], x, (struct ir_shape){0, 0, 0, 5});
    assert_lies(lanes[2], x, (struct ir_shape){0, 0, 0, 10});
    assert_true(lanes[1]->view.lane && lanes[2]->view.lane && !lanes[0]->view.of);
    lanes[0]->is_output = true;
    f->ir->n_ops--;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 1);
    lanes[0]->is_output = false;
    run(f, "view parts");
    assert_int_equal(count_of(f, &box), 0);
}

static void blocks_become_views(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 4, 3, 16}), *y = value(f, (struct ir_shape){1, 8, 6, 4});

    op(f, &other, value(f, big), x);
    op(f, &test_blocks, x, output(f, y));
    run(f, "view blocks");
    assert_int_equal(f->ir->n_ops, 1);
    assert_lies(x, y, (struct ir_shape){0, 0, 0, 0});
    assert_int_equal(ir_vector_at(x, ir_last(x)), 47);
    assert_false(ir_is_flat(x));
}

static void joins_become_views(void **state)
{
    struct fixture *f = *state;
    struct ir_value *a = value(f, big), *b = value(f, big), *c = value(f, (struct ir_shape){1, 8, 8, 3});
    struct ir_value *ab = value(f, (struct ir_shape){1, 8, 8, 8}), *all = value(f, (struct ir_shape){1, 8, 8, 11});

    op(f, &other, value(f, big), a);
    op(f, &other, a, b);
    join_two(f, a, b, ab);
    op(f, &other, ab, c);
    join_two(f, ab, c, output(f, all));
    run(f, "view joins");
    assert_int_equal(f->ir->n_ops, 3);
    assert_lies(a, all, (struct ir_shape){0, 0, 0, 0});
    assert_lies(b, all, (struct ir_shape){0, 0, 0, 4});
    assert_lies(ab, all, (struct ir_shape){0, 0, 0, 0});
    assert_lies(c, all, (struct ir_shape){0, 0, 0, 8});
    assert_true(ir_same_shape(b->view.pitch, all->shape));
}

static void join_stays(struct fixture *f, struct ir_value *a, struct ir_value *b, struct ir_shape y)
{
    uint32_t n = f->ir->n_ops;

    join_two(f, a, b, value(f, y));
    run(f, "view joins");
    assert_int_equal(f->ir->n_ops, n + 1);
    assert_null(a->view.of);
    ir_remove(f->ir, f->ir->ops[n]);
}

static void a_join_that_must_move_stays(void **state)
{
    static const float zeros[256];
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *odd = value(f, (struct ir_shape){1, 8, 8, 3}), *part = value(f, small);
    struct ir_value *flat = value(f, (struct ir_shape){1, 1, 64, 4}), *full = value(f, big);

    join_stays(f, x, x, (struct ir_shape){1, 16, 8, 4});
    join_stays(f, odd, x, (struct ir_shape){1, 8, 8, 7});
    join_stays(f, x, ir_const(f->ir, IR_FLOAT, big, zeros), (struct ir_shape){1, 16, 8, 4});
    full->format = GL_FORMAT_HALF;
    join_stays(f, x, full, (struct ir_shape){1, 16, 8, 4});
    op(f, &reshape, x, flat); /* which lies in x, where it is dense, and would not be */
    run(f, "view reshapes");
    join_stays(f, x, value(f, big), (struct ir_shape){1, 8, 16, 4});
    take_box(f, value(f, big), (struct ir_shape){0, 0, 0, 0}, part);
    run(f, "view parts");
    join_two(f, value(f, small), part, value(f, (struct ir_shape){1, 1, 2, 4}));
    run(f, "view joins");
    assert_int_equal(f->ir->n_ops, 1);
}

static bool map_of(const struct ir_op *o, struct ir_index_map *m)
{
    *m = *(const struct ir_index_map *)o->attr;
    return true;
}

/* Twice as many rows and columns; borders of one row and column, which are mirrored. */
static const struct ir_kind mapped = {.name = "mapped", .moves = true, IR_TRAITS(.index_map = map_of)};
static const struct ir_index_map twofold = {.h = {.length = 8, .shift = 1}, .w = {.length = 8, .shift = 1}};
static const struct ir_index_map border = {.h = {.before = 1, .length = 16, .mirrors = true},
                                           .w = {.before = 1, .length = 16, .mirrors = true, .twice = true}};
static const struct ir_shape twice_big = {1, 16, 16, 4}, bordered = {1, 18, 18, 4};

static void map_to(struct fixture *f, struct ir_value *x, const struct ir_index_map *m, struct ir_value *y)
{
    *(struct ir_index_map *)op(f, &mapped, x, y)->attr = *m;
}

/* x -> twofold -> t -> border -> y -> convolution. */
static void windows_read_through_maps(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, twice_big), *y = value(f, bordered);

    map_to(f, x, &twofold, t);
    map_to(f, t, &border, y);
    op(f, &conv, y, output(f, value(f, bordered)));
    run(f, "view maps");
    assert_int_equal(f->ir->n_ops, 1);
    assert_lies(y, x, (struct ir_shape){0, 0, 0, 0});
    assert_true(ir_same_shape(y->view.pitch, big) && gl_is_placed(y) && !ir_is_flat(y));
    assert_int_equal(ir_axis_at(&y->view.map->h, 0), 0);  /* row 1 of t */
    assert_int_equal(ir_axis_at(&y->view.map->h, 3), 1);  /* row 2 */
    assert_int_equal(ir_axis_at(&y->view.map->h, 17), 7); /* row 14 */
    assert_int_equal(ir_axis_at(&y->view.map->w, 0), 0);  /* column 0, met twice */
    assert_int_equal(ir_axis_at(&y->view.map->w, 17), 7); /* column 15 */
    assert_int_equal(ir_vector_at(y, ir_last(y)), 63);
    assert_int_equal(ir_vector_at(x, ir_last(x)), 63);
}

/* It is no output, lies in nothing else, and windows alone read it, by what slides under them. */
static void a_map_that_others_read_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y[5], *whole = value(f, (struct ir_shape){1, 16, 16, 8});
    struct ir_value *weight = value(f, twice_big), *const operand[3] = {NULL, weight};

    for (int i = 0; i < 5; i++) {
        map_to(f, x, &twofold, y[i] = i == 4 ? weight : value(f, twice_big));
        assert_true(ir_apply(f->ir, op(f, &conv, y[i], value(f, twice_big)), &fn_sum, operand, NULL, IR_FLOAT));
    }
    output(f, y[0]);
    op(f, &other, y[1], value(f, twice_big));
    join_two(f, y[2], value(f, twice_big), whole);
    run(f, "view joins");
    run(f, "view maps");
    assert_null(y[0]->view.of);
    assert_null(y[1]->view.of);
    assert_ptr_equal(y[2]->view.of, whole);
    assert_ptr_equal(y[3]->view.of, x);
    assert_null(weight->view.of);
}

/* What lies in the value must be read through a map that repeats nothing by itself, and the value may not be mirrored. */
static void maps_that_cannot_follow_stay(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t[3], *y[3];

    for (int i = 0; i < 3; i++) {
        map_to(f, x, i == 1 ? &border : &twofold, t[i] = value(f, twice_big));
        y[i] = value(f, twice_big);
        if (i < 2)
            map_to(f, t[i], i == 0 ? &twofold : &border, y[i]);
        else
            take_box(f, t[i], (struct ir_shape){0, 1, 0, 0}, y[i] = value(f, big));
        op(f, &conv, y[i], value(f, twice_big));
    }
    run(f, "view parts");
    run(f, "view maps");
    for (int i = 0; i < 3; i++) {
        assert_null(t[i]->view.of);
        assert_ptr_equal(y[i]->view.of, t[i]);
    }
}

/* ---- resizes ---- */

static bool blend_of(const struct ir_op *o, struct ir_blend *b)
{
    *b = *(const struct ir_blend *)o->attr;
    return true;
}

/* To twice as many rows and columns by their centers, and by corners. */
static const struct ir_kind blended = {.name = "blended", IR_TRAITS(.blend = blend_of)};
static const struct ir_blend centers = {0.5f, {8, 0.5f}, {8, 0.5f}}, corners = {0, {8, 7.0f / 15}, {8, 7.0f / 15}};

static struct ir_value *resize(struct fixture *f, struct ir_value *x, const struct ir_blend *b)
{
    struct ir_value *y = value(f, twice_big);

    *(struct ir_blend *)op(f, &blended, x, y)->attr = *b;
    return y;
}

static struct ir_op *add_to(struct fixture *f, struct ir_value *v)
{
    struct ir_op *o = op(f, &other, value(f, twice_big), output(f, value(f, twice_big)));

    assert_true(ir_apply(f->ir, o, &fn_sum, (struct ir_value *const[3]){NULL, v}, NULL, IR_FLOAT));
    return o;
}

/* Where each vector is read once, or where a pick says otherwise; and the device rounds as the CPU does. Who reads it computes its
 * node, too. */
static void resizes_are_read(void **state)
{
    static const struct node nodes[2] = {{.index = 0}, {.index = 1}};
    static const struct gl_pick picks[2] = {{.blends = true}};
    struct gl_choice choice = {.picks = picks};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y[3];
    struct ir_op *o[3];

    for (int i = 0; i < 3; i++) {
        f->ir->lowering.node = &nodes[0];
        y[i] = resize(f, x, i == 1 ? &corners : &centers);
        f->ir->lowering.node = &nodes[1];
        o[i] = i == 2 ? op(f, &conv, y[i], value(f, twice_big)) : add_to(f, y[i]);
    }
    f->ir->lowering.node = NULL;
    run(f, "view blends");
    assert_int_equal(f->ir->n_ops, 5);
    assert_lies(y[0], x, (struct ir_shape){0, 0, 0, 0});
    assert_true(ir_same_shape(y[0]->view.pitch, big) && gl_is_placed(y[0]) && !ir_is_flat(y[0]));
    assert_int_equal(ir_vector_at(y[0], ir_last(y[0])), 63);
    assert_memory_equal(y[0]->view.blend, &centers, sizeof centers);
    assert_true(o[0]->n_nodes == 2 && o[0]->nodes[0] == &nodes[1] && o[0]->nodes[1] == &nodes[0]);
    f->limits.precise = true;
    run(f, "view blends");
    assert_true(y[1]->view.of == x && !y[2]->view.of);
    f->ir->choice = &choice;
    run(f, "view blends");
    assert_ptr_equal(y[2]->view.of, x);
}

/* It is no output, and maps, fused functions and what slides under windows alone read it; and two of them read it twice. */
static void a_resize_that_others_read_stays(void **state)
{
    struct gl_choice choice = {.pick = {.blends = true}};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *y[6];

    for (int i = 0; i < 6; i++)
        y[i] = resize(f, x, &centers);
    output(f, y[0]);
    op(f, &other, y[1], value(f, twice_big));
    ir_op_new(f->ir, &conv, IR_INS(x, y[2]), value(f, twice_big), 0);
    join_two(f, y[3], value(f, twice_big), value(f, (struct ir_shape){1, 16, 16, 8}));
    run(f, "view joins");
    for (int i = 0; i < 2; i++)
        op(f, &map, y[4], value(f, twice_big));
    op(f, &map, y[5], value(f, (struct ir_shape){2, 16, 16, 4}));
    run(f, "view blends");
    for (int i = 0; i < 6; i++)
        assert_true(i == 3 || !y[i]->view.of);
    f->ir->choice = &choice;
    run(f, "view blends");
    for (int i = 0; i < 6; i++)
        assert_int_equal(y[i]->view.blend != NULL, i > 3);
}

/* ---- at the border ---- */

/* An output that is two values reshaped and joined, and a map of one that is reshaped alone, whose tensor goes on to others. */
static void reshapes_at_the_border_go(void **state)
{
    static struct tensor in = {.type = TYPE_FLOAT32}, out = {.type = TYPE_FLOAT32}, on = {.type = TYPE_FLOAT32};
    struct tensor *tensors[] = {&in, &out, &on};
    struct fixture *f = *state;
    struct ir_value *a = value(f, (struct ir_shape){1, 2, 2, 6}), *b = value(f, (struct ir_shape){1, 1, 2, 6}),
                    *joined[] = {value(f, (struct ir_shape){1, 1, 8, 3}), value(f, (struct ir_shape){1, 1, 4, 3})},
                    *y = output(f, value(f, (struct ir_shape){1, 1, 12, 3})),
                    *z = output(f, value(f, (struct ir_shape){1, 1, 8, 3})), *input = value(f, a->shape), *r = value(f, z->shape);

    op(f, &other, value(f, big), a);
    op(f, &other, value(f, big), b);
    op(f, &reshape, a, joined[0]);
    op(f, &reshape, b, joined[1]);
    join_two(f, joined[0], joined[1], y);
    op(f, &reshape, input, r);
    op(f, &map, r, value(f, r->shape));
    op(f, &reshape, f->ir->ops[6]->out, z);
    z->shape = (struct ir_shape){1, 2, 2, 6};
    input->tensor = &in;
    f->ir->inputs = &input;
    f->ir->n_inputs = 1;
    f->ir->output_tensors = &tensors[1];
    f->graph.inputs = tensors;
    f->graph.outputs = &tensors[1];
    f->graph.n_inputs = f->graph.n_outputs = 1;
    run(f, "border reshapes");
    assert_int_equal(f->ir->n_ops, 4);
    assert_int_equal(count_of(f, &reshape), 1);
    assert_true(f->ir->parts[0].n == 2 && f->ir->parts[0].part[0] == a && f->ir->parts[0].part[1] == b);
    assert_true(a->is_output && b->is_output && !y->is_output);
    assert_true(f->ir->parts[1].n == 1 && f->ir->parts[1].part[0] == z);
    assert_ptr_equal(input, r); /* in the input's place */
    assert_true(r->is_input);
}

/* ---- storage ---- */

/* What the operation at hand reads beyond the device's units is read as buffers; a view is what its root is. */
static void values_get_storage(void **state)
{
    static const float one[4] = {1};
    static const struct ir_kind weighed = {.name = "weighed", .constants = 2};
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *large = value(f, (struct ir_shape){1, 9, 8, 4}), *part = value(f, small),
                    *y = value(f, big);
    struct ir_value *scalar = ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 1, 1, 1}, one), *last = value(f, big);
    struct ir_value *const operand[3] = {NULL, scalar}, *const other_operand[3] = {NULL, last};
    struct ir_op *o = ir_op_new(f->ir, &weighed, IR_INS(x, part), y, 0);

    assert_true(ir_apply(f->ir, o, &fn_sum, operand, NULL, IR_FLOAT) && ir_apply(f->ir, o, &fn_sum, other_operand, NULL, IR_FLOAT));
    part->view = (struct ir_view){large, {0, 1, 2, 0}, large->shape};
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_BUFFER && part->storage == GL_STORAGE_BUFFER);
    f->limits.image_vectors = 64;
    f->limits.image_units = f->limits.image_reads = 5;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_IMAGE && y->storage == GL_STORAGE_IMAGE && last->storage == GL_STORAGE_IMAGE);
    assert_true(large->storage == GL_STORAGE_BUFFER && part->storage == GL_STORAGE_BUFFER);
    f->limits.image_vectors = 72;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_IMAGE && part->storage == GL_STORAGE_IMAGE && last->storage == GL_STORAGE_IMAGE);
    f->limits.image_reads = 4;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_IMAGE && part->storage == GL_STORAGE_IMAGE && last->storage == GL_STORAGE_BUFFER);
    f->limits.image_reads = 3;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_IMAGE && part->storage == GL_STORAGE_BUFFER && large->storage == GL_STORAGE_BUFFER);
    f->limits.image_reads = 1;
    f->limits.policy.image_reads = true;
    run(f, "choose storage");
    assert_true(x->storage == GL_STORAGE_BUFFER && y->storage == GL_STORAGE_IMAGE);
}

#define PASS PASS_TEST
#include "lib/gl/passes/storage.def"
#undef PASS

int main(void)
{
    const struct CMUnitTest tests[] = {
#define PASS(identifier, name, function) TEST(row_##identifier),
#include "lib/gl/passes/storage.def"
#undef PASS
        TEST(a_reshape_of_a_reshape_becomes_a_view),
        TEST(a_part_that_cannot_be_a_view_stays),
        TEST(a_lane_that_is_broadcast_becomes_a_view),
        TEST(a_join_that_must_move_stays),
        TEST(a_map_that_others_read_stays),
        TEST(maps_that_cannot_follow_stay),
        TEST(a_resize_that_others_read_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
