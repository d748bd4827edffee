/* SPDX-License-Identifier: Apache-2.0 */
/* loops_test.c - loops whose condition the CPU finds ahead, and others, against the CPU alone: what is waited for. */
#include "lib/gl/testing/test_gpu.h"

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

#define LEN 6

/* (i, j, x) of subgraphs and of the graph that has the loop. */
struct values {
    struct builder *b;
    int32_t i, j, x;
};

static int32_t number(const struct values *v)
{
    return build_tensor(v->b, "number", TYPE_INT32, SHAPE(1));
}

static int32_t constant(const struct values *v, int32_t value)
{
    return build_const(v->b, "constant", TYPE_INT32, SHAPE(1), &value);
}

/* Of two numbers. */
static int32_t apply(const struct values *v, enum builtin op, int32_t a, int32_t b, enum tensor_type type)
{
    int32_t y = build_tensor(v->b, "y", type, SHAPE(1));

    build_op(v->b, op, 1, NULL, INDICES(a, b), INDICES(y));
    return y;
}

static int32_t plus(const struct values *v, int32_t a, int32_t b)
{
    return apply(v, BUILTIN_ADD, a, b, TYPE_INT32);
}

static int32_t less(const struct values *v, int32_t a, int32_t b)
{
    return apply(v, BUILTIN_LESS, a, b, TYPE_BOOL);
}

static int32_t half(const struct values *v)
{
    int32_t y = build_tensor(v->b, "y", TYPE_FLOAT32, SHAPE(LEN)),
            by = build_const(v->b, "by", TYPE_FLOAT32, SHAPE(1), (float[]){0.5f});

    build_op(v->b, BUILTIN_MUL, 1, NULL, INDICES(v->x, by), INDICES(y));
    return y;
}

static int32_t largest(const struct values *v)
{
    int32_t y = build_tensor(v->b, "y", TYPE_FLOAT32, SHAPE(1)),
            axis = build_const(v->b, "axis", TYPE_INT32, SHAPE(1), (int32_t[]){0});

    build_op(v->b, BUILTIN_REDUCE_MAX, 1, &(struct opt_reducer){true}, INDICES(v->x, axis), INDICES(y));
    return y;
}

/* ---- conditions, and what bodies make of i and j ---- */

static int32_t both(const struct values *v)
{
    return apply(v, BUILTIN_LOGICAL_AND, less(v, v->i, constant(v, 8)), less(v, constant(v, 0), v->j), TYPE_BOOL);
}

static int32_t below_fifty(const struct values *v)
{
    return less(v, v->i, constant(v, 50));
}

static int32_t sum_below_twelve(const struct values *v)
{
    return less(v, plus(v, v->i, v->j), constant(v, 12));
}

static int32_t never(const struct values *v)
{
    return less(v, v->i, v->i);
}

static int32_t is_large(const struct values *v)
{
    return apply(v, BUILTIN_LESS, build_const(v->b, "least", TYPE_FLOAT32, SHAPE(1), (float[]){0.01f}), largest(v), TYPE_BOOL);
}

static void count(const struct values *v, int32_t y[2])
{
    y[0] = plus(v, v->i, constant(v, 1));
    y[1] = apply(v, BUILTIN_SUB, v->j, constant(v, 2), TYPE_INT32);
}

static void fibonacci(const struct values *v, int32_t y[2])
{
    y[0] = v->j;
    y[1] = plus(v, v->i, v->j);
}

static void set(const struct values *v, int32_t y[2])
{
    y[0] = plus(v, v->i, v->j);
    y[1] = constant(v, 3);
}

/* i + 1, and what x rounds to. */
static void look(const struct values *v, int32_t y[2])
{
    y[0] = plus(v, v->i, constant(v, 1));
    y[1] = number(v);
    build_op(v->b, BUILTIN_CAST, 1, NULL, INDICES(largest(v)), INDICES(y[1]));
}

static int32_t variable(const struct values *v)
{
    int32_t h = build_tensor(v->b, "h", TYPE_RESOURCE, SCALAR);

    build_op(v->b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", "total"}, NULL, 0, INDICES(h));
    return h;
}

static int32_t read(const struct values *v, int32_t h)
{
    int32_t y = build_tensor(v->b, "total", TYPE_FLOAT32, SHAPE(LEN));

    build_op(v->b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    return y;
}

/* total += x. */
static void grow(const struct values *v, int32_t y[2])
{
    int32_t h = variable(v), sum = build_tensor(v->b, "sum", TYPE_FLOAT32, SHAPE(LEN));

    count(v, y);
    build_op(v->b, BUILTIN_ADD, 1, NULL, INDICES(read(v, h), v->x), INDICES(sum));
    build_op(v->b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, sum), NULL, 0);
}

static int32_t cond_assigns(const struct values *v)
{
    int32_t y[2];

    grow(v, y);
    return below_fifty(v);
}

static int32_t cond_calls_once(const struct values *v)
{
    build_op(v->b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){3}, NULL, 0, NULL, 0);
    return below_fifty(v);
}

