/* SPDX-License-Identifier: Apache-2.0 */
/* ir_test.c - values and operations: what the constructors make of tensors and of NULL, and edges against a count of them. */
#include "lib/gl/ir/ir.h"
#include "lib/testing/test.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const struct ir_kind kind = {"other", IR_OTHER};
static const struct ir_fn relu = {"RELU", "max(a, 0.0)", NULL, .arity = 1}, add = {"ADD", "a + b", "a + b", .arity = 2};
static const struct ir_shape shape = {1, 2, 3, 4};

struct fixture {
    struct arena arena;
    struct graph graph;
    struct tensor t[12];
    struct tensor *inputs[2], *outputs[2];
    struct ir *ir;
};

/* Tensors 0 and 1 are inputs, 1 and 2 outputs. */
static int setup(void **state)
{
    static struct fixture f;
    struct err err;

    f = (struct fixture){.graph = {.tensors = f.t, .n_tensors = COUNT(f.t)}};
    for (uint32_t i = 0; i < COUNT(f.t); i++)
        f.t[i] = (struct tensor){.name = "t", .index = i, .type = TYPE_FLOAT32, .rank = 2, .dim = {5, 3}};
    f.inputs[0] = &f.t[0];
    f.inputs[1] = f.outputs[0] = &f.t[1];
    f.outputs[1] = &f.t[2];
    *state = &f;
    return ir_new(&f.arena, &f.graph, f.inputs, 2, f.outputs, 2, &f.ir, &err) ? -1 : 0;
}

static int teardown(void **state)
{
    arena_free(&((struct fixture *)*state)->arena);
    return 0;
}

/* Extents from the last dimension on, ones before. */
static void shapes_are_right_aligned(void **state)
{
    (void)state;
    for (int32_t rank = 0; rank <= TENSOR_MAX_RANK; rank++)
        for (int32_t zero = -1; zero < rank; zero++) {
            struct tensor t = {.rank = rank};
            struct ir_shape s = {0};

            for (int32_t i = 0; i < rank; i++)
                t.dim[i] = i == zero ? 0 : 10 + i;
            assert_int_equal(ir_shape_of(&t, &s), zero < 0);
            for (int32_t i = 0; i < 4 && rank <= 4 && zero < 0; i++)
                assert_int_equal(ir_dim(s, 3 - i), i < rank ? t.dim[rank - 1 - i] : 1);
        }
    assert_int_equal(ir_slices((struct ir_shape){1, 1, 1, 4}), 1);
    assert_int_equal(ir_slices((struct ir_shape){1, 1, 1, 5}), 2);
    assert_int_equal(ir_elems((struct ir_shape){1 << 15, 1 << 15, 1 << 15, 1 << 15}), 1ull << 60);
}

static void borders_are_marked(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->ir->n_inputs, 2);
    assert_ptr_equal(f->ir->inputs[1], f->ir->outputs[0]); /* passed through */
    assert_true(f->ir->inputs[0]->is_input && !f->ir->inputs[0]->is_output);
    assert_true(f->ir->inputs[1]->is_input && f->ir->inputs[1]->is_output);
    assert_true(!f->ir->outputs[1]->is_input && f->ir->outputs[1]->is_output);
    assert_ptr_equal(f->ir->outputs[1]->tensor, &f->t[2]);
}

static void a_tensor_is_one_value(void **state)
{
    struct fixture *f = *state;
    struct tensor *in[] = {&f->t[0], NULL, &f->t[5]}, *out[] = {&f->t[2], &f->t[5]};
    struct node n = {.in = in, .out = out, .n_in = 3, .n_out = 2};

    assert_ptr_equal(ir_in(f->ir, &n, 0), f->ir->inputs[0]);
    assert_ptr_equal(ir_out(f->ir, &n, 0), f->ir->outputs[1]);
    assert_ptr_equal(ir_in(f->ir, &n, 2), ir_out(f->ir, &n, 1));
    assert_false(ir_has_in(&n, 1) || ir_has_in(&n, 3));
    assert_null(ir_in(f->ir, &n, 1));
    assert_null(ir_in(f->ir, &n, 3));
    assert_null(ir_out(f->ir, &n, 2));
}

