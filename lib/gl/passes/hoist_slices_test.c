/* SPDX-License-Identifier: Apache-2.0 */
/* hoist_slices_test.c - more of the passes "raise boxes" and "raise reshapes": above what, and what must stay where it is
 * (passes_test.c); and that the result is right, on the GPU against the CPU. */
#include "lib/gl/testing/test_moves.h"
#include "lib/gl/testing/test_passes.h"

static const struct ir_kind norm = {.name = "norm", IR_TRAITS(.keeps_pixels = true)};
static const struct ir_shape row = {1, 1, 1, 12}, column = {1, 1, 12, 1};

/* Of what comes from outside, and one for all who reshape it alike, wherever they come. */
static void one_reshape_comes_before_maps(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, row), *a = value(f, row), *b = value(f, row), *c = value(f, column), *d = value(f, column);

    apply(f, &relu, x, NULL, a);
    apply(f, &relu, a, NULL, b);
    op(f, &reshape, b, c);
    op(f, &reshape, x, d);
    op(f, &other, c, output(f, value(f, small)));
    op(f, &other, d, output(f, value(f, small)));
    run(f, "raise reshapes");
    assert_int_equal(count_of(f, &reshape), 1);
    assert_true(f->ir->ops[0]->out == d && f->ir->ops[1]->in[0] == d && f->ir->ops[2]->in[0] == a && f->ir->ops[2]->out == c);
    assert_true(ir_same_shape(a->shape, column));
}

static void one_that_is_there_serves_maps(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, row), *a = value(f, row), *c = value(f, column), *d = value(f, column);

    op(f, &reshape, x, d);
    apply(f, &relu, x, NULL, a);
    op(f, &reshape, a, c);
    op(f, &other, c, output(f, value(f, small)));
    op(f, &other, d, output(f, value(f, small)));
    run(f, "raise reshapes");
    assert_true(f->ir->n_ops == 4 && f->ir->ops[0]->out == d && f->ir->ops[1]->in[0] == d && f->ir->ops[1]->out == c);
}

/* With none to share, the reshape that was behind the map comes first, and stores what that reads. */
static void a_reshape_comes_before_a_map(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, row), *a = value(f, row), *c = value(f, column);

    x->type = IR_INT;
    apply(f, &relu, x, NULL, a);
    op(f, &reshape, a, c);
    op(f, &other, c, output(f, value(f, small)));
    run(f, "raise reshapes");
    assert_true(f->ir->ops[0]->kind == &reshape && f->ir->ops[0]->in[0] == x && f->ir->ops[1]->out == c);
    assert_ptr_equal(f->ir->ops[1]->in[0], f->ir->ops[0]->out);
    assert_true(f->ir->ops[0]->stores == IR_INT && f->ir->ops[1]->stores == IR_FLOAT);
}

/* Where the map will be part of what it reads, reads another value or is read by another, and where the reshape copies nothing, is
 * flattened or leaves. */
static void a_reshape_stays_behind_a_map(void **state)
{
    const struct ir_shape pixels = {1, 3, 4, 8}, rows = {1, 1, 12, 8}, whole = {1, 1, 1, 96};
    struct fixture *f = *state;
    struct ir_value *x = value(f, row), *made = value(f, row), *a[6], *last = output(f, value(f, column));

    op(f, &other, value(f, small), made);
    for (int i = 0; i < 6; i++)
        a[i] = value(f, i < 4 ? row : pixels);
    apply(f, &relu, made, NULL, a[0]);
    apply(f, &add, x, value(f, row), a[1]);
    apply(f, &relu, x, NULL, a[2]);
    op(f, &other, a[2], output(f, value(f, small)));
    apply(f, &relu, x, NULL, a[3]);
    apply(f, &relu, value(f, pixels), NULL, a[4]);
    apply(f, &relu, value(f, pixels), NULL, a[5]);
    for (int i = 0; i < 6; i++)
        op(f, &reshape, a[i], i == 3 ? last : value(f, (struct ir_shape[]){column, rows, whole}[i < 4 ? 0 : i - 3]));
    run(f, "raise reshapes");
    for (int i = 0; i < 6; i++)
        assert_ptr_equal(f->ir->ops[8 + i]->in[0], a[i]);
}

