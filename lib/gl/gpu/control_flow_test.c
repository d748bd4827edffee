/* SPDX-License-Identifier: Apache-2.0 */
/* control_flow_test.c - loops and branches that the CPU runs, with what they call on the GPU: against the CPU alone. */
#include "lib/gl/testing/test_gpu.h"

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

#define LEN 6

static int32_t vector(struct builder *b, const char *name, int32_t n)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(n));
}

static int32_t number(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_INT32, SHAPE(1));
}

static int32_t apply(struct builder *b, enum builtin op, int32_t x, int32_t with, int32_t n)
{
    int32_t y = vector(b, "y", n);

    if (with < 0)
        build_op(b, op, 1, NULL, INDICES(x), INDICES(y));
    else
        build_op(b, op, 1, NULL, INDICES(x, with), INDICES(y));
    return y;
}

static int32_t constant(struct builder *b, float value)
{
    return build_const(b, "c", TYPE_FLOAT32, SHAPE(1), &value);
}

/* Subgraph (i, n, x, y) -> i < n. */
static void build_less(struct builder *b, int32_t len)
{
    int32_t i, n, x, y, less;

    build_subgraph(b, "less");
    i = number(b, "i");
    n = number(b, "n");
    x = vector(b, "x", len);
    y = vector(b, "y", len);
    less = build_tensor(b, "less", TYPE_BOOL, SHAPE(1));
    build_op(b, BUILTIN_LESS, 1, NULL, INDICES(i, n), INDICES(less));
    build_inputs(b, INDICES(i, n, x, y));
    build_outputs(b, INDICES(less));
}

/* Subgraph (i, n, x, y) -> i + 1, n, y, |x| * 0.5 + 1, or with `inner` >= 0 (y, x) from a loop over these numbers again, with
 * subgraphs inner and inner + 1. Either way x and y change places. */
static void build_body(struct builder *b, int32_t inner)
{
    int32_t i, n, x, y, i2, half;

    build_subgraph(b, "body");
    i = number(b, "i");
    n = number(b, "n");
    x = vector(b, "x", LEN);
    y = vector(b, "y", LEN);
    i2 = number(b, "i2");
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(i, build_const(b, "1", TYPE_INT32, SHAPE(1), (int32_t[]){1})), INDICES(i2));
    half = apply(b, BUILTIN_MUL, apply(b, BUILTIN_ABS, x, -1, LEN), constant(b, 0.5f), LEN);
    build_inputs(b, INDICES(i, n, x, y));
    if (inner >= 0) {
        int32_t out[4] = {number(b, "i3"), number(b, "n3"), vector(b, "x3", LEN), vector(b, "y3", LEN)};

        build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){inner, inner + 1}, INDICES(i, n, y, half), out, 4);
        build_outputs(b, INDICES(i2, n, out[2], out[3]));
    } else {
        build_outputs(b, INDICES(i2, n, y, apply(b, BUILTIN_ADD, half, constant(b, 1), LEN)));
    }
}

/* before = |-x|; (x2, y2) = WHILE (i < n) (i, n, -x, x * 2); y = x2 * y2 + before. `before` and -x are made in one partition, and
 * only the one behind the loop reads the first: it stays on the device meanwhile. */
static struct loaded make_loop(bool nested)
{
    struct builder b;
    int32_t n, x, neg, before, twice, out[4], product;

    builder_init(&b, "loop");
    n = number(&b, "n");
    x = vector(&b, "x", LEN);
    neg = apply(&b, BUILTIN_NEG, x, -1, LEN);
    before = apply(&b, BUILTIN_ABS, neg, -1, LEN);
    twice = apply(&b, BUILTIN_MUL, x, constant(&b, 2), LEN);
    out[0] = number(&b, "i2");
    out[1] = number(&b, "n2");
    out[2] = vector(&b, "x2", LEN);
    out[3] = vector(&b, "y2", LEN);
    build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2},
             INDICES(build_const(&b, "0", TYPE_INT32, SHAPE(1), (int32_t[]){0}), n, neg, twice), out, 4);
    product = apply(&b, BUILTIN_MUL, out[2], out[3], LEN);
    build_inputs(&b, INDICES(n, x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_ADD, product, before, LEN), out[0]));
    build_less(&b, LEN);
    build_body(&b, nested ? 3 : -1);
    if (nested) {
        build_less(&b, LEN);
        build_body(&b, -1);
    }
    return load(&b);
}