static void null_goes_through(void **state)
{
    struct fixture *f = *state;
    struct ir_value *v = ir_temp(f->ir, IR_FLOAT, shape);

    assert_null(ir_const(f->ir, IR_FLOAT, shape, NULL));
    assert_null(ir_op_new(f->ir, &kind, IR_INS(v, NULL), v, 0));
    assert_null(ir_op_new(f->ir, &kind, IR_INS(v), NULL, 0));
    assert_int_equal(f->ir->n_ops, 0);
    assert_false(ir_apply(f->ir, NULL, &relu, NULL, NULL, IR_FLOAT));
    assert_false(ir_activation(f->ir, NULL, ACT_RELU));
    ir_link(f->ir); /* nothing half-made was left behind */
}

/* ---- constants ---- */

static struct ir_value *constant(struct fixture *f, uint32_t i, enum tensor_type type, const void *data, int32_t n)
{
    struct tensor *t = &f->t[i], *in[] = {t};
    struct node node = {.in = in, .n_in = 1};

    t->type = type;
    t->rank = 1;
    t->dim[0] = n;
    t->data = (void *)data;
    t->is_const = t->is_known = true;
    return ir_in(f->ir, &node, 0);
}

static void constants_become_floats(void **state)
{
    struct fixture *f = *state;
    const float scale[] = {0.5f, 2}, single[] = {1.5f, -2};
    const int64_t zero[] = {1, -1}, wide[] = {INT64_MAX, INT64_MIN, -7};
    const struct ir_value *v;

    v = constant(f, 3, TYPE_FLOAT32, single, 2);
    assert_ptr_equal(v->data, single); /* where it is */
    assert_int_equal(v->type, IR_FLOAT);
    v = constant(f, 4, TYPE_FLOAT16, (const uint16_t[]){0x3c00, 0xc400, 0x7c00}, 3);
    assert_memory_equal(v->data, ((const float[]){1, -4, (float)(1e300 * 1e300)}), 12);
    f->t[5].quant = (struct quant){.n = 1, .scale = scale, .zero_point = zero};
    v = constant(f, 5, TYPE_INT8, (const int8_t[]){-128, 1, 127}, 3);
    assert_memory_equal(v->data, ((const float[]){-64.5f, 0, 63}), 12);
    v = constant(f, 6, TYPE_BOOL, (const uint8_t[]){0, 1}, 2);
    assert_int_equal(v->type, IR_BOOL);
    assert_memory_equal(v->data, ((const float[]){0, 1}), 8);
    v = constant(f, 7, TYPE_INT64, wide, 3);
    assert_int_equal(v->type, IR_INT);
    assert_memory_equal(v->data, ((const int32_t[]){INT32_MAX, INT32_MIN, -7}), 12);
    assert_ptr_equal(v->tensor, &f->t[7]);
}

/* One scale for each of the quantized dimension, whichever that is. */
static void channels_have_their_own_scale(void **state)
{
    struct fixture *f = *state;
    const float scale[] = {1, 10};
    const int64_t zero[] = {0, 1};
    const int8_t q[] = {1, 2, 3, 4};

    for (int32_t d = 0; d < 2; d++) {
        struct tensor t = {.type = TYPE_INT8, .rank = 2, .dim = {2, 2}, .data = (void *)q, .is_const = true};
        const float *got;

        t.quant = (struct quant){.n = 2, .dim = d, .scale = scale, .zero_point = zero};
        assert_non_null(got = ir_floats(f->ir, &t));
        for (int i = 0; i < 4; i++) {
            int channel = d ? i % 2 : i / 2;

            assert_float_equal(got[i], scale[channel] * (float)(q[i] - zero[channel]), 0);
        }
    }
}

