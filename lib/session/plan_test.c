/* SPDX-License-Identifier: Apache-2.0 */
/* plan_test.c - plans of random small graphs are run with bytes instead of kernels: whatever is still to be read must be there. */
#include "lib/session/plan.h"
#include "lib/testing/test_graph.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- bytes instead of kernels ---- */

struct machine {
    struct world w;
    struct tensor *mid[MAX_NODES][1];
    uint8_t value[MAX_TENSORS]; /* what each tensor was last filled with; 0: nothing yet */
    uint8_t next;
};

static uint8_t byte_at(uint8_t value, size_t i)
{
    return value ? (uint8_t)(value + 37 * i) : 0;
}

static void fill(struct machine *m, const struct tensor *t)
{
    uint8_t *data = t->data;

    m->next = m->next == 255 ? 1 : (uint8_t)(m->next + 1);
    m->value[t->index] = m->next;
    assert_non_null(data);
    for (size_t i = 0; i < t->bytes; i++)
        data[i] = byte_at(m->next, i);
}

static void expect(const struct machine *m, const struct tensor *t)
{
    const uint8_t *data = t->data;

    for (size_t i = 0; i < t->bytes; i++)
        if (data[i] != byte_at(m->value[t->index], i))
            fail_msg("tensor %u was overwritten at byte %zu", t->index, i);
}

static void fill_all(struct machine *m, struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        fill(m, list[i]);
}

static void expect_all(const struct machine *m, struct tensor *const *list, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!list[i]->is_const)
            expect(m, list[i]);
}

/* What the step reads is there before and, save for variables, after it has written its own. */
static void run_step(struct machine *m, const struct step *s)
{
    const struct node *n = s->call.node;
    struct tensor *const *in = n ? n->in : s->part->inputs, *const *out = n ? n->out : s->part->outputs;
    uint32_t n_in = n ? n->n_in : s->part->n_inputs, n_out = n ? n->n_out : s->part->n_outputs;

    expect_all(m, in, n_in);
    fill_all(m, out, n_out);
    if (n)
        fill_all(m, n->mid, n->n_mid);
    for (uint32_t i = 0; n && i < n_in; i++)
        if (in[i]->is_variable)
            fill(m, in[i]);
    expect_all(m, in, n_in);
    expect_all(m, out, n_out);
    if (n)
        expect_all(m, n->mid, n->n_mid);
}

/* Every node runs once, after those that it waits for; returns the nodes that the step stands for. */
static uint32_t check_order(const struct machine *m, const struct step *s, const struct partitioning *parts, uint32_t done)
{
    uint32_t set = 0, needs = 0;

    for (uint32_t i = 0; i < m->w.g.n_nodes; i++)
        if (s->call.node == &m->w.n[i] || (parts && s->part_index >= 0 && parts->part_of[i] == s->part_index))
            set |= 1u << i;
    for (uint32_t i = 0; i < m->w.g.n_nodes; i++)
        needs |= set >> i & 1 ? nodes_before(&m->w, i) : 0;
    assert_true(set);
    assert_false(set & done);
    assert_false(needs & ~(done | set));
    return set;
}

static void check_places(const struct machine *m, const struct plan *p)
{
    for (uint32_t i = 0; i < m->w.g.n_tensors; i++) {
        const struct tensor *t = &m->w.t[i];
        size_t at = (size_t)((const char *)t->data - (const char *)p->block);

        if (!t->data)
            continue;
        assert_int_equal((uintptr_t)t->data % 64, 0);
        assert_true(at <= p->block_bytes && t->bytes <= p->block_bytes - at);
    }
    assert_true(p->lower_bound <= p->block_bytes);
}

