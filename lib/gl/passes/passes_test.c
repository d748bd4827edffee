/* SPDX-License-Identifier: Apache-2.0 */
/* passes_test.c - each rewrite on a graph made for it, and on ones it must leave alone; more of pads in pads_test.c, of maps in
 * fuse_test.c, of reshapes in hoist_slices_test.c, of enlargements in resize_after_conv_test.c, of duplicates in duplicates_test.c,
 * of programs in lib/gl/software/share_programs_test.c. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/testing/test_passes.h"

static void identities_go(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *y = output(f, value(f, big));

    op(f, &reshape, x, t);
    op(f, &other, t, y);
    run(f, "drop identities");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(f->ir->ops[0]->in[0], x);
}

static void identity_at_the_border_goes(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *y = output(f, value(f, big));

    op(f, &other, x, t);
    op(f, &reshape, t, y);
    run(f, "drop identities");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(f->ir->outputs[0], t);
    assert_true(t->is_output);
}

static void real_reshape_stays(void **state)
{
    struct fixture *f = *state;

    op(f, &reshape, value(f, big), output(f, value(f, (struct ir_shape){1, 4, 16, 4})));
    run(f, "drop identities");
    assert_int_equal(f->ir->n_ops, 1);
}

/* The same of the same is computed once, where its functions are the same, too. */
static void duplicates_go(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, big), *b = value(f, big), *c = value(f, big), *y = output(f, value(f, big));
    struct ir_op *join_all;

    op(f, &conv, x, a);
    op(f, &conv, x, b);
    ((struct ir_window *)op(f, &conv, x, c)->attr)->pad_h = 1;
    join_all = ir_op_new(f->ir, &join, IR_INS(a, b, c), value(f, big), 16);
    apply(f, &relu, join_all->out, NULL, y);
    apply(f, &sub, join_all->out, x, output(f, value(f, big)));
    run(f, "drop duplicates");
    assert_int_equal(f->ir->n_ops, 5);
    assert_ptr_equal(join_all->in[0], a);
    assert_ptr_equal(join_all->in[1], a);
    assert_ptr_equal(join_all->in[2], c);
}

static void unused_goes(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *a = value(f, big);

    op(f, &other, x, a);
    op(f, &other, a, value(f, big));
    op(f, &other, x, output(f, value(f, big)));
    run(f, "drop unused");
    assert_int_equal(f->ir->n_ops, 1);
}

static void pads_merge(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, (struct ir_shape){1, 10, 11, 4});
    struct ir_op *p = op(f, &pad, x, t), *c = op(f, &conv, t, output(f, value(f, big)));
    struct ir_window *win = c->attr;

    ((struct ir_pad *)p->attr)->before = (struct ir_shape){0, 1, 2, 0};
    win->pad_h = 5;
    run(f, "merge pads");
    assert_int_equal(f->ir->n_ops, 1);
    assert_int_equal(x->n_uses, 1);
    assert_ptr_equal(c->in[0], x);
    assert_int_equal(win->pad_h, 6);
    assert_int_equal(win->pad_w, 2);
}

static bool always(const struct ir_op *o)
{
    return o != NULL;
}

static const struct ir_kind mean = {.name = "mean", IR_TRAITS(.is_mean = always)},
                            product = {.name = "product", IR_TRAITS(.by_pixel = always)};

static void enlargements_come_late(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, small), *t = value(f, big), *u = value(f, big);
    struct ir_op *m = op(f, &mean, x, t), *o = op(f, &other, x, u), *p = op(f, &product, t, output(f, value(f, big)));

    assert_true(ir_apply(f->ir, p, &add, (struct ir_value *[3]){NULL, u, NULL}, NULL, IR_FLOAT));
    run(f, "enlarge late");
    assert_true(f->ir->ops[0] == p && f->ir->ops[1] == o && f->ir->ops[2] == m);
    assert_true(p->in[0] == x && m->in[0] == p->out && m->out == f->outputs[0] && m->epilogue && !p->epilogue);
    assert_true(ir_same_shape(p->out->shape, small));
}