struct warned {
    int n;
    char text[200];
};

static void see_warning(void *arg, const char *text)
{
    struct warned *w = arg;

    w->n++;
    snprintf(w->text, sizeof w->text, "%s", text);
}

static struct session *start(const struct model *m, struct delegate *d, const struct partition_options *p)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}, .partition = p ? *p : (struct partition_options){0}};
    struct session *s;
    struct err err;

    TEST_OK(session_new(m, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static void same_outputs(struct session *const s[2])
{
    for (uint32_t i = 0; i < session_n_outputs(s[0]); i++) {
        const struct tensor *a = session_output(s[0], i), *b = session_output(s[1], i);

        assert_true(tensor_same_shape(a, b));
        assert_memory_equal(a->data, b->data, a->bytes);
    }
}

static uint32_t dispatches(const struct session *s)
{
    struct delegate_facts m;

    session_facts(s, NULL, &m);
    return fact_value(&m, "work.dispatches");
}

static void run_both(struct session *const s[2])
{
    struct err err;

    for (int k = 0; k < 2; k++)
        TEST_OK(session_run(s[k], &err), err);
    same_outputs(s);
}

static void loops(bool nested)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_loop(nested);
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, NULL)};
    const uint32_t before = dispatches(s[1]);

    assert_int_equal(session_partitioning(s[1])->n_parts, 2);
    assert_int_equal(session_partitioning(s[1])->n_cpu, 1); /* the loop */
    for (int32_t n = 0; n < 6; n++) {
        for (int k = 0; k < 2; k++) {
            *(int32_t *)session_input(s[k], 0)->data = n;
            for (int i = 0; i < LEN; i++)
                ((float *)session_input(s[k], 1)->data)[i] = (float)(i - 3 + n);
        }
        gpu->traffic = (struct delegate_traffic){0};
        run_both(s);
        assert_int_equal(gpu->traffic.written, 4 * LEN + 8); /* x, i and n, once */
        assert_int_equal(gpu->traffic.read, 4 + 4 * LEN); /* the two outputs; an inner loop counts from what the outer one does */
        assert_int_equal(gpu->traffic.waits, 2);
        assert_int_equal(*(const int32_t *)session_output(s[1], 1)->data, n);
    }
    assert_true(dispatches(s[1]) > before); /* the body's */
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

static void a_body_that_changes_places(void **state)
{
    (void)state;
    loops(false);
}

static void a_loop_in_a_loop(void **state)
{
    (void)state;
    loops(true);
}

/* Node numbers are those of the outermost graph: what is called stays with the CPU. */
static void numbered_nodes(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_loop(false);
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, &(struct partition_options){.first_node = 1})};
    const uint32_t before = dispatches(s[1]);

    (void)state;
    for (int k = 0; k < 2; k++)
        *(int32_t *)session_input(s[k], 0)->data = 3;
    run_both(s);
    assert_int_equal(dispatches(s[1]), before);
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

/* y = yes ? -x : total, where the variable `total` grows by x: state within a branch, which is reset with the session. */
static struct loaded make_branches(int32_t first, int32_t second)
{
    struct builder b;
    int32_t yes, x, z, h, old, sum, y, y2;

    builder_init(&b, "branches");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SHAPE(1));
    x = vector(&b, "x", first);
    z = vector(&b, "z", second);
    y = vector(&b, "y", first);
    y2 = vector(&b, "y2", second);
    build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){2, 3}, INDICES(yes, x), INDICES(y));
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){2, 2}, INDICES(yes, z), INDICES(y2));
    build_inputs(&b, INDICES(yes, x, z));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_ABS, y, -1, first), y2));

    build_subgraph(&b, "once");
    h = build_tensor(&b, "h", TYPE_RESOURCE, SCALAR);
    build_op(&b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "total"}, NULL, 0, INDICES(h));
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL,
             INDICES(h, build_const(&b, "c", TYPE_FLOAT32, SHAPE(LEN), (float[LEN]){1, 2, 3, 4, 5, 6})), NULL, 0);
    build_inputs(&b, NULL, 0);
    build_outputs(&b, NULL, 0);

    build_subgraph(&b, "neg");
    x = vector(&b, "x", first);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_NEG, x, -1, first)));

    build_subgraph(&b, "grow");
    x = vector(&b, "x", LEN);
    h = build_tensor(&b, "h", TYPE_RESOURCE, SCALAR);
    build_op(&b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "total"}, NULL, 0, INDICES(h));
    old = vector(&b, "old", LEN);
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    sum = apply(&b, BUILTIN_ADD, x, old, LEN);
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, sum), NULL, 0);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(sum));
    return load(&b);
}