/* What another copies anyhow is not copied again. */
static void a_reshape_of_what_others_read_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, row), *y = value(f, column), *z = value(f, (struct ir_shape){1, 12, 1, 1});
    struct ir_op *last;

    op(f, &reshape, x, y);
    last = op(f, &reshape, y, output(f, z));
    op(f, &other, y, output(f, value(f, small)));
    run(f, "raise boxes");
    assert_ptr_equal(last->in[0], y);
    f->ir->n_ops--;
    run(f, "raise boxes");
    assert_ptr_equal(last->in[0], x);
}

static struct ir_op *joined_twice(struct fixture *f, struct ir_shape part, struct ir_shape all, struct ir_shape flat)
{
    struct ir_value *x = value(f, all), *y = value(f, flat);
    struct ir_op *o = ir_op_new(f->ir, &join, IR_INS(value(f, part), value(f, part)), x, 16);

    op(f, &reshape, x, y);
    ir_op_new(f->ir, &join, IR_INS(y, value(f, flat)), value(f, big), 16);
    return o;
}

/* A join that copies anyhow makes pixels at once; one that need not run stays, as does one of several rows each. */
static void a_join_that_copies_makes_pixels(void **state)
{
    struct fixture *f = *state;
    struct ir_op *copies, *views, *rows;

    copies = joined_twice(f, (struct ir_shape){1, 2, 3, 3}, (struct ir_shape){1, 2, 3, 6}, (struct ir_shape){1, 1, 6, 6});
    views = joined_twice(f, (struct ir_shape){1, 2, 3, 4}, (struct ir_shape){1, 2, 3, 8}, (struct ir_shape){1, 1, 6, 8});
    rows = joined_twice(f, (struct ir_shape){1, 2, 3, 4}, (struct ir_shape){1, 4, 3, 4}, (struct ir_shape){1, 1, 12, 4});
    run(f, "raise reshapes");
    assert_true(ir_same_shape(copies->in[1]->shape, (struct ir_shape){1, 1, 6, 3}) && copies->out->shape.w == 6);
    assert_true(views->out->shape.h == 2 && rows->out->shape.h == 4);
}

/* What normalizes each pixel comes before the reshape that leaves, and after one that does not. */
static void a_reshape_that_leaves_comes_last(void **state)
{
    const struct ir_shape batches = {5, 1, 1, 6}, pixels = {1, 1, 5, 6};
    struct fixture *f = *state;
    struct ir_value *x[2] = {value(f, batches), value(f, batches)}, *y[2] = {value(f, pixels), value(f, pixels)};
    struct ir_op *n[2];

    for (int i = 0; i < 2; i++) {
        op(f, &reshape, x[i], y[i]);
        n[i] = op(f, &norm, y[i], value(f, pixels));
    }
    output(f, n[0]->out);
    run(f, "raise reshapes");
    assert_true(n[0]->in[0] == x[0] && ir_same_shape(n[0]->out->shape, batches) && n[1]->in[0] == y[1]);
    assert_true(f->outputs[0]->producer->kind == &reshape && f->outputs[0]->producer->in[0] == n[0]->out);
}

/* ---- reshapes that rise and sink: of [5,12], to y, so many values ---- */

typedef uint32_t make_outputs(struct builder *b, int32_t x, int32_t y[2]);

static int32_t sliced(struct builder *b, int32_t x, const int32_t begin[4], const int32_t dim[4])
{
    const int32_t y = tensor(b, dim, 4);

    build_op(b, BUILTIN_SLICE, 1, NULL, INDICES(x, numbers(b, begin, 4), numbers(b, dim, 4)), INDICES(y));
    return y;
}

/* Two of three heads that channels are dealt out to. */
static uint32_t heads(struct builder *b, int32_t x, int32_t y[2])
{
    const int32_t dealt = reshaped(b, layer(b, x, 5, 12, 24), SHAPE(1, 5, 3, 8)), dim[] = {1, 5, 1, 8};

    for (int32_t i = 0; i < 2; i++)
        y[i] = layer(b, reshaped(b, sliced(b, dealt, (int32_t[]){0, 0, 2 * i, 0}, dim), SHAPE(5, 8)), 5, 8, 3);
    return 2;
}