static bool take_first(struct ir *ir, struct ir_op *o, struct ir_op *first, bool *done)
{
    o->in[0] = first->in[0];
    return *done = ir != NULL;
}

static const struct ir_kind taker = {.name = "taker", IR_TRAITS(.join = take_first)};

/* What two read stays. */
static void convolutions_join(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *u = value(f, big), *x = op(f, &other, value(f, big), t)->in[0];

    for (int i = 0; i < 3; i++)
        op(f, &taker, i ? u : t, i ? output(f, value(f, big)) : u);
    run(f, "join");
    assert_true(f->ir->ops[1]->in[0] == x && f->ir->ops[2]->in[0] == u);
}

/* Two pads and what fed a dead one: all that nobody reads after merging. */
static void merged_goes(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *u = value(f, big);

    op(f, &pad, x, t);
    op(f, &pad, t, u);
    op(f, &conv, x, output(f, value(f, big)));
    run(f, "drop what merging left");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(f->ir->ops[0]->kind, &conv);
}

/* Two convolutions, each transposed, scaled by channel and added to the other, back to a third: as converters from other frameworks
 * write it. */
static bool box_at(const struct ir_op *o, struct ir_shape *at)
{
    *at = *(const struct ir_shape *)o->attr;
    return true;
}

static bool set_box(struct ir *ir, struct ir_op *o, struct ir_shape at)
{
    *(struct ir_shape *)o->attr = at;
    return ir != NULL;
}

static const struct ir_kind box = {.name = "box", IR_TRAITS(.is_box = box_at, .set_box = set_box)};

/* One of the pixels that channels are dealt out to, and a reshape of that, which is one of the channels. Not two pixels. */
static void boxes_rise(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 1, 32, 24}), *y = value(f, (struct ir_shape){1, 32, 3, 8});
    struct ir_value *z = value(f, (struct ir_shape){1, 32, 1, 8}), *u = output(f, value(f, (struct ir_shape){1, 1, 32, 8}));
    struct ir_op *one, *two, *last;

    op(f, &reshape, x, y);
    one = op(f, &box, y, z);
    *(struct ir_shape *)one->attr = (struct ir_shape){0, 0, 2, 0};
    last = op(f, &reshape, z, u);
    two = op(f, &box, y, output(f, value(f, (struct ir_shape){1, 32, 2, 8})));
    run(f, "raise boxes");
    assert_true(f->ir->n_ops == 5 && f->ir->ops[1] == one && f->ir->ops[3] == last);
    assert_true(one->in[0] == x && ir_same_shape(one->out->shape, u->shape) && two->in[0] == y);
    assert_true(ir_same_shape(*(struct ir_shape *)one->attr, (struct ir_shape){0, 0, 0, 16}));
    assert_true(f->ir->ops[2]->kind == &reshape && f->ir->ops[2]->in[0] == one->out && f->ir->ops[2]->out == z);
    assert_ptr_equal(last->in[0], one->out);
}

/* Rows that are joined, as pixels, which are joined: pixels at once. */
static void reshapes_rise(void **state)
{
    const struct ir_shape row = {1, 1, 3, 4};
    struct fixture *f = *state;
    struct ir_value *x = value(f, (struct ir_shape){1, 2, 3, 4}), *y = value(f, (struct ir_shape){1, 1, 6, 4});
    struct ir_op *o = ir_op_new(f->ir, &join, IR_INS(value(f, row), value(f, row)), x, 16);

    op(f, &reshape, x, y);
    ir_op_new(f->ir, &join, IR_INS(y, value(f, y->shape)), output(f, value(f, big)), 16);
    run(f, "raise reshapes");
    assert_true(f->ir->n_ops == 2 && f->ir->ops[0] == o && o->out == y);
    assert_int_equal(((const int *)o->attr)[1], 2);
}

/* Planes of heads that are joined, as rows: of channels that come last, and of single ones. Where others read the planes, or one is
 * no transpose, nothing turns. */