static void branch(struct session *const s[2], bool yes, float x)
{
    for (int k = 0; k < 2; k++) {
        *(bool *)session_input(s[k], 0)->data = yes;
        for (uint32_t i = 1; i < 3; i++)
            for (size_t e = 0; e < tensor_elems(session_input(s[k], i)); e++)
                ((float *)session_input(s[k], i)->data)[e] = x + (float)e;
    }
    run_both(s);
}

static void branches(int32_t second)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_branches(LEN, second);
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, NULL)};
    struct warned w = {0};
    const uint32_t before = dispatches(s[1]);

    gpu->warn = see_warning;
    gpu->warn_arg = &w;
    for (int run = 0; run < 12; run++) {
        for (int k = 0; k < 2 && run == 7; k++)
            session_reset_variables(s[k]);
        branch(s, run % 3 == 0, (float)run);
    }
    assert_int_equal(w.n, 0);
    assert_true(dispatches(s[1]) > before);
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

static void branches_with_state(void **state)
{
    (void)state;
    branches(LEN);
}

/* The second IF calls with 4 elements what the first one calls with 6. */
static void several_shapes(void **state)
{
    (void)state;
    branches(4);
}

/* Too many shapes one after the other: the CPU takes over, and says so once. */
static void ever_new_shapes(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_branches(LEN, 1);
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, NULL)};
    struct warned w = {0};
    struct err err;

    (void)state;
    gpu->warn = see_warning;
    gpu->warn_arg = &w;
    for (int32_t n = 1; n < 70; n++) {
        for (int k = 0; k < 2; k++) {
            TEST_OK(session_resize_input(s[k], 2, &n, 1, &err), err);
            TEST_OK(session_prepare(s[k], &err), err);
        }
        branch(s, false, (float)n);
    }
    assert_int_equal(w.n, 1);
    assert_string_equal(w.text, "subgraph 2 had new shapes in 64 calls one after the other: it runs on the CPU from here on");
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

/* p = -x, q = 2x; (a, b, c) = yes ? (|p|, p, q) : (q, p, p); y = a * b + c. */
static struct loaded make_choice(void)
{
    struct builder b;
    int32_t yes, x, p, q, v[3];

    builder_init(&b, "choice");
    yes = build_tensor(&b, "yes", TYPE_BOOL, SHAPE(1));
    x = vector(&b, "x", LEN);
    p = apply(&b, BUILTIN_NEG, x, -1, LEN);
    q = apply(&b, BUILTIN_MUL, x, constant(&b, 2), LEN);
    for (int i = 0; i < 3; i++)
        v[i] = vector(&b, "v", LEN);
    build_op(&b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(yes, p, q), v, 3);
    build_inputs(&b, INDICES(yes, x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_ADD, apply(&b, BUILTIN_MUL, v[0], v[1], LEN), v[2], LEN)));
    for (int k = 0; k < 2; k++) {
        build_subgraph(&b, "branch");
        p = vector(&b, "p", LEN);
        q = vector(&b, "q", LEN);
        build_inputs(&b, INDICES(p, q));
        if (k)
            build_outputs(&b, INDICES(q, p, p));
        else
            build_outputs(&b, INDICES(apply(&b, BUILTIN_ABS, p, -1, LEN), p, q));
    }
    return load(&b);
}

