/* SPDX-License-Identifier: Apache-2.0 */
/* test_passes.c - operations, values and runs for tests of passes. */
#include "lib/gl/testing/test_passes.h"

const struct ir_kind reshape = {"reshape", IR_RESHAPE}, other = {"other", IR_OTHER}, map = {"map", IR_MAP}, pad = {"pad", IR_PAD},
                     conv = {"conv", IR_CONV, 1};
const struct ir_fn relu = {"RELU", "a", NULL, .arity = 1}, add = {"ADD", "a + b", NULL, .arity = 2},
                   sub = {"SUB", "a - b", NULL, .arity = 2};
const struct ir_shape big = {1, 8, 8, 4}, small = {1, 1, 1, 4};

static const char *ran[16]; /* the passes that the current test has run */
static uint32_t n_ran;

int setup(void **state)
{
    static struct fixture f;
    struct err err;

    n_ran = 0;
    f = (struct fixture){.limits = gl_limits_least};
    *state = &f;
    return ir_new(&f.arena, &f.graph, NULL, 0, NULL, 0, &f.ir, &err) ? -1 : 0;
}

int teardown(void **state)
{
    arena_free(&((struct fixture *)*state)->arena);
    return 0;
}

struct ir_value *value(struct fixture *f, struct ir_shape s)
{
    return ir_temp(f->ir, IR_FLOAT, s);
}

struct ir_value *output(struct fixture *f, struct ir_value *v)
{
    v->is_output = true;
    f->outputs[f->ir->n_outputs++] = v;
    f->ir->outputs = f->outputs;
    f->ir->output_tensors = f->output_tensors;
    return v;
}

struct ir_op *op(struct fixture *f, const struct ir_kind *kind, struct ir_value *x, struct ir_value *y)
{
    return ir_op_new(f->ir, kind, IR_INS(x), y, 64);
}

struct ir_op *apply(struct fixture *f, const struct ir_fn *fn, struct ir_value *a, struct ir_value *b, struct ir_value *y)
{
    struct ir_op *m = op(f, &map, a, y);

    assert_true(ir_apply(f->ir, m, fn, (struct ir_value *[3]){NULL, b, NULL}, NULL, IR_FLOAT));
    return m;
}

static bool axes_of(const struct ir_op *o, int axis[4])
{
    memcpy(axis, o->attr, 4 * sizeof *axis);
    return true;
}

static void set_axes_of(struct ir_op *o, const int axis[4])
{
    memcpy(o->attr, axis, 4 * sizeof *axis);
}

static void permute_join(struct ir_op *o, const int order[4])
{
    memcpy(o->attr, order, 4 * sizeof *order);
}

static bool blocks_of_2(const struct ir_op *o, struct ir_blocks *k)
{
    *k = (struct ir_blocks){2, 2, o->out->shape.c};
    return true;
}

static bool note_order(struct ir *ir, struct ir_op *o, struct ir_shape from, bool *done)
{
    (void)ir;
    *(struct ir_shape *)o->attr = from;
    return *done = true;
}

const struct ir_kind test_blocks = {.name = "blocks", IR_TRAITS(.blocks = blocks_of_2)};
const struct ir_kind reordered = {.name = "reordered", IR_TRAITS(.reorder = note_order)};
const struct ir_kind transpose = {.name = "transpose", IR_TRAITS(.axes = axes_of, .set_axes = set_axes_of)};
const struct ir_kind join = {.name = "join", .role = IR_CONCATENATION, IR_TRAITS(.permute = permute_join)};
const int to_nchw[4] = {0, 3, 1, 2}, to_nhwc[4] = {0, 2, 3, 1};
const struct ir_shape nhwc = {1, 6, 7, 8}, nchw = {1, 8, 6, 7};

void transpose_to(struct fixture *f, struct ir_value *x, const int axis[4], struct ir_value *y)
{
    set_axes_of(op(f, &transpose, x, y), axis);
}

uint32_t count_of(const struct fixture *f, const struct ir_kind *kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < f->ir->n_ops; i++)
        n += f->ir->ops[i]->kind == kind;
    return n;
}

static bool note_rescale(struct ir *ir, struct ir_op *o, const float *scale, const float *shift, bool *done)
{
    struct rescaled *r = o->attr;

    (void)ir;
    *done = !scale || scale[1] < 1e9f;
    r->scale = scale ? scale[1] : r->scale;
    r->shift = shift ? shift[1] : r->shift;
    return true;
}

const struct ir_kind weighted = {.name = "weighted", .role = IR_CONV, IR_TRAITS(.rescale = note_rescale)};
const struct ir_fn fn_product = {"MUL", "a * b", NULL, .arity = 2, .role = IR_FN_PRODUCT},
                   fn_sum = {"ADD", "a + b", NULL, .arity = 2, .role = IR_FN_SUM};

static bool has_run(const char *pass)
{
    for (uint32_t i = 0; i < n_ran; i++)
        if (!strcmp(ran[i], pass))
            return true;
    return false;
}

void run(struct fixture *f, const char *name)
{
    const struct gl_rewrite *r = gl_rewrite_find(name);
    struct err err;

    assert_non_null(r);
    if (!has_run(name)) {
        assert_true(n_ran < 16);
        ran[n_ran++] = name;
    }
    ir_link(f->ir);
    TEST_OK(r->run(f->ir, &f->limits, &err), err);
    ir_link(f->ir);
}

void must_have_run(const char *test, const char *pass)
{
    if (!has_run(pass))
        fail_msg("the test %s does not run the pass \"%s\"", test, pass);
}
