/* SPDX-License-Identifier: Apache-2.0 */
/* half_test.c - values beyond the largest half: what is scaled, what is kept in float32, and the same float32 results from both. */
#include "lib/rewrite/half.h"

#include <string.h>

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

enum { MOST_TENSORS = 32, ELEMS = 64 };

static struct err err;

/* Largest values of the tensors, and sums of terms; in the order in which they were built. */
static double seen_largest[MOST_TENSORS], seen_terms[MOST_TENSORS];

static void list_ops(const struct model *m, char *out, size_t size)
{
    size_t at = 0;

    *out = '\0';
    for (uint32_t i = 0; i < m->subgraphs[0].n_ops; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "", model_op_name(m, &m->subgraphs[0].ops[i]));
}

/* Runs a model on values of up to `most`, and copies its output. */
static void run(const struct model *m, enum session_precision precision, float most, float *out, size_t n)
{
    const struct session_options opt = {.num_threads = 1, .mode = CPU_REFERENCE, .precision = precision};
    struct session *s;
    float x[ELEMS];

    for (int i = 0; i < ELEMS; i++)
        x[i] = most * (float)(i % 7 - 3) / 3;
    TEST_OK(session_new(m, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_set_input(s, 0, x, session_input(s, 0)->bytes, &err), err);
    TEST_OK(session_run(s, &err), err);
    assert_true(session_output(s, 0)->bytes == n * sizeof *out);
    memcpy(out, session_output(s, 0)->data, n * sizeof *out);
    session_free(s);
}

/* Rewrites the builder's model, whose operators must then be `after`; the float32 results are the same bits, and those in half
 * precision within 1 %. */
static void rewrite(struct builder *b, const char *after, float most, size_t n_out, struct half_rewrites *h)
{
    const struct half_seen seen = {seen_largest, seen_terms};
    struct loaded l = load(b);
    struct model *now;
    float was[ELEMS], is[ELEMS];
    char ops[256];

    TEST_OK(half_rewrite(l.model, 0, &seen, h, &err), err);
    TEST_OK(model_parse(h->file, h->bytes, "rewritten", &now, &err), err);
    list_ops(now, ops, sizeof ops);
    assert_string_equal(ops, after);
    run(l.model, SESSION_FP32, most, was, n_out);
    run(now, SESSION_FP32, most, is, n_out);
    assert_memory_equal(was, is, n_out * sizeof *is);
    run(now, SESSION_FP16, most, is, n_out);
    for (size_t i = 0; i < n_out && h->n_done; i++)
        assert_true(is[i] >= was[i] - 0.01f * most && is[i] <= was[i] + 0.01f * most);
    model_close(now);
    unload(&l);
    memset(seen_largest, 0, sizeof seen_largest);
    memset(seen_terms, 0, sizeof seen_terms);
}

/* y = x rsqrt(mean(x x) + eps): tensors x, eps, axis, square, mean, sum, root, y. */
static void build_rms_norm(struct builder *b, enum builtin square)
{
    static const struct opt_reducer keep_dims = {.keep_dims = true};
    int32_t x, eps, axis, sq, mean, sum, root, y;

    builder_init(b, "RMSNorm");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4, 16));
    eps = build_const(b, "eps", TYPE_FLOAT32, SHAPE(1), &(const float){0.5f});
    axis = build_const(b, "axis", TYPE_INT32, SHAPE(1), &(const int32_t){1});
    sq = build_tensor(b, "square", TYPE_FLOAT32, SHAPE(4, 16));
    mean = build_tensor(b, "mean", TYPE_FLOAT32, SHAPE(4, 1));
    sum = build_tensor(b, "sum", TYPE_FLOAT32, SHAPE(4, 1));
    root = build_tensor(b, "root", TYPE_FLOAT32, SHAPE(4, 1));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4, 16));
    build_op(b, square, 1, NULL, INDICES(x, x), INDICES(sq));
    if (square == BUILTIN_SQUARE)
        b->graph->ops[0].n_inputs = 1;
    build_op(b, BUILTIN_MEAN, 1, &keep_dims, INDICES(sq, axis), INDICES(mean));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(mean, eps), INDICES(sum));
    build_op(b, BUILTIN_RSQRT, 1, NULL, INDICES(sum), INDICES(root));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, root), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    seen_largest[x] = 900;
    seen_largest[sq] = 810000;
    seen_largest[mean] = seen_largest[sum] = 400000;
    seen_terms[mean] = 6400000;
}