static void run_time_integers_stay_integers(void **state)
{
    const struct {
        enum tensor_type type;
        bool is_const;
        enum ir_type want;
    } c[] = {{TYPE_FLOAT32, false, IR_FLOAT}, {TYPE_INT8, false, IR_INT},    {TYPE_INT8, true, IR_FLOAT},
             {TYPE_UINT8, false, IR_INT},     {TYPE_INT32, true, IR_INT},    {TYPE_INT64, false, IR_INT},
             {TYPE_BOOL, true, IR_BOOL},      {TYPE_FLOAT16, true, IR_FLOAT}};

    (void)state;
    for (size_t i = 0; i < COUNT(c); i++)
        assert_int_equal(ir_type_of(&(struct tensor){.type = c[i].type, .is_const = c[i].is_const}), c[i].want);
}

/* ---- operations and edges ---- */

static void functions_chain_their_types(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = ir_temp(f->ir, IR_FLOAT, shape), *b = ir_temp(f->ir, IR_FLOAT, shape), *y = ir_temp(f->ir, IR_BOOL, shape);
    struct ir_op *op = ir_op_new(f->ir, &kind, IR_INS(x), y, 24);
    const float p[4] = {1, 2, 3, 4};

    assert_non_null(op);
    assert_int_equal(op->stores, IR_BOOL);
    op->stores = IR_FLOAT;
    for (int i = 0; i < 24; i++)
        assert_int_equal(((const char *)op->attr)[i], 0);
    assert_true(ir_activation(f->ir, op, ACT_NONE));
    assert_null(op->epilogue);
    assert_true(ir_apply(f->ir, op, &relu, NULL, p, IR_INT));
    assert_true(ir_apply(f->ir, op, &add, (struct ir_value *[3]){NULL, b, NULL}, NULL, IR_BOOL));
    assert_ptr_equal(op->epilogue->fn, &relu);
    assert_memory_equal(op->epilogue->p, p, sizeof p);
    assert_int_equal(op->epilogue->in, IR_FLOAT);
    assert_int_equal(op->epilogue->out, IR_INT);
    assert_int_equal(op->epilogue->next->in, IR_INT);
    assert_int_equal(op->epilogue->next->out, IR_BOOL);
    assert_ptr_equal(op->epilogue->next->operand[1], b);
    assert_null(op->epilogue->next->next);
}

struct count {
    const struct ir_value *v;
    uint32_t n;
};

static void count_operand(void *arg, struct ir_value **operand)
{
    ((struct count *)arg)->n += *operand == ((struct count *)arg)->v;
}

/* Random operations over 90 values, with functions and second outputs. */
static void random_ops(struct fixture *f, uint64_t *seed)
{
    while (f->ir->n_values < 90)
        assert_non_null(ir_temp(f->ir, IR_FLOAT, shape));
    for (uint32_t i = 20; i < 90; i++) {
        struct ir_value **v = f->ir->values, *in[3];
        struct ir_op *op;

        for (int k = 0; k < 3; k++)
            in[k] = v[test_random(seed) % i];
        assert_non_null(op = ir_op_new(f->ir, &kind, in, (uint32_t)(test_random(seed) % 4), v[i], 0));
        if (i % 5 == 0 && i + 1 < 90)
            op->out2 = v[++i];
        if (i % 3 == 0)
            assert_true(ir_apply(f->ir, op, &add, (struct ir_value *[3]){NULL, in[0], NULL}, NULL, IR_FLOAT));
    }
}

static void check_links(struct fixture *f)
{
    ir_link(f->ir);
    for (uint32_t i = 0; i < f->ir->n_values; i++) {
        const struct ir_value *v = f->ir->values[i];
        struct count count = {v, v->is_output};
        const struct ir_op *producer = NULL;

        assert_int_equal(v->id, i);
        for (uint32_t k = 0; k < f->ir->n_ops; k++) {
            ir_each_operand(f->ir->ops[k], count_operand, &count);
            if (f->ir->ops[k]->out == v || f->ir->ops[k]->out2 == v)
                producer = f->ir->ops[k];
        }
        assert_int_equal(v->n_uses, count.n);
        assert_ptr_equal(v->producer, producer);
    }
}

