/* SPDX-License-Identifier: Apache-2.0 */
/* control.c - cases of IF, STABLEHLO_CASE, WHILE, CALL_ONCE, STABLEHLO_COMPOSITE. */
#include "bench/cases/control.h"

int32_t control_vec(struct builder *b, const char *name)
{
    return build_tensor(b, name, TYPE_FLOAT32, SHAPE(LEN));
}

int32_t control_scalar(struct builder *b, const char *name, enum tensor_type type)
{
    return build_tensor(b, name, type, SCALAR);
}

/* A subgraph x -> op(x, constant) -> y. */
static uint32_t map_subgraph(struct builder *b, const char *name, enum builtin op, float value)
{
    uint32_t index = build_subgraph(b, name);
    int32_t x = control_vec(b, "x"), k = build_const(b, "k", TYPE_FLOAT32, SCALAR, &value), y = control_vec(b, "y");

    build_op(b, op, 1, NULL, INDICES(x, k), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    return index;
}

/* Inputs: a, b (scalars), x. IF a > b: x + 2, else x * 3; and NEG of it, which is dynamic then. */
static void build_if(struct builder *b)
{
    int32_t p = control_scalar(b, "a", TYPE_FLOAT32), q = control_scalar(b, "b", TYPE_FLOAT32), x = control_vec(b, "x"), y = control_vec(b, "y"), z = control_vec(b, "z");
    int32_t cond = control_scalar(b, "cond", TYPE_BOOL);

    build_op(b, BUILTIN_GREATER, 1, NULL, INDICES(p, q), INDICES(cond));
    build_op(b, BUILTIN_IF, 1, &(struct opt_if){1, 2}, INDICES(cond, x), INDICES(y));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(y), INDICES(z));
    build_ends(b, INDICES(p, q, x), INDICES(z));
    map_subgraph(b, "then", BUILTIN_ADD, 2);
    map_subgraph(b, "else", BUILTIN_MUL, 3);
}

/* Inputs: which of x + 2, x * 3, x - 5; the input x. */
static void build_case(struct builder *b)
{
    int32_t which = control_scalar(b, "which", TYPE_INT32), x = control_vec(b, "x"), y = control_vec(b, "y");

    build_op(b, BUILTIN_STABLEHLO_CASE, 1, &(struct opt_stablehlo_case){{1, 2, 3}, 3}, INDICES(which, x), INDICES(y));
    build_ends(b, INDICES(which, x), INDICES(y));
    map_subgraph(b, "add", BUILTIN_ADD, 2);
    map_subgraph(b, "multiply", BUILTIN_MUL, 3);
    map_subgraph(b, "subtract", BUILTIN_SUB, 5);
}

/* Inputs: i, x, y. WHILE i < 7: i + 1, y, x * 2 (so x and y change places each time). */
static void build_loop(struct builder *b)
{
    const int32_t limit = 7, one = 1;
    const float two = 2;
    int32_t i = control_scalar(b, "i", TYPE_INT32), x = control_vec(b, "x"), y = control_vec(b, "y"), k, t;
    int32_t i2 = control_scalar(b, "i2", TYPE_INT32), x2 = control_vec(b, "x2"), y2 = control_vec(b, "y2");

    build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(i, x, y), INDICES(i2, x2, y2));
    build_ends(b, INDICES(i, x, y), INDICES(i2, x2, y2));

    build_subgraph(b, "cond");
    i = control_scalar(b, "i", TYPE_INT32);
    x = control_vec(b, "x");
    y = control_vec(b, "y");
    k = build_const(b, "limit", TYPE_INT32, SCALAR, &limit);
    t = control_scalar(b, "more", TYPE_BOOL);
    build_op(b, BUILTIN_LESS, 1, NULL, INDICES(i, k), INDICES(t));
    build_ends(b, INDICES(i, x, y), INDICES(t));

    build_subgraph(b, "body");
    i = control_scalar(b, "i", TYPE_INT32);
    x = control_vec(b, "x");
    y = control_vec(b, "y");
    k = build_const(b, "one", TYPE_INT32, SCALAR, &one);
    i2 = control_scalar(b, "next", TYPE_INT32);
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(i, k), INDICES(i2));
    k = build_const(b, "two", TYPE_FLOAT32, SCALAR, &two);
    x2 = control_vec(b, "doubled");
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, k), INDICES(x2));
    build_ends(b, INDICES(i, x, y), INDICES(i2, y, x2));
}