static void norms_are_scaled(void **state)
{
    struct builder b;
    struct half_rewrites h;

    (void)state;
    build_rms_norm(&b, BUILTIN_MUL);
    rewrite(&b, "MUL MUL MEAN ADD RSQRT MUL MUL", 900, ELEMS, &h);
    assert_true(h.n_done == 1 && !h.n_kept && h.done[0].node == 0 && h.done[0].scale == -4);
    assert_true(h.done[0].scaled == 4 && h.done[0].value == 6400000 && h.nodes_before == 5 && h.nodes_after == 7);
    assert_string_equal(h.done[0].what, "scale before a square");
    half_rewrites_free(&h);
}

/* The root of the mean of 64 elements: their sum passes the limit, nothing else does. */
static void sums_are_scaled(void **state)
{
    static const struct opt_reducer flat = {.keep_dims = false};
    struct builder b;
    struct half_rewrites h;
    int32_t x, m, y;

    (void)state;
    builder_init(&b, "mean");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, 8, 8));
    m = build_tensor(&b, "m", TYPE_FLOAT32, SHAPE(1, 8));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 8));
    build_op(&b, BUILTIN_MEAN, 1, &flat, INDICES(x, build_const(&b, "axis", TYPE_INT32, SHAPE(1), &(const int32_t){1})),
             INDICES(m));
    build_op(&b, BUILTIN_ABS, 1, NULL, INDICES(m), INDICES(y));
    build_ends(&b, INDICES(x), INDICES(y));
    seen_largest[x] = 20000;
    seen_largest[m] = seen_largest[y] = 15000;
    seen_terms[m] = 120000;
    rewrite(&b, "MUL MEAN MUL ABS", 20000, 8, &h);
    assert_true(h.n_done == 1 && !h.n_kept && h.done[0].of_terms && h.done[0].value == 120000 && h.done[0].scaled == 1);
    assert_true(h.done[0].scale == -2 && h.done[0].bound == 0x1p-23);
    half_rewrites_free(&h);
}

/* y = f(x x), whose square passes the limit. */
static void build_square_and(struct builder *b, enum builtin f)
{
    int32_t x, sq, y;

    builder_init(b, "square");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 16));
    sq = build_tensor(b, "square", TYPE_FLOAT32, SHAPE(1, 16));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 16));
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, x), INDICES(sq));
    build_op(b, f, 1, NULL, INDICES(sq), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    seen_largest[x] = 900;
    seen_largest[sq] = 810000;
    seen_largest[y] = 900;
}

static void what_cannot_be_scaled_is_named(void **state)
{
    struct builder b;
    struct half_rewrites h;

    (void)state;
    build_square_and(&b, BUILTIN_LOGISTIC);
    rewrite(&b, "MUL LOGISTIC", 900, 16, &h);
    assert_true(!h.n_done && h.n_kept == 2 && h.kept[0].node == 0 && h.kept[1].node == 1 && h.kept[0].value == 810000);
    assert_string_equal(h.kept[0].why, "node 1 LOGISTIC, which reads its result, cannot be scaled");
    assert_string_equal(h.kept[1].why, "it reads 'square', which passes the limit");
    half_rewrites_free(&h);
    build_square_and(&b, BUILTIN_ABS);
    seen_largest[2] = 810000;
    rewrite(&b, "MUL ABS", 900, 16, &h);
    assert_true(!h.n_done && h.n_kept == 2);
    assert_string_equal(h.kept[0].why, "'y', an output of the model, passes the limit");
    half_rewrites_free(&h);
    build_square_and(&b, BUILTIN_SQRT);
    rewrite(&b, "MUL MUL SQRT MUL", 900, 16, &h);
    assert_true(h.n_done == 1 && !h.n_kept && h.done[0].scaled == 2);
    half_rewrites_free(&h);
}

/* Small values: the same model again. */
static void nothing_is_to_be_done(void **state)
{
    struct builder b;
    struct half_rewrites h;

    (void)state;
    build_square_and(&b, BUILTIN_SQRT);
    seen_largest[1] = 65504;
    rewrite(&b, "MUL SQRT", 200, 16, &h);
    assert_true(!h.n_done && !h.n_kept && h.nodes_after == 2);
    half_rewrites_free(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(norms_are_scaled),
        cmocka_unit_test(sums_are_scaled),
        cmocka_unit_test(what_cannot_be_scaled_is_named),
        cmocka_unit_test(nothing_is_to_be_done),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