struct replacement {
    const struct ir_value *from;
    struct ir_value *to;
};

static void replace(void *arg, struct ir_value **operand)
{
    const struct replacement *r = arg;

    if (*operand == r->from)
        *operand = r->to;
}

static void replace_uses(struct ir *ir, const struct ir_value *from, struct ir_value *to)
{
    struct replacement r = {from, to};

    for (uint32_t i = 0; i < ir->n_ops; i++)
        ir_each_operand(ir->ops[i], replace, &r);
}

static void links_are_counted(void **state)
{
    struct fixture *f = *state;
    uint64_t seed = 31;

    random_ops(f, &seed);
    for (int round = 0; round < 60; round++) {
        struct ir_value *from = f->ir->values[test_random(&seed) % 90], *to = f->ir->values[test_random(&seed) % 90];
        struct ir_op *gone = f->ir->ops[test_random(&seed) % f->ir->n_ops], *before[90];
        uint32_t n = f->ir->n_ops, from_uses, to_uses, k = 0;

        check_links(f);
        from_uses = from->n_uses - from->is_output;
        to_uses = to->n_uses;
        replace_uses(f->ir, from, to);
        check_links(f);
        if (from != to) {
            assert_int_equal(from->n_uses, from->is_output); /* the border is the caller's */
            assert_int_equal(to->n_uses, to_uses + from_uses);
        }
        if (n < 10)
            continue;
        memcpy(before, f->ir->ops, n * sizeof *before);
        ir_remove(f->ir, gone);
        ir_remove(f->ir, gone); /* not there any more: nothing */
        assert_int_equal(f->ir->n_ops, n - 1);
        for (uint32_t i = 0; i < n; i++)
            if (before[i] != gone)
                assert_ptr_equal(f->ir->ops[k++], before[i]);
        check_links(f);
        assert_null(gone->out->producer);
    }
}

static void merged_ops_name_each_node_once(void **state)
{
    struct fixture *f = *state;
    const struct node a = {.index = 0}, b = {.index = 1};
    const struct node *const made_for[] = {&a, &b, NULL, &a};
    struct ir_op *op[4];

    for (int i = 0; i < 4; i++) {
        f->ir->lowering.node = made_for[i];
        assert_non_null(op[i] = ir_op_new(f->ir, &kind, NULL, 0, ir_temp(f->ir, IR_FLOAT, shape), 0));
        assert_int_equal(op[i]->n_nodes, made_for[i] != NULL);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(ir_merge_nodes(f->ir, op[0], op[1]));
        assert_true(ir_merge_nodes(f->ir, op[0], op[2]));
        assert_true(ir_merge_nodes(f->ir, op[0], op[3]));
        assert_int_equal(op[0]->n_nodes, 2);
        assert_ptr_equal(op[0]->nodes[0], &a);
        assert_ptr_equal(op[0]->nodes[1], &b);
    }
}

/* What crosses the border and what is read from now on is the new content. */
static void variables_take_new_content(void **state)
{
    struct fixture *f = *state;
    struct ir_value *old = f->ir->outputs[0], *v = ir_temp(f->ir, IR_FLOAT, shape);
    struct tensor *in[] = {&f->t[1]};
    struct node n = {.in = in, .n_in = 1};

    ir_set_variable(f->ir, &f->t[1], v);
    assert_ptr_equal(ir_in(f->ir, &n, 0), v);
    assert_ptr_equal(f->ir->outputs[0], v);
    assert_true(v->is_output && !old->is_output);
    assert_ptr_equal(f->ir->inputs[1], old); /* what comes in is still the old one */
    assert_true(old->is_input && !v->is_input);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shapes_are_right_aligned),
        TEST(borders_are_marked),
        TEST(a_tensor_is_one_value),
        TEST(null_goes_through),
        TEST(constants_become_floats),
        TEST(channels_have_their_own_scale),
        TEST(run_time_integers_stay_integers),
        TEST(functions_chain_their_types),
        TEST(links_are_counted),
        TEST(merged_ops_name_each_node_once),
        TEST(variables_take_new_content),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