static void reshapes_turn(void **state)
{
    const struct ir_shape one = {1, 6, 7, 1}, plane = {1, 1, 6, 7}, both = {1, 9, 6, 7}, rows = {1, 1, 9, 42};
    struct fixture *f = *state;
    struct ir_value *a = value(f, nchw), *b = value(f, plane), *all = value(f, both);

    transpose_to(f, value(f, nhwc), to_nchw, a);
    op(f, &reshape, value(f, one), b);
    ir_op_new(f->ir, &join, IR_INS(a, b), all, 16);
    op(f, &reshape, all, output(f, value(f, rows)));
    op(f, &other, a, value(f, nchw));
    run(f, "turn reshapes");
    assert_int_equal(count_of(f, &reshape), 2);
    f->ir->n_ops--;
    run(f, "turn reshapes");
    assert_int_equal(count_of(f, &reshape), 1);
    assert_int_equal(count_of(f, &transpose), 4);
    assert_true(ir_same_shape(f->ir->ops[4]->in[0]->shape, (struct ir_shape){1, 6, 7, 9}));
    assert_true(ir_same_shape(f->ir->ops[4]->out->shape, (struct ir_shape){1, 1, 42, 9}));
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 1);
    a = value(f, nchw);
    b = value(f, nchw);
    all = value(f, (struct ir_shape){1, 16, 6, 7});
    transpose_to(f, value(f, nhwc), to_nchw, a);
    op(f, &other, value(f, big), b);
    ir_op_new(f->ir, &join, IR_INS(a, b), all, 16);
    op(f, &reshape, all, output(f, value(f, (struct ir_shape){1, 1, 16, 42})));
    run(f, "turn reshapes");
    assert_int_equal(count_of(f, &transpose), 2);
}

static void transposes_sink(void **state)
{
    static const float scale[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct fixture *f = *state;
    struct ir_value *a = value(f, nhwc), *b = value(f, nhwc), *a1 = value(f, nchw), *b1 = value(f, nchw), *s = value(f, nchw),
                    *t = value(f, nchw), *u = value(f, nhwc), *c = ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 8, 1, 1}, scale);
    struct ir_op *scaled, *total;

    op(f, &conv, value(f, nhwc), a);
    transpose_to(f, a, to_nchw, a1);
    op(f, &conv, value(f, nhwc), b);
    transpose_to(f, b, to_nchw, b1);
    scaled = apply(f, &add, a1, c, s);
    total = apply(f, &add, s, b1, t);
    transpose_to(f, t, to_nhwc, u);
    op(f, &conv, u, output(f, value(f, nhwc)));
    run(f, "sink transposes");
    assert_int_equal(count_of(f, &transpose), 0);
    assert_int_equal(f->ir->n_ops, 5);
    assert_ptr_equal(scaled->in[0], a);
    assert_true(ir_same_shape(scaled->out->shape, nhwc));
    c = scaled->epilogue->operand[1];
    assert_true(ir_same_shape(c->shape, (struct ir_shape){1, 1, 1, 8}));
    assert_memory_equal(c->data, scale, sizeof scale);
    assert_ptr_equal(total->epilogue->operand[1], b);
    assert_ptr_equal(f->ir->ops[4]->in[0], total->out);
}

/* A product with one number for each channel, a sum with one for all, then what stays. */
static void scales_fold(void **state)
{
    static const float each[4] = {1, 2, 3, 4}, one = 5;
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *u = value(f, big), *v = value(f, big), *y = output(f, value(f, big));
    struct ir_op *w = op(f, &weighted, value(f, big), t);

    apply(f, &fn_product, t, ir_const(f->ir, IR_FLOAT, small, each), u);
    apply(f, &fn_sum, u, ir_const(f->ir, IR_FLOAT, (struct ir_shape){1, 1, 1, 1}, &one), v);
    apply(f, &relu, v, NULL, y);
    run(f, "fold scales");
    assert_int_equal(f->ir->n_ops, 2);
    assert_ptr_equal(w->out, v);
    assert_true(((const struct rescaled *)w->attr)->scale == 2 && ((const struct rescaled *)w->attr)->shift == 5);
}