static void run_twice(struct machine *m, const struct plan *p, const struct partitioning *parts, bool keep_all)
{
    check_places(m, p);
    for (uint32_t i = 0; i < 2; i++) { /* zeros to begin with */
        expect(m, m->w.inputs[i]);
        fill(m, m->w.inputs[i]);
    }
    for (int run = 0; run < 2; run++) {
        uint32_t done = 0, folded = 0;

        for (uint32_t i = 0; i < m->w.g.n_nodes; i++)
            folded |= m->w.n[i].folded ? 1u << i : 0;
        for (uint32_t i = 0; i < p->n_steps; i++) {
            done |= check_order(m, &p->steps[i], parts, done | folded);
            run_step(m, &p->steps[i]);
        }
        assert_int_equal(done | folded, (1u << m->w.g.n_nodes) - 1);
        expect_all(m, m->w.g.outputs, m->w.g.n_outputs);
        expect_all(m, m->w.g.inputs, 2);
        if (m->w.t[3].data)
            expect(m, &m->w.t[3]);
        for (uint32_t i = 0; keep_all && i < m->w.g.n_tensors; i++)
            if (m->w.t[i].data)
                expect(m, &m->w.t[i]);
    }
}

/* Sizes, intermediates; every node has a CPU kernel and a static shape. */
static void random_machine(struct machine *m, uint64_t *seed)
{
    uint32_t n_tensors;

    memset(m, 0, sizeof *m);
    random_world(&m->w, seed);
    n_tensors = m->w.g.n_tensors;
    for (uint32_t i = 0; i < m->w.g.n_nodes; i++) {
        struct node *n = &m->w.n[i];

        n->op = n->op ? n->op : &stateful_op;
        n->dynamic = false;
        n->mid = m->mid[i];
        if (n->folded || test_random(seed) % 4)
            continue;
        n->n_mid = 1;
        n->mid[0] = &m->w.t[n_tensors++];
    }
    m->w.g.n_tensors = n_tensors;
    for (uint32_t i = 0; i < n_tensors; i++) {
        m->w.t[i].rank = 1;
        m->w.t[i].dim[0] = test_random(seed) % 8 ? (int32_t)(test_random(seed) % 90) : 0;
        m->w.t[i].bytes = 4 * (size_t)m->w.t[i].dim[0];
    }
}

static void nothing_is_overwritten_too_early(void **state)
{
    uint64_t seed = 21;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        bool keep_all = round % 3 == 0, delegate = round % 2;
        struct arena a = {0};
        struct partitioning parts;
        struct machine m;
        struct plan p;
        struct err err = {""};

        random_machine(&m, &seed);
        if (delegate)
            TEST_OK(partition_graph(&m.w.g, OFFER(&m.w.head), &(struct partition_options){0}, &a, &parts, &err), err);
        TEST_OK(plan_make(&p, &m.w.g, delegate ? &parts : NULL, &(struct cpu_call){0}, keep_all, &err), err);
        run_twice(&m, &p, delegate ? &parts : NULL, keep_all);
        plan_free(&p);
        arena_free(&a);
    }
}

/* ---- a chain of nodes, one input each ---- */

static struct world *chain(struct world *w, const struct op *op, uint32_t n, int32_t floats)
{
    uint32_t last = 0;

    world_init(w);
    for (uint32_t i = 0; i < n; i++) {
        last = add_node(w, PLAIN, false, IN(last));
        w->n[i].op = op;
    }
    add_output(w, last);
    for (uint32_t i = 0; i < w->g.n_tensors; i++) {
        w->t[i].rank = 1;
        w->t[i].dim[0] = floats;
        w->t[i].bytes = 4 * (size_t)floats;
    }
    w->t[1].bytes = 0;
    return w;
}

static void memory_is_shared(void **state)
{
    struct world w;
    struct plan p;
    struct err err = {""};

    (void)state;
    TEST_OK(plan_make(&p, &chain(&w, &plain_op, 9, 1024)->g, NULL, &(struct cpu_call){0}, false, &err), err);
    assert_int_equal(p.lower_bound, 3 * 4096); /* the input, what a node reads, what it writes */
    assert_int_equal(p.block_bytes, 3 * 4096);
    plan_free(&p);
    TEST_OK(plan_make(&p, &chain(&w, &plain_op, 9, 1024)->g, NULL, &(struct cpu_call){0}, true, &err), err);
    assert_int_equal(p.block_bytes, 10 * 4096);
    plan_free(&p);
}

