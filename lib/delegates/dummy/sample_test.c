/* SPDX-License-Identifier: Apache-2.0 */
/* sample_test.c - the delegate that others are copied from: right, by its options, and beside another one. */
#include "lib/delegate/delegate.h"
#include "lib/session/session.h"
#include "lib/testing/test_model.h"

extern const struct delegate_type delegate_sample;

static struct err err;

/* x, z[4] -> ADD -> a -> SUB(a, z) -> b -> NEG -> y; ADD(y, c) with c of one element, RELU fused into ADD(y, x). */
static void build_net(struct builder *b)
{
    const struct opt_add relu = {.activation = ACT_RELU};
    const float one = 1;
    int32_t x, z, c, a, s, y, w, r;

    builder_init(b, "net");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(4));
    z = build_tensor(b, "z", TYPE_FLOAT32, SHAPE(4));
    c = build_const(b, "c", TYPE_FLOAT32, SHAPE(1), &one);
    a = build_tensor(b, "a", TYPE_FLOAT32, SHAPE(4));
    s = build_tensor(b, "b", TYPE_FLOAT32, SHAPE(4));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(4));
    w = build_tensor(b, "w", TYPE_FLOAT32, SHAPE(4));
    r = build_tensor(b, "r", TYPE_FLOAT32, SHAPE(4));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(x, z), INDICES(a));
    build_op(b, BUILTIN_SUB, 1, NULL, INDICES(a, z), INDICES(s));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(s), INDICES(y));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(y, c), INDICES(w));
    build_op(b, BUILTIN_ADD, 1, &relu, INDICES(y, x), INDICES(r));
    build_inputs(b, INDICES(x, z));
    build_outputs(b, INDICES(w, r));
}

struct net {
    struct delegate *first, *second;
    struct loaded l;
    struct session *s;
};

static void open_net(struct net *n, int32_t ops, const struct delegate_type *also)
{
    const struct {
        const char *options;
    } none = {""};
    struct builder b;

    *n = (struct net){0};
    build_net(&b);
    n->l = load(&b);
    assert_int_equal(delegate_sample.open(&ops, &n->first, &err), ST_OK);
    if (also)
        assert_int_equal(also->open(&none, &n->second, &err), ST_OK);
    assert_int_equal(session_new(n->l.model, &(struct session_options){.delegates = {n->first, n->second}}, &n->s, &err), ST_OK);
    assert_int_equal(session_prepare(n->s, &err), ST_OK);
}

static void close_net(struct net *n)
{
    session_free(n->s);
    delegate_close(n->second);
    delegate_close(n->first);
    unload(&n->l);
}

static void check_results(struct net *n)
{
    const float x[4] = {1, -2, 3, -4}, z[4] = {0.5f, 8, -1, 2}, w[4] = {0, 3, -2, 5}, r[4] = {0, 0, 0, 0};

    assert_int_equal(session_set_input(n->s, 0, x, sizeof x, &err), ST_OK);
    assert_int_equal(session_set_input(n->s, 1, z, sizeof z, &err), ST_OK);
    for (int run = 0; run < 2; run++) {
        assert_int_equal(session_run(n->s, &err), ST_OK);
        assert_memory_equal(session_output(n->s, 0)->data, w, sizeof w);
        assert_memory_equal(session_output(n->s, 1)->data, r, sizeof r);
    }
}

static const struct reason *why(const struct net *n, uint32_t node)
{
    return &session_partitioning(n->s)->reasons[node];
}

static void test_runs_what_it_takes(void **state)
{
    struct delegate_facts memory;
    struct net n;

    (void)state;
    open_net(&n, 0, NULL);
    assert_int_equal(session_partitioning(n.s)->n_parts, 1);
    assert_int_equal(session_partitioning(n.s)->n_delegated, 2);
    assert_int_equal(why(&n, 2)->code, REASON_UNSUPPORTED_OPERATOR);
    assert_string_equal(why(&n, 3)->text, "input 1 is FLOAT32[1], the output FLOAT32[4]");
    assert_string_equal(why(&n, 4)->text, "fused activation 1");
    check_results(&n);
    session_facts(n.s, NULL, &memory);
    assert_int_equal(fact_value(&memory, "memory.tensors"), 16);
    close_net(&n);
}

static void test_options(void **state)
{
    struct net n;

    (void)state;
    for (int32_t ops = 1; ops <= 2; ops++) {
        open_net(&n, ops, NULL);
        assert_int_equal(session_partitioning(n.s)->n_delegated, 1);
        assert_int_equal(session_partitioning(n.s)->part_of[ops - 1], 0);
        assert_string_equal(why(&n, (uint32_t)(2 - ops))->text, "not among --sample_delegate_ops");
        check_results(&n);
        close_net(&n);
    }
}

/* The second is asked about what the first leaves. */
static void test_beside_another(void **state)
{
    struct net n;

    (void)state;
    open_net(&n, 2, delegate_find("dummy"));
    assert_int_equal(session_partitioning(n.s)->n_delegated, 5);
    assert_int_equal(session_partitioning(n.s)->n_parts, 3);
    for (uint32_t i = 0; i < 5; i++) {
        const struct partition *p = &session_partitioning(n.s)->parts[session_partitioning(n.s)->part_of[i]];

        assert_ptr_equal(p->delegate, i == 1 ? n.first : n.second);
    }
    check_results(&n);
    close_net(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs_what_it_takes),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_beside_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