/* The value x grows by one row each time: WHILE rows < 4. */
static void build_growing(struct builder *b)
{
    const int32_t limit = 4, zero = 0;
    int32_t x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 3)), y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 3)), s, r, k, t;

    build_op(b, BUILTIN_WHILE, 1, &(struct opt_while){1, 2}, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));

    build_subgraph(b, "cond");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 3));
    s = build_tensor(b, "shape", TYPE_INT32, SHAPE(2));
    r = control_scalar(b, "rows", TYPE_INT32);
    k = build_const(b, "zero", TYPE_INT32, SCALAR, &zero);
    t = build_const(b, "limit", TYPE_INT32, SCALAR, &limit);
    build_op(b, BUILTIN_SHAPE, 1, &(struct opt_shape){TYPE_INT32}, INDICES(x), INDICES(s));
    build_op(b, BUILTIN_GATHER, 1, NULL, INDICES(s, k), INDICES(r));
    k = control_scalar(b, "more", TYPE_BOOL);
    build_op(b, BUILTIN_LESS, 1, NULL, INDICES(r, t), INDICES(k));
    build_ends(b, INDICES(x), INDICES(k));

    build_subgraph(b, "body");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 3));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(2, 3));
    build_op(b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = 0}, INDICES(x, x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
}

void control_sum(struct builder *b, const char *name, int32_t x, float start)
{
    const float starts[LEN] = {start, start, start, start, start};
    struct opt_var_handle v = {"", name};
    int32_t h = control_scalar(b, "handle", TYPE_RESOURCE), old = control_vec(b, "old"), y = control_vec(b, "y"), k;

    build_op(b, BUILTIN_CALL_ONCE, 1, &(struct opt_call_once){1}, NULL, 0, NULL, 0);
    build_op(b, BUILTIN_VAR_HANDLE, 1, &v, NULL, 0, INDICES(h));
    build_op(b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(old));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(old, x), INDICES(y));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, y), NULL, 0);
    build_ends(b, INDICES(x), INDICES(y));

    build_subgraph(b, "init");
    h = control_scalar(b, "handle", TYPE_RESOURCE);
    k = build_const(b, "start", TYPE_FLOAT32, SHAPE(LEN), starts);
    build_op(b, BUILTIN_VAR_HANDLE, 1, &v, NULL, 0, INDICES(h));
    build_op(b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, k), NULL, 0);
    build_ends(b, NULL, 0, NULL, 0);
}

void control_counter(struct builder *b)
{
    control_sum(b, "sum", control_vec(b, "x"), .5f);
}

static void build_composite(struct builder *b)
{
    static const uint8_t no_attributes[] = {0, 0, 1, 0, 0, 36, 1};      /* an empty map as flexbuffer: TFLite wants one */
    struct opt_stablehlo_composite opt = {.name = "test.twice", .subgraph_index = 1, .attributes = no_attributes,
                                          .attributes_size = sizeof no_attributes};
    int32_t x = control_vec(b, "x"), y = control_vec(b, "y");

    build_op(b, BUILTIN_STABLEHLO_COMPOSITE, 1, &opt, INDICES(x), INDICES(y));
    build_ends(b, INDICES(x), INDICES(y));
    map_subgraph(b, "decomposition", BUILTIN_MUL, 2);
}

/* NEG and a composite of its result and a constant; what that returns is computed, its own input, and constant. */
static void build_composite_of_many(struct builder *b)
{
    static const uint8_t no_attributes[] = {0, 0, 1, 0, 0, 36, 1};
    static const float scale[LEN] = {1, -2, 3, .5f, 4}, shift[LEN] = {.25f, 1, -3, 2, 5};
    struct opt_stablehlo_composite opt = {.name = "test.many", .subgraph_index = 1, .attributes = no_attributes,
                                          .attributes_size = sizeof no_attributes};
    int32_t x = control_vec(b, "x"), m = control_vec(b, "m"), y = control_vec(b, "y"), same = control_vec(b, "same");
    int32_t fixed = control_vec(b, "fixed"), k = build_const(b, "k", TYPE_FLOAT32, SHAPE(LEN), scale), t, u;

    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(x), INDICES(m));
    build_op(b, BUILTIN_STABLEHLO_COMPOSITE, 1, &opt, INDICES(m, k), INDICES(y, same, fixed));
    build_ends(b, INDICES(x), INDICES(y, same, fixed));
    build_subgraph(b, "decomposition");
    x = control_vec(b, "x");
    k = control_vec(b, "k");
    t = control_vec(b, "t");
    u = control_vec(b, "u");
    y = control_vec(b, "y");
    fixed = control_vec(b, "fixed");
    build_op(b, BUILTIN_MUL, 1, NULL, INDICES(x, k), INDICES(t));
    build_op(b, BUILTIN_ABS, 1, NULL, INDICES(build_const(b, "shift", TYPE_FLOAT32, SHAPE(LEN), shift)), INDICES(fixed));
    build_op(b, BUILTIN_TANH, 1, NULL, INDICES(t), INDICES(u));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(u, fixed), INDICES(y));
    build_ends(b, INDICES(x, k), INDICES(y, x, fixed));
}