/* Every third row, of which the reshape deals out no channels. */
static uint32_t thirds(struct builder *b, int32_t x, int32_t y[2])
{
    const int32_t rows = unary(b, BUILTIN_NEG, reshaped(b, x, SHAPE(15, 4)), SHAPE(15, 4)), dim[] = {1, 5, 1, 4};

    y[0] = unary(b, BUILTIN_ABS, sliced(b, reshaped(b, rows, SHAPE(1, 5, 3, 4)), (int32_t[]){0, 0, 1, 0}, dim), dim, 4);
    return 1;
}

/* Both halves of four channels, each read twice. */
static uint32_t halves(struct builder *b, int32_t x, int32_t y[2])
{
    const int32_t dim[] = {1, 5, 3, 2}, all = reshaped(b, x, SHAPE(1, 5, 3, 4));
    int32_t half[2];

    for (int32_t i = 0; i < 2; i++)
        half[i] = sliced(b, all, (int32_t[]){0, 0, 0, 2 * i}, dim);
    for (int32_t i = 0; i < 2; i++) {
        y[i] = tensor(b, dim, 4);
        build_op(b, BUILTIN_SUB, 1, NULL, INDICES(unary(b, BUILTIN_EXP, half[i], dim, 4), half[!i]), INDICES(y[i]));
    }
    return 2;
}

/* The rows and what a function makes of them, reshaped alike. */
static uint32_t masked(struct builder *b, int32_t x, int32_t y[2])
{
    y[0] = unary(b, BUILTIN_EXP, reshaped(b, unary(b, BUILTIN_ABS, x, SHAPE(5, 12)), SHAPE(12, 5, 1)), SHAPE(12, 5, 1));
    y[1] = unary(b, BUILTIN_NEG, reshaped(b, x, SHAPE(12, 5, 1)), SHAPE(12, 5, 1));
    return 2;
}

/* Two detectors' heads of one channel and four, as pixels. */
static uint32_t detected(struct builder *b, int32_t x, int32_t y[2])
{
    const int32_t image[] = {1, 5, 4, 3}, all = reshaped(b, x, image, 4), second = unary(b, BUILTIN_ABS, all, image, 4);
    int32_t rows[2];

    for (int i = 0; i < 2; i++) {
        const int32_t t = tensor(b, SHAPE(1, 5, 4, 5));

        build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 3},
                 INDICES(convolved(b, all, image, 1), convolved(b, i ? second : all, image, 4)), INDICES(t));
        rows[i] = reshaped(b, t, SHAPE(1, 20, 5));
    }
    y[0] = tensor(b, SHAPE(1, 40, 5));
    build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 1}, rows, 2, INDICES(y[0]));
    return 1;
}

static uint32_t normalized(struct builder *b, int32_t x, int32_t y[2])
{
    const int32_t dim[] = {1, 1, 5, 40};

    y[0] = unary(b, BUILTIN_L2_NORMALIZATION, reshaped(b, layer(b, x, 5, 12, 40), dim, 4), dim, 4);
    return 1;
}

static struct loaded outputs(make_outputs *make)
{
    struct builder b;
    int32_t x, y[2];

    builder_init(&b, "rising");
    x = tensor(&b, SHAPE(5, 12));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, y, make(&b, x, y));
    return load(&b);
}

static void what_is_moved_rises_and_sinks(void **state)
{
    static const struct {
        make_outputs *make;
        uint32_t left[3], dynamic[3];
    } cases[] = {{heads, {0, 0, 0}, {3, 0, 0}},  {thirds, {1, 1, 0}, {2, 1, 0}},   {halves, {0, 1, 0}, {1, 2, 0}},
                 {masked, {0, 0, 0}, {2, 0, 0}}, {detected, {0, 0, 2}, {3, 0, 2}}, {normalized, {0, 0, 0}, {1, 0, 0}}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 3; k++)
            expect(outputs(cases[i].make), (const char *[]){"reshape", "axis gather", "concat"}[k], cases[i].left[k],
                   cases[i].dynamic[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_reshape_comes_before_maps),    TEST(one_that_is_there_serves_maps),
        TEST(a_reshape_comes_before_a_map),     TEST(a_reshape_stays_behind_a_map),
        TEST(a_join_that_copies_makes_pixels),  TEST(a_reshape_of_what_others_read_stays),
        TEST(a_reshape_that_leaves_comes_last), cmocka_unit_test(what_is_moved_rises_and_sinks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