static void maps_fuse(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *u = value(f, big), *y = output(f, value(f, big)), *bias = value(f, small);
    struct ir_op *c = op(f, &conv, value(f, big), t);

    apply(f, &add, t, bias, u);
    apply(f, &relu, u, NULL, y);
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(c->out, y);
    assert_ptr_equal(c->epilogue->fn, &add);
    assert_ptr_equal(c->epilogue->operand[1], bias);
    assert_ptr_equal(c->epilogue->next->fn, &relu);
}

/* relu(conv + pad) with the pad made last, the sum taken by the convolution; its operand lacks channels. */
static void pads_are_read(void **state)
{
    static const struct ir_shape few = {1, 8, 9, 6}, many = {1, 8, 9, 10};

    for (int v = 0; v < 4; v++) { /* 1: another value, 2: other channels, 3: the sum's operands exchanged */
        struct fixture *f = *state;
        struct ir_value *x = value(f, few), *t = value(f, many), *u = value(f, many);
        struct ir_op *c = op(f, &conv, x, t), *p = op(f, &pad, x, u);

        *(struct ir_pad *)p->attr = (struct ir_pad){{0, 0, 0, v == 2}, (float)(v == 1)};
        apply(f, &add, v == 3 ? u : t, v == 3 ? t : u, output(f, value(f, many)));
        run(f, "read pads");
        run(f, "fuse maps");
        assert_int_equal(f->ir->n_ops, v % 3 ? 2 : 1);
        if (v % 3 == 0) {
            assert_ptr_equal(f->ir->ops[0], c);
            assert_ptr_equal(c->epilogue->operand[v == 0], x);
        }
        f->ir->n_ops = 0;
    }
}

static void identity_of_a_constant_stays(void **state)
{
    static const float zeros[256];
    struct fixture *f = *state;
    struct ir_value *x = ir_const(f->ir, IR_FLOAT, big, zeros);

    op(f, &reshape, x, output(f, value(f, big)));
    run(f, "drop identities");
    assert_int_equal(f->ir->n_ops, 1);
}

static void used_second_output_stays(void **state)
{
    struct fixture *f = *state;
    struct ir_op *o = op(f, &other, value(f, big), value(f, big));

    o->out2 = output(f, value(f, big));
    run(f, "drop unused");
    assert_int_equal(f->ir->n_ops, 1);
}

/* ---- expand: work of attr's number of iterations, which halves ---- */

static const struct ir_kind work;

static bool is_long(const struct ir_op *o, const struct gl_limits *lim)
{
    return *(const uint32_t *)o->attr > gl_most_passes(lim);
}

static uint64_t work_iterations(const struct ir_op *o)
{
    return *(const uint32_t *)o->attr;
}

static void work_emit(struct gl_shader *p, const struct ir_op *o)
{
    (void)p;
    (void)o;
}

static struct ir_op *half(struct ir *ir, const struct ir_op *o, struct ir_value *x, struct ir_value *y)
{
    struct ir_op *part = ir_op_new(ir, &work, IR_INS(x), y, sizeof(uint32_t));

    if (part)
        *(uint32_t *)part->attr = *(const uint32_t *)o->attr / 2;
    return part;
}

static bool halve(struct ir *ir, const struct ir_op *o)
{
    struct ir_value *t = ir_temp_full(ir, IR_FLOAT, o->out->shape);

    return half(ir, o, o->in[0], t) && ir_hand_over(o, half(ir, o, t, o->out));
}

static const struct gl_variant work_variants[] = {{"halves", is_long, .expand = halve},
                                                  {"serial", NULL, work_emit, .iterations = work_iterations}};
static const struct ir_kind work = {"work", IR_OTHER, GL_VARIANTS(work_variants)};

static struct ir_op *work_of(struct fixture *f, uint32_t n, struct ir_value *x, struct ir_value *y)
{
    struct ir_op *o = op(f, &work, x, y);

    assert_non_null(o);
    *(uint32_t *)o->attr = n;
    return o;
}

