/* SPDX-License-Identifier: Apache-2.0 */
/* model_pairs_test.c - two models with the same tensors under other names, in another order, of other types. */
#include "lib/compare/trial.h"
#include "lib/model/model_pairs.h"
#include "lib/testing/test_delegate.h"

#include <math.h>

static struct err err;

/* Two inputs and, reshaped from them, two outputs; names[] are those of inputs, then outputs. INT8 by the scale 1/4 where
 * `quantized`; `width` numbers each. */
static struct loaded two_ways(const char *const names[4], const char *const *signature, bool quantized, int32_t width)
{
    const enum tensor_type type = quantized ? TYPE_INT8 : TYPE_FLOAT32;
    struct builder b;
    int32_t t[4];

    builder_init(&b, "two ways");
    for (int i = 0; i < 4; i++) {
        t[i] = build_tensor(&b, names[i], type, SHAPE(1, i < 2 ? 3 : width));
        if (quantized)
            build_quant(&b, t[i], 0.25f, 5);
    }
    for (int i = 0; i < 2; i++)
        build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{1, 3}, 2}, INDICES(t[i]), INDICES(t[2 + i]));
    build_inputs(&b, INDICES(t[0], t[1]));
    build_outputs(&b, INDICES(t[2], t[3]));
    if (signature)
        build_signature(&b, "key", signature, signature + 2);
    return load(&b);
}

static const char *const plain[] = {"a", "b", "p", "q"}, *const swapped[] = {"b", "a", "q", "p"},
                         *const others[] = {"c", "d", "r", "s"};

static struct model_pairs find(const struct loaded *reference, const struct loaded *test, struct arena *a)
{
    struct model_pairs pairs;

    TEST_OK(model_pairs_find(reference->model, 0, test->model, 0, a, &pairs, &err), err);
    assert_true(pairs.n_inputs == 2 && pairs.n_outputs == 2);
    return pairs;
}

static void by_names_and_order(void **state)
{
    struct loaded a = two_ways(plain, NULL, false, 3), b = two_ways(swapped, NULL, true, 3), c = two_ways(others, NULL, false, 3);
    struct arena arena = {0};
    struct model_pairs p = find(&a, &b, &arena);

    (void)state;
    assert_true(p.inputs_by == PAIRS_BY_NAME && p.inputs[0] == 1 && p.inputs[1] == 0);
    assert_true(p.outputs_by == PAIRS_BY_NAME && p.outputs[0] == 1 && p.outputs[1] == 0);
    p = find(&a, &c, &arena);
    assert_true(p.inputs_by == PAIRS_BY_ORDER && p.inputs[0] == 0 && p.inputs[1] == 1);
    unload(&a);
    unload(&b);
    unload(&c);
    arena_free(&arena);
}

/* The names that callers use count more than those of tensors, which converters change. */
static void by_signature(void **state)
{
    struct loaded a = two_ways(plain, (const char *const[]){"left", "right", "up", "down"}, false, 3);
    struct loaded b = two_ways(swapped, (const char *const[]){"left", "right", "down", "up"}, false, 3);
    struct arena arena = {0};
    struct model_pairs p = find(&a, &b, &arena);

    (void)state;
    assert_true(p.inputs_by == PAIRS_BY_SIGNATURE && p.inputs[0] == 0 && p.inputs[1] == 1);
    assert_true(p.outputs_by == PAIRS_BY_SIGNATURE && p.outputs[0] == 1 && p.outputs[1] == 0);
    unload(&a);
    unload(&b);
    arena_free(&arena);
}

static void other_numbers_of_inputs(void **state)
{
    struct loaded a = two_ways(plain, NULL, false, 3);
    struct arena arena = {0};
    struct model_pairs pairs;
    struct builder chain;
    struct loaded b;

    (void)state;
    build_chain(&chain);
    b = load(&chain);
    assert_int_equal(model_pairs_find(a.model, 0, b.model, 0, &arena, &pairs, &err), ST_USAGE);
    assert_string_equal(err.msg, "the reference model has 2 inputs, the other 1");
    unload(&a);
    unload(&b);
    arena_free(&arena);
}

static struct session *prepare(const struct loaded *l)
{
    struct session_options opt = {.mode = CPU_REFERENCE};
    struct session *s;

    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

/* The float model's inputs are quantized for its twin, and the twin's outputs real numbers again. */
static void compared_as_real_numbers(void **state)
{
    static const float x[2][3] = {{1, -1.25f, 0.5f}, {0.1f, 30, 1000}};
    struct loaded a = two_ways(plain, NULL, false, 3), b = two_ways(swapped, NULL, true, 3);
    struct session_options opt = {.mode = CPU_REFERENCE};
    struct arena arena = {0};
    struct model_pairs pairs = find(&a, &b, &arena);
    struct trial_terms terms = {.pairs = &pairs};
    struct session *reference = prepare(&a);
    struct trial t;

    (void)state;
    TEST_OK(trial_open(&t, b.model, reference, &opt, &terms, 1, false, &err), err);
    for (int i = 0; i < 2; i++)
        memcpy(session_input(reference, (uint32_t)i)->data, x[i], sizeof x[i]);
    TEST_OK(session_run(reference, &err), err);
    TEST_OK(trial_run(&t, 1, &err), err);
    assert_memory_equal(session_input(t.session, 1)->data, ((int8_t[]){9, 0, 7}), 3);
    assert_true(t.diff.outputs[0].raw.max_abs == 0 && t.diff.outputs[0].raw.elems == 3);
    assert_true(fabs(t.diff.outputs[1].raw.max_abs - (1000 - 0.25 * 122)) < 1e-3);
    assert_int_equal(t.diff.inputs_cut, 1);
    assert_false(t.diff.outputs[0].is_quantized);
    trial_free(&t);
    session_free(reference);
    unload(&a);
    unload(&b);
    arena_free(&arena);
}

static void other_shapes(void **state)
{
    struct loaded a = two_ways(plain, NULL, false, 3);
    struct session_options opt = {.mode = CPU_REFERENCE};
    struct arena arena = {0};
    struct builder builder;
    struct model_pairs pairs;
    struct trial_terms terms = {.pairs = &pairs};
    struct session *reference = prepare(&a);
    struct trial t;
    struct loaded b;
    int32_t x, y, p, q;

    (void)state;
    builder_init(&builder, "transposed");
    x = build_tensor(&builder, "a", TYPE_FLOAT32, SHAPE(1, 3));
    y = build_tensor(&builder, "b", TYPE_FLOAT32, SHAPE(1, 3));
    p = build_tensor(&builder, "p", TYPE_FLOAT32, SHAPE(3, 1));
    q = build_tensor(&builder, "q", TYPE_FLOAT32, SHAPE(1, 3));
    build_op(&builder, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{3, 1}, 2}, INDICES(x), INDICES(p));
    build_op(&builder, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(q));
    build_inputs(&builder, INDICES(x, y));
    build_outputs(&builder, INDICES(p, q));
    b = load(&builder);
    pairs = find(&a, &b, &arena);
    assert_int_equal(trial_open(&t, b.model, reference, &opt, &terms, 1, false, &err), ST_USAGE);
    assert_string_equal(err.msg, "output 'p' FLOAT32[3,1] goes with 'p' FLOAT32[1,3] of the reference model: other shapes");
    trial_free(&t);
    session_free(reference);
    unload(&a);
    unload(&b);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_names_and_order),       cmocka_unit_test(by_signature), cmocka_unit_test(other_numbers_of_inputs),
        cmocka_unit_test(compared_as_real_numbers), cmocka_unit_test(other_shapes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