static void what_the_machine_lacks_is_refused(void **state)
{
    const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    const size_t have = memory < SIZE_MAX / 2 ? memory : SIZE_MAX / 2; /* half of what 32 bits address is less than machines have */
    struct world w;
    struct plan p;
    struct err err = {""};

    (void)state;
    chain(&w, &plain_op, 3, 1024);
    w.t[4].bytes = have + 1;
    assert_int_equal(plan_make(&p, &w.g, NULL, &(struct cpu_call){0}, false, &err), ST_NOMEM);
    assert_non_null(strstr(err.msg, "FLOAT32[1024] need "));
    assert_null(p.block);
    plan_free(&p);
    w.t[4].bytes = w.t[5].bytes = have / 2 + 4096; /* each fits, both at once do not */
    assert_int_equal(plan_make(&p, &w.g, NULL, &(struct cpu_call){0}, false, &err), ST_NOMEM);
    assert_non_null(strstr(err.msg, "the tensors need "));
    plan_free(&p);
    w.t[4].bytes = w.t[5].bytes = SIZE_MAX / 4 + 1;
    assert_int_equal(plan_make(&p, &w.g, NULL, &(struct cpu_call){0}, false, &err), ST_NOMEM);
    plan_free(&p);
}

/* ---- preparing ---- */

static int prepared;          /* how often prepare was called */
static bool fail_prepare;     /* the next ones fail */
static size_t scratch_wanted; /* by the next ones */
static const void *packed_before;

static enum status test_prepare(struct cpu_call *c, struct err *err)
{
    enum status st;

    prepared++;
    packed_before = c->packed;
    c->scratch_bytes = scratch_wanted;
    if ((st = cpu_pack(c, 100, err)))
        return st;
    return fail_prepare ? err_set(err, ST_UNSUPPORTED, "prepare fails as told") : ST_OK;
}

static const struct cpu_kernel packing = {.prepare = test_prepare}, by_shape = {.prepare = test_prepare, .prepare_by_shape = true};
static const struct cpu_kernel keeping = {.prepare = test_prepare, .stateful = true};
static const struct op packing_op = {"PACKING", 0, 1, &packing, NULL}, by_shape_op = {"BY_SHAPE", 0, 1, &by_shape, NULL};
static const struct op keeping_op = {"KEEPING", 0, 1, &keeping, NULL};

static void each_kernel_is_prepared_once(void **state)
{
    struct cpu_call defaults = {.mode = CPU_FAST};
    struct world w;
    struct plan p;
    struct err err = {""};

    (void)state;
    prepared = 0;
    scratch_wanted = 1000;
    TEST_OK(plan_make(&p, &chain(&w, &packing_op, 4, 8)->g, NULL, &defaults, false, &err), err);
    assert_int_equal(prepared, 4);
    assert_int_equal(p.packed_bytes, 4 * 128);
    assert_int_equal(p.scratch_bytes, 1024); /* one kernel at a time */
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(p.steps[i].call.mode, CPU_FAST);
    plan_free(&p);
    assert_null(p.block);
}