static void long_loops_expand(void **state)
{
    static const struct node node;
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *t = value(f, big), *y = value(f, big);
    struct gl_choice choice = {0};
    struct ir_op *first, *middle;

    f->limits.policy.iterations = 10;
    f->ir->choice = &choice;
    first = op(f, &other, x, t);
    f->ir->lowering.node = &node;
    middle = work_of(f, 40, t, y);
    f->ir->lowering.node = NULL;
    assert_true(ir_apply(f->ir, middle, &relu, NULL, NULL, IR_FLOAT));
    op(f, &other, y, output(f, value(f, big)));
    run(f, "expand");
    assert_int_equal(f->ir->n_ops, 6);
    assert_ptr_equal(f->ir->ops[0], first);
    for (uint32_t i = 1; i < 5; i++) {
        const struct ir_op *o = f->ir->ops[i];

        assert_string_equal(o->variant->name, "serial");
        assert_int_equal(work_iterations(o), 10);
        assert_ptr_equal(o->in[0], f->ir->ops[i - 1]->out);
        assert_ptr_equal(o->nodes[0], &node);
        assert_true((o->epilogue != NULL) == (i == 4));
        assert_true(o->out->full == (i != 4));
    }
    assert_ptr_equal(f->ir->ops[4]->out, y);
    assert_int_equal(choice.most, 1);
}

static void expand_refuses(struct fixture *f, const char *says)
{
    const struct gl_rewrite *r = gl_rewrite_find("expand");
    struct err err;

    ir_link(f->ir);
    assert_int_equal(r->run(f->ir, &f->limits, &err), ST_UNSUPPORTED);
    assert_non_null(strstr(err.msg, says));
}

static void what_no_variant_can_do_is_refused(void **state)
{
    static const struct gl_variant variants[] = {{"serial", NULL, work_emit, .iterations = work_iterations}};
    static const struct ir_kind whole = {"whole", IR_OTHER, GL_VARIANTS(variants)};
    struct fixture *f = *state;

    f->limits.policy.iterations = 10;
    *(uint32_t *)op(f, &whole, value(f, big), value(f, big))->attr = 11;
    expand_refuses(f, "whole needs 11 iterations of one invocation, the device has 10");
}

static void an_intermediate_beyond_the_device_is_refused(void **state)
{
    struct fixture *f = *state;

    f->limits.policy.iterations = 10;
    f->limits.storage_block_bytes = 16;
    work_of(f, 20, value(f, small), value(f, big));
    expand_refuses(f, "intermediate");
}

static bool has_same_text(const struct ir_op *a, const struct ir_op *b)
{
    return a->kind == b->kind;
}

static uint64_t steps_of(const struct ir_op *o)
{
    return *(const uint32_t *)o->attr;
}

static const struct gl_variant tiles[] = {{"large", NULL, work_emit}, {"small", NULL, work_emit}};
static const struct ir_sizes worth_100 = {&tiles[0], &tiles[1], .has_same_text = has_same_text, .work = steps_of, .worth = 100};
static const struct ir_kind sized = {.name = "sized", GL_VARIANTS(tiles), IR_TRAITS(.sizes = &worth_100)};

static void programs_are_few(void **state)
{
    struct fixture *f = *state;

    f->limits.policy.row_groups = true;
    for (uint32_t i = 0; i < 2; i++) {
        struct ir_op *o = op(f, &sized, value(f, big), output(f, value(f, big)));

        *(uint32_t *)o->attr = 99 + i;
        o->variant = &tiles[i];
    }
    run(f, "few programs");
    assert_ptr_equal(f->ir->ops[0]->variant, &tiles[1]);
}

#define PASS PASS_TEST
#include "lib/gl/passes/passes.def"
#undef PASS

int main(void)
{
    const struct CMUnitTest tests[] = {
#define PASS(identifier, name, function) TEST(row_##identifier),
#include "lib/gl/passes/passes.def"
#undef PASS
        TEST(identity_at_the_border_goes),       TEST(real_reshape_stays),
        TEST(identity_of_a_constant_stays),      TEST(used_second_output_stays),
        TEST(what_no_variant_can_do_is_refused), TEST(an_intermediate_beyond_the_device_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