#define VALUE(v) {TYPE_FLOAT32, .rank = 0, .lo = (v), .hi = (v) + 0.1}

const struct op_case if_cases[] = {
    { "then", .build = build_if, .in = { VALUE(2), VALUE(1), F32(LEN) } },
    { "else", .build = build_if, .in = { VALUE(1), VALUE(2), F32(LEN) } },
    { "no such subgraph", .opt = &(struct opt_if){1, 2}, .in = { TENSOR(BOOL, 1), F32(LEN) }, .out = { F32(LEN) }, .fails = "subgraph" },
    { 0 }
};

#define BRANCH(i) {TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .data = (const int32_t[]){i}}

const struct op_case stablehlo_case_cases[] = {
    { "first branch", .build = build_case, .in = { BRANCH(0), F32(LEN) } },
    { "second branch", .build = build_case, .in = { BRANCH(1), F32(LEN) } },
    { "past the last", .build = build_case, .in = { BRANCH(3), F32(LEN) } },
    { "negative", .build = build_case, .in = { BRANCH(-1), F32(LEN) } },
    { "no branches", .opt = &(struct opt_stablehlo_case){{0}, 0}, .in = { BRANCH(0), F32(LEN) }, .out = { F32(LEN) }, .no_golden = true,
      .fails = "no branches" },
    { "the choice is a float", .opt = &(struct opt_stablehlo_case){{0}, 0}, .in = { F32_SCALAR, F32(LEN) }, .out = { F32(LEN) },
      .no_golden = true, .fails = "expected one INT32" },
    { 0 }
};

const struct op_case while_cases[] = {
    { "seven times, values change places", .build = build_loop, .in = { {TYPE_INT32, .rank = 0, .lo = 0, .hi = 0.1}, F32(LEN),
      F32(LEN) } },
    { "never", .build = build_loop, .in = { {TYPE_INT32, .rank = 0, .lo = 7, .hi = 9}, F32(LEN), F32(LEN) } },
    { "a value that grows", .build = build_growing, .in = { F32(1, 3) } },
    { "no such subgraph", .opt = &(struct opt_while){1, 2}, .in = { F32(LEN) }, .fails = "subgraph" },
    { 0 }
};

const struct op_case call_once_cases[] = {
    { "a variable set once, three runs", .build = control_counter, .runs = 3, .in = { F32(LEN) } },
    { "no such subgraph", .opt = &(struct opt_call_once){1}, .in = { F32(LEN) }, .fails = "subgraph" },
    { 0 }
};

const struct op_case stablehlo_composite_cases[] = {
    { "one op", .build = build_composite, .in = { F32(LEN) } },
    { "several, a constant input, an input and a constant returned", .build = build_composite_of_many, .in = { F32(LEN) } },
    { "no such subgraph", .opt = &(struct opt_stablehlo_composite){.name = "x", .subgraph_index = 1}, .in = { F32(LEN) },
      .fails = "subgraph" },
    { 0 }
};

void stablehlo_computation(struct builder *b, enum tensor_type type, int op)
{
    int32_t p, q, r;

    build_subgraph(b, "computation");
    p = build_tensor(b, "p", type, SCALAR);
    q = build_tensor(b, "q", type, SCALAR);
    r = op < 0 ? q : build_tensor(b, "r", type, SCALAR);
    if (op >= 0)
        build_op(b, (enum builtin)op, 1, NULL, INDICES(p, q), INDICES(r));
    build_ends(b, INDICES(p, q), INDICES(r));
}