static void failures_name_the_node(void **state)
{
    struct world w;
    struct plan p;
    struct err err = {""};

    (void)state;
    fail_prepare = true;
    assert_int_equal(plan_make(&p, &chain(&w, &packing_op, 1, 8)->g, NULL, &(struct cpu_call){0}, false, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "node 0 N(FLOAT32[8]): prepare fails as told");
    plan_free(&p);
    fail_prepare = false;
    assert_int_equal(plan_make(&p, &chain(&w, NULL, 1, 8)->g, NULL, &(struct cpu_call){0}, false, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "node 0 N(FLOAT32[8]): no CPU kernel for this operator");
    plan_free(&p);
    chain(&w, &plain_op, 2, 8)->n[1].version = 2;
    assert_int_equal(plan_make(&p, &w.g, NULL, &(struct cpu_call){0}, false, &err), ST_UNSUPPORTED);
    assert_string_equal(err.msg, "node 1 N(FLOAT32[8]): version 2 of the operator, the newest known is 1");
    plan_free(&p);
    scratch_wanted = SIZE_MAX;
    assert_int_equal(plan_make(&p, &chain(&w, &packing_op, 1, 8)->g, NULL, &(struct cpu_call){0}, false, &err), ST_NOMEM);
    assert_non_null(strstr(err.msg, "a kernel's temporary data need "));
    plan_free(&p);
    scratch_wanted = 0;
}

/* One dynamic node with that kernel, planned but not prepared. */
static struct step *dynamic_step(struct world *w, const struct op *op, struct plan *p)
{
    struct err err = {""};

    prepared = 0;
    chain(w, op, 1, 8)->n[0].dynamic = true;
    w->n[0].out[0]->is_dynamic = true;
    TEST_OK(plan_make(p, &w->g, NULL, &(struct cpu_call){0}, false, &err), err);
    assert_int_equal(prepared, 0);
    assert_null(w->n[0].out[0]->data); /* placed while running */
    return &p->steps[0];
}

static void expect_prepared(struct plan *p, struct step *step, int times)
{
    struct err err = {""};

    TEST_OK(plan_prepare_step(p, step, &err), err);
    assert_int_equal(prepared, times);
    assert_int_equal(p->packed_bytes, 128);
}

static void dynamic_nodes_are_prepared_when_a_shape_is_new(void **state)
{
    struct world w;
    struct plan p;
    struct step *step = dynamic_step(&w, &by_shape_op, &p);
    struct tensor *x = w.n[0].in[0], *y = w.n[0].out[0];
    struct err err = {""};

    (void)state;
    expect_prepared(&p, step, 1);
    expect_prepared(&p, step, 1);
    y->dim[0] = 9;
    expect_prepared(&p, step, 2);
    expect_prepared(&p, step, 2);
    x->rank = 2;
    x->dim[1] = 1;
    expect_prepared(&p, step, 3);
    x->rank = 1;
    expect_prepared(&p, step, 4);
    x->dim[1] = 5; /* beyond the rank: no change */
    expect_prepared(&p, step, 4);
    fail_prepare = true;
    x->dim[0] = 3;
    assert_int_equal(plan_prepare_step(&p, step, &err), ST_UNSUPPORTED);
    assert_int_equal(p.packed_bytes, 0);
    fail_prepare = false;
    expect_prepared(&p, step, 6); /* the same shape, but nothing is kept of a failure */
    plan_free(&p);
}

static void other_dynamic_nodes_are_prepared_each_time(void **state)
{
    struct world w;
    struct plan p;
    struct step *step = dynamic_step(&w, &packing_op, &p);

    (void)state;
    for (int i = 1; i < 4; i++) {
        scratch_wanted = (size_t)i * 1000;
        expect_prepared(&p, step, i);
        assert_null(packed_before);
        assert_true(p.scratch_bytes >= scratch_wanted);
        assert_int_equal((uintptr_t)p.scratch % 64, 0);
    }
    scratch_wanted = 0;
    expect_prepared(&p, step, 4);
    assert_true(p.scratch_bytes >= 3000); /* others may need it */
    plan_free(&p);
}

static void stateful_nodes_keep_what_they_packed(void **state)
{
    struct world w;
    struct plan p;
    struct step *step = dynamic_step(&w, &keeping_op, &p);
    const void *first;

    (void)state;
    expect_prepared(&p, step, 1);
    first = step->call.packed;
    expect_prepared(&p, step, 2);
    assert_ptr_equal(packed_before, first);
    plan_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_overwritten_too_early),
        cmocka_unit_test(memory_is_shared),
        cmocka_unit_test(what_the_machine_lacks_is_refused),
        cmocka_unit_test(each_kernel_is_prepared_once),
        cmocka_unit_test(failures_name_the_node),
        cmocka_unit_test(dynamic_nodes_are_prepared_when_a_shape_is_new),
        cmocka_unit_test(other_dynamic_nodes_are_prepared_each_time),
        cmocka_unit_test(stateful_nodes_keep_what_they_packed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