static void branches_between_partitions(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_choice();
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, NULL)};

    (void)state;
    for (int run = 0; run < 6; run++) {
        struct session_called called;

        for (int k = 0; k < 2; k++) {
            *(bool *)session_input(s[k], 0)->data = run % 3 > 0;
            for (int e = 0; e < LEN; e++)
                ((float *)session_input(s[k], 1)->data)[e] = (float)(e - run);
        }
        gpu->traffic = (struct delegate_traffic){0};
        run_both(s);
        assert_int_equal(gpu->traffic.written, 4 * LEN);
        assert_int_equal(gpu->traffic.read, 4 * LEN);
        session_called(s[1], &called);
        assert_int_equal(called.not_run, run == 0); /* the branch that is taken later */
    }
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

/* (go, i, x, y, z) = WHILE (go) (i + 1 < 4, i + 1, y, |x| * 0.5 + 1, the same), twice with the same subgraphs: the condition is an
 * input that it returns, values change places, and two of them are one. */
static struct loaded make_twins(void)
{
    struct builder b;
    int32_t x, yes, zero, first[5], second[5], i, y, z, go, less, more, made;

    builder_init(&b, "twins");
    x = vector(&b, "x", LEN);
    yes = build_const(&b, "yes", TYPE_BOOL, SHAPE(1), (uint8_t[]){1});
    zero = build_const(&b, "0", TYPE_INT32, SHAPE(1), (int32_t[]){0});
    for (int k = 0; k < 2; k++) {
        int32_t *v = k ? second : first;

        v[0] = build_tensor(&b, "go", TYPE_BOOL, SHAPE(1));
        v[1] = number(&b, "i");
        for (int e = 2; e < 5; e++)
            v[e] = vector(&b, "v", LEN);
    }
    build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(yes, zero, x, apply(&b, BUILTIN_NEG, x, -1, LEN), x), first,
             5);
    build_op(&b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(yes, zero, first[3], first[2], first[4]), second, 5);
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(apply(&b, BUILTIN_MUL, second[2], second[3], LEN), apply(&b, BUILTIN_ABS, second[4], -1, LEN)));
    for (int k = 0; k < 2; k++) {
        build_subgraph(&b, k ? "body" : "same");
        go = build_tensor(&b, "go", TYPE_BOOL, SHAPE(1));
        i = number(&b, "i");
        x = vector(&b, "x", LEN);
        y = vector(&b, "y", LEN);
        z = vector(&b, "z", LEN);
        build_inputs(&b, INDICES(go, i, x, y, z));
        if (!k) {
            build_outputs(&b, INDICES(go));
            continue;
        }
        more = number(&b, "more");
        build_op(&b, BUILTIN_ADD, 1, NULL, INDICES(i, build_const(&b, "1", TYPE_INT32, SHAPE(1), (int32_t[]){1})), INDICES(more));
        less = build_tensor(&b, "less", TYPE_BOOL, SHAPE(1));
        build_op(&b, BUILTIN_LESS, 1, NULL, INDICES(more, build_const(&b, "4", TYPE_INT32, SHAPE(1), (int32_t[]){4})),
                 INDICES(less));
        made = apply(&b, BUILTIN_MUL, apply(&b, BUILTIN_ABS, x, -1, LEN), constant(&b, 0.5f), LEN);
        made = apply(&b, BUILTIN_ADD, made, constant(&b, 1), LEN);
        build_outputs(&b, INDICES(less, more, y, made, made));
    }
    return load(&b);
}

static void a_body_that_returns_one_value_twice(void **state)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make_twins();
    struct session *s[2] = {start(l.model, NULL, NULL), start(l.model, gpu, NULL)};

    (void)state;
    for (int run = 0; run < 3; run++) {
        for (int k = 0; k < 2; k++)
            for (int e = 0; e < LEN; e++)
                ((float *)session_input(s[k], 0)->data)[e] = (float)(e - run);
        run_both(s);
    }
    session_free(s[1]);
    session_free(s[0]);
    unload(&l);
    delegate_close(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_that_changes_places),
        cmocka_unit_test(a_loop_in_a_loop),
        cmocka_unit_test(numbered_nodes),
        cmocka_unit_test(branches_with_state),
        cmocka_unit_test(several_shapes),
        cmocka_unit_test(ever_new_shapes),
        cmocka_unit_test(a_body_that_returns_one_value_twice),
        cmocka_unit_test(branches_between_partitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