static const struct loop_case {
    int32_t (*cond)(const struct values *v);
    void (*body)(const struct values *v, int32_t y[2]);
    bool ahead;
    int32_t (*then)(
        const struct values *v); /* the condition of a second loop, of the same body, behind the first; NULL: there is none */
} cases[] = {
    {both, count, true},          {below_fifty, fibonacci, true}, {sum_below_twelve, set, true},    {never, count, true},
    {both, look, false},          {below_fifty, look, true},      {is_large, count, false},         {below_fifty, grow, true},
    {cond_assigns, count, false}, {cond_calls_once, grow, false}, {both, count, true, below_fifty},
};

static bool has_total(const struct loop_case *c)
{
    return c->body == grow || c->cond == cond_assigns;
}

/* ---- the model ---- */

static struct values subgraph(struct builder *b, const char *name)
{
    struct values v = {.b = b};

    if (name)
        build_subgraph(b, name);
    v.i = number(&v);
    v.j = number(&v);
    v.x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(LEN));
    build_inputs(b, INDICES(v.i, v.j, v.x));
    return v;
}

/* total = 1, 2, 3, ... before the first run. */
static void build_once(struct builder *b)
{
    struct values v = {.b = b};
    int32_t first;

    build_subgraph(b, "once");
    first = build_const(b, "first", TYPE_FLOAT32, SHAPE(LEN), (float[LEN]){1, 2, 3, 4, 5, 6});
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(variable(&v), first), NULL, 0);
    build_inputs(b, NULL, 0);
    build_outputs(b, NULL, 0);
}

/* out[3] = WHILE cond (2) of i, j and x. */
static void add_loop(const struct values *v, int32_t cond, int32_t i, int32_t out[3])
{
    for (int k = 0; k < 2; k++)
        out[k] = number(v);
    out[2] = build_tensor(v->b, "x2", TYPE_FLOAT32, SHAPE(LEN));
    build_op(v->b, BUILTIN_WHILE, 1, &(struct opt_while){cond, 2}, INDICES(i, v->j, v->x), out, 3);
}

/* (i, j, y) = WHILE cond (body) of i, j and x; with `made`, of i + 1 on the device. */
static struct loaded make(const struct loop_case *c, bool made)
{
    struct builder b;
    struct values v;
    int32_t out[3], y[2], neg;

    builder_init(&b, "loops");
    v = subgraph(&b, NULL);
    if (has_total(c) && c->cond != cond_calls_once)
        build_op(&b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){3}, NULL, 0, NULL, 0);
    add_loop(&v, 1, made ? plus(&v, v.i, constant(&v, 1)) : v.i, out);
    if (c->then)
        add_loop(&(struct values){&b, out[0], out[1], out[2]}, 3, out[0], out);
    neg = build_tensor(&b, "neg", TYPE_FLOAT32, SHAPE(LEN));
    build_op(&b, BUILTIN_NEG, 1, NULL, INDICES(out[2]), INDICES(neg));
    build_outputs(&b, INDICES(out[0], out[1], neg, has_total(c) ? read(&v, variable(&v)) : neg));
    v = subgraph(&b, "cond");
    build_outputs(&b, INDICES(c->cond(&v)));
    v = subgraph(&b, "body");
    c->body(&v, y);
    build_outputs(&b, INDICES(y[0], y[1], half(&v)));
    if (has_total(c))
        build_once(&b);
    if (c->then) {
        v = subgraph(&b, "then");
        build_outputs(&b, INDICES(c->then(&v)));
    }
    return load(&b);
}

static struct session *start(const struct model *m, struct delegate *d)
{
    struct session_options o = {.mode = CPU_REFERENCE, .delegates = {d}};
    struct session *s;
    struct err err;

    TEST_OK(session_new(m, &o, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

static void run(struct session *s, int32_t i, int32_t j)
{
    struct err err;

    *(int32_t *)session_input(s, 0)->data = i;
    *(int32_t *)session_input(s, 1)->data = j;
    for (int k = 0; k < LEN; k++)
        ((float *)session_input(s, 2)->data)[k] = (float)(k + i);
    TEST_OK(session_run(s, &err), err);
}

/* Waits are for the outputs, for where it counts from, if that is on the device, and else for each condition. */
static void loop(const struct loop_case *c, bool made)
{
    struct delegate *gpu = test_open_gpu((struct gpu_options){.device = -1});
    struct loaded l = make(c, made);
    struct session *s = start(l.model, gpu), *cpu = start(l.model, NULL);

    for (int32_t i = 1; i < 4; i++)
        for (int32_t j = 1; j < 9; j += 3) {
            uint64_t waits;

            gpu->traffic = (struct delegate_traffic){0};
            run(s, i, j);
            run(cpu, i, j);
            for (uint32_t k = 0; k < 4; k++)
                assert_memory_equal(session_output(s, k)->data, session_output(cpu, k)->data, session_output(s, k)->bytes);
            waits = c->ahead ? (uint64_t)made + (c->then != NULL)
                             : (uint64_t)(*(const int32_t *)session_output(cpu, 0)->data - i - made + 1);
            assert_int_equal(gpu->traffic.waits, waits + 3 - (c->body == set)); /* the outputs; one is a constant */
        }
    session_free(s);
    session_free(cpu);
    unload(&l);
    delegate_close(gpu);
}

static void conditions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        loop(&cases[i], false);
        loop(&cases[i], true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(conditions)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
