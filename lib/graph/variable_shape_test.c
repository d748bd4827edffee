/* SPDX-License-Identifier: Apache-2.0 */
/* variable_shape_test.c - reads of variables whose shape the file fixes, and those that must stay open. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "bench/models/builder.h"
#include "lib/graph/graph_infer.h"

/* x -> ASSIGN_VARIABLE(a); y <- READ_VARIABLE(a); in a second subgraph z -> ASSIGN_VARIABLE(`other`). */
struct sketch {
    const char *other;
    int32_t rank, x[2], y[2], z[2];
    bool open;                              /* the first dimension of z is -1 in the signature */
    bool passed;                            /* the second subgraph gets its handle as an input */
    enum tensor_type read_type, other_type; /* of y and z where not FLOAT32 */
    float read_scale, other_scale;          /* likewise of INT8, that of x being 0.5 */
};

/* What is known of the read. */
struct found {
    bool fixed, variable;
};

static int32_t handle(struct builder *b, const char *name)
{
    int32_t h = build_tensor(b, "handle", TYPE_RESOURCE, SCALAR);

    if (name)
        build_op(b, BUILTIN_VAR_HANDLE, 1, &(struct opt_var_handle){"", name}, NULL, 0, INDICES(h));
    return h;
}

static enum tensor_type type_of(enum tensor_type asked)
{
    return asked ? asked : TYPE_FLOAT32;
}

static struct found look(const struct sketch *s)
{
    static const int32_t signature[] = {-1, 3};
    struct builder b;
    struct graph *g;
    struct err err;
    int32_t h, x, y, z;
    struct found found;

    builder_init(&b, "variables");
    x = build_tensor(&b, "x", s->read_scale > 0 ? TYPE_INT8 : TYPE_FLOAT32, s->x, s->rank);
    y = build_tensor(&b, "y", type_of(s->read_type), s->y, s->rank);
    if (s->read_scale > 0) {
        build_quant(&b, x, 0.5f, 0);
        build_quant(&b, y, s->read_scale, 0);
    }
    for (int32_t i = x; i <= y; i++)
        build_at(&b, i)->has_rank = s->rank > 0;
    h = handle(&b, "a");
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, x), NULL, 0);
    build_op(&b, BUILTIN_READ_VARIABLE, 1, NULL, INDICES(h), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    build_subgraph(&b, "second");
    z = build_tensor(&b, "z", type_of(s->other_type), s->z, s->rank);
    if (s->other_scale > 0)
        build_quant(&b, z, s->other_scale, 0);
    if (s->open) {
        build_at(&b, z)->signature = signature;
        build_at(&b, z)->n_signature = 2;
    }
    h = handle(&b, s->passed ? NULL : s->other);
    build_op(&b, BUILTIN_ASSIGN_VARIABLE, 1, NULL, INDICES(h, z), NULL, 0);
    build_inputs(&b, INDICES(z, h));
    build_outputs(&b, NULL, 0);
    assert_int_equal(b.st, ST_OK);
    assert_int_equal(graph_new(&b.model, 0, &g, &err), ST_OK);
    assert_int_equal(graph_infer(g, &err), ST_OK);
    found = (struct found){g->nodes[2].reads_fixed_shape, g->nodes[2].variable != NULL};
    assert_int_equal(g->nodes[2].dynamic, !found.fixed);
    assert_true(!g->nodes[0].variable && g->nodes[0].folded);
    if (found.variable) { /* one tensor for both, behind those of the file */
        assert_ptr_equal(g->nodes[1].variable, g->nodes[2].variable);
        assert_int_equal(g->n_tensors, 4);
        assert_ptr_equal(g->nodes[1].variable, &g->tensors[3]);
        assert_int_equal(graph_infer(g, &err), ST_OK);
        assert_int_equal(g->n_tensors, 4);
        assert_ptr_equal(g->nodes[1].variable, &g->tensors[3]);
        assert_true(tensor_same_shape(g->nodes[2].variable, g->nodes[2].out[0]));
        assert_int_equal(g->nodes[2].variable->bytes, g->nodes[2].out[0]->bytes);
    }
    graph_free(g);
    builder_fini(&b);
    return found;
}

static bool read_is_fixed(const struct sketch *s)
{
    struct found f = look(s);

    assert_int_equal(f.fixed, f.variable); /* types and steps agree in these */
    return f.fixed;
}

static void all_of_one_shape(void **state)
{
    (void)state;
    assert_true(read_is_fixed(&(struct sketch){"a", 2, {2, 3}, {2, 3}, {2, 3}}));
}

static void another_variable_does_not_count(void **state)
{
    (void)state;
    assert_true(read_is_fixed(&(struct sketch){"b", 2, {2, 3}, {2, 3}, {4, 3}}));
    assert_true(read_is_fixed(&(struct sketch){"", 2, {2, 3}, {2, 3}, {4, 3}}));
}

static void shapes_that_differ(void **state)
{
    (void)state;
    assert_false(read_is_fixed(&(struct sketch){"a", 2, {2, 3}, {2, 3}, {4, 3}}));
    assert_false(read_is_fixed(&(struct sketch){"a", 2, {2, 3}, {3, 2}, {2, 3}}));
    assert_false(read_is_fixed(&(struct sketch){"b", 2, {2, 3}, {3, 2}, {2, 3}}));
}

static void open_dimensions(void **state)
{
    (void)state;
    assert_false(read_is_fixed(&(struct sketch){"a", 2, {2, 3}, {2, 3}, {2, 3}, .open = true}));
}

/* Rank 0 without has_rank may mean any shape. */
static void open_rank(void **state)
{
    (void)state;
    assert_false(read_is_fixed(&(struct sketch){"a", 0, {0}, {0}, {0}}));
}

static void handles_from_elsewhere(void **state)
{
    (void)state;
    assert_false(read_is_fixed(&(struct sketch){"a", 2, {2, 3}, {2, 3}, {2, 3}, .passed = true}));
}

/* The shape may be fixed all the same. */
static void types_and_steps_that_differ(void **state)
{
    struct sketch floats = {"a", 2, {2, 3}, {2, 3}, {2, 3}}, bytes = {"a",
                                                                      2,
                                                                      {2, 3},
                                                                      {2, 3},
                                                                      {2, 3},
                                                                      .read_type = TYPE_INT8,
                                                                      .other_type = TYPE_INT8,
                                                                      .read_scale = 0.5f,
                                                                      .other_scale = 0.5f};
    struct found f;

    (void)state;
    floats.other_type = TYPE_INT32;
    f = look(&floats);
    assert_true(f.fixed && !f.variable);
    floats.other_type = TYPE_FLOAT32;
    floats.read_type = TYPE_INT32;
    f = look(&floats);
    assert_true(f.fixed && !f.variable);
    f = look(&bytes);
    assert_true(f.fixed && f.variable);
    bytes.other_scale = 0.25f;
    f = look(&bytes);
    assert_true(f.fixed && !f.variable);
    bytes.other_scale = 0.5f;
    bytes.read_scale = 0.25f;
    f = look(&bytes);
    assert_true(f.fixed && !f.variable);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_one_shape),
        cmocka_unit_test(another_variable_does_not_count),
        cmocka_unit_test(shapes_that_differ),
        cmocka_unit_test(open_dimensions),
        cmocka_unit_test(open_rank),
        cmocka_unit_test(handles_from_elsewhere),
        cmocka_unit_test(types_and_steps_that_differ),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
