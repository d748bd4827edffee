/* SPDX-License-Identifier: Apache-2.0 */
/* claim_test.c - asking delegates one after the other, and answers that break the rules. */
#include "lib/delegate/partition.h"
#include "lib/testing/test_graph.h"

static struct arena arena;
static struct err err;

static int set_up(void **state)
{
    (void)state;
    err = (struct err){""};
    return 0;
}

static int clean_up(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

/* Node 0 is plain, 1 folded, 2 dynamic, 3 has state, 4 is plain; w->head takes both plain ones. */
static void one_of_each(struct world *w)
{
    static const enum kind kinds[] = {PLAIN, FOLDED, DYNAMIC, STATEFUL, PLAIN};

    world_init(w);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        add_node(w, kinds[i], true, kinds[i] == FOLDED ? (const uint32_t[]){2} : (const uint32_t[]){0}, 1);
}

static void rules_come_before_answers(void **state)
{
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    TEST_OK(partition_ask(&w.g, OFFER(&w.head), NULL, &arena, &c, &err), err);
    assert_ptr_equal(c[0].owner, &w.head);
    assert_true(c[1].barred && c[1].why.code == REASON_NONE);
    assert_true(c[2].barred && c[2].why.code == REASON_DYNAMIC_SHAPE);
    assert_true(c[3].barred && c[3].why.code == REASON_UNSUPPORTED_OPERATOR_VARIANT);
    assert_ptr_equal(c[4].owner, &w.head);
    for (uint32_t i = 0; i < 5; i++)
        assert_int_equal(w.asked[i], i == 0 || i == 4);
}

/* They are for those that say so, wherever these stand; the first of them gives the reason. */
static void dynamic_nodes_are_for_some(void **state)
{
    struct claim *c;
    struct world w, takes;

    (void)state;
    one_of_each(&w);
    one_of_each(&takes);
    takes.graph = &w.g;
    takes.head.takes_dynamic = true;
    w.takes[0] = takes.takes[0] = false;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head, &takes.head, &w.head), NULL, &arena, &c, &err), err);
    assert_ptr_equal(c[2].owner, &takes.head);
    assert_ptr_equal(c[4].owner, &w.head);
    assert_int_equal(w.asked[2], 0);
    assert_int_equal(takes.asked[1] + takes.asked[3], 0);
    takes.takes[2] = false;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head, &takes.head, &takes.head, &w.head), NULL, &arena, &c, &err), err);
    assert_true(!c[2].owner && c[2].barred);
    assert_string_equal(c[2].why.text, "node 2 is refused; another delegate: the same");
    assert_int_equal(takes.asked[2], 3);
    assert_int_equal(w.asked[2], 0);
}

static enum status refuse(struct cpu_call *c, struct err *err_)
{
    assert_true(c->checks_only && c->threads && c->node->in[0]->data);
    return err_set(err_, ST_UNSUPPORTED, "seven is too much");
}

static enum status pack_much(struct cpu_call *c, struct err *err_)
{
    assert_int_equal(cpu_pack(c, 1 << 20, err_), ST_LATER);
    return ST_LATER;
}

/* What the CPU's kernel refuses is offered to nobody, with its sentence; packing weights is no reason. */
static void what_the_cpu_refuses_is_not_offered(void **state)
{
    static const struct cpu_kernel refusing = {.prepare = refuse}, packing = {.prepare = pack_much};
    const struct op refused_op = {.name = "REFUSED", .cpu = &refusing, .max_version = 1};
    const struct op packed_op = {.name = "PACKED", .cpu = &packing, .max_version = 1};
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    w.n[0].op = &refused_op;
    w.n[2].op = &refused_op; /* whose shapes are not known yet */
    w.n[4].op = &packed_op;
    w.n[0].version = w.n[2].version = w.n[4].version = 1;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head), NULL, &arena, &c, &err), err);
    assert_true(!c[0].owner && c[0].barred && c[0].why.code == REASON_REFUSED_BY_CPU);
    assert_string_equal(c[0].why.text, "seven is too much");
    assert_int_equal(w.asked[0], 0);
    assert_int_equal(c[2].why.code, REASON_DYNAMIC_SHAPE);
    assert_ptr_equal(c[4].owner, &w.head);
    assert_null(w.t[0].data);
}

/* Which a driver refused are not offered again, and keep that reason. */
static void refused_nodes_are_not_offered(void **state)
{
    struct reason refused[5] = {{0}};
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    reason_set(&refused[0], REASON_DRIVER, "no");
    reason_set(&refused[1], REASON_DRIVER, "folded all the same");
    TEST_OK(partition_ask(&w.g, OFFER(&w.head), refused, &arena, &c, &err), err);
    assert_null(c[0].owner);
    assert_true(c[0].barred && c[0].why.code == REASON_DRIVER);
    assert_string_equal(c[0].why.text, "no");
    assert_int_equal(c[1].why.code, REASON_NONE);
    assert_int_equal(w.asked[0], 0);
    assert_ptr_equal(c[4].owner, &w.head);
}

/* A driver refuses nodes as the file counts them, who is asked has them in the order of execution. */
static void refused_nodes_are_those_of_the_file(void **state)
{
    struct reason refused[5] = {{0}};
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    w.g.nodes[0].index = 4;
    w.g.nodes[4].index = 0;
    reason_set(&refused[4], REASON_DRIVER, "no");
    TEST_OK(partition_ask(&w.g, OFFER(&w.head), refused, &arena, &c, &err), err);
    assert_true(c[0].barred && c[0].why.code == REASON_DRIVER);
    assert_ptr_equal(c[4].owner, &w.head);
}

static enum status never(struct delegate *d, const struct graph *g, struct claim *claims, struct err *e)
{
    (void)d;
    (void)e;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!claims[i].owner)
            reason_set(&claims[i].why, REASON_DEVICE_LIMIT, "never");
    return ST_OK;
}

/* Whose reason remains, also where a later one scribbles over reasons that are not its own. */
static void the_first_reason_counts(void **state)
{
    static const struct delegate_ops ops = {.claim = never};
    struct delegate refuser = {.ops = &ops, .device = "none"};
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    w.takes[0] = false;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head, &refuser), NULL, &arena, &c, &err), err);
    assert_string_equal(c[0].why.text, "node 0 is refused; another delegate: never");
    assert_int_equal(c[2].why.code, REASON_DYNAMIC_SHAPE);
    assert_ptr_equal(c[4].owner, &w.head);
}

/* The second sees what the first left. */
static void later_delegates_take_what_is_left(void **state)
{
    struct world w, second;
    struct claim *c;

    (void)state;
    one_of_each(&w);
    w.takes[0] = w.takes[4] = false;
    second = w;
    second.takes[4] = true;
    second.graph = &w.g;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head, &second.head), NULL, &arena, &c, &err), err);
    assert_null(c[0].owner);
    assert_string_equal(c[0].why.text, "node 0 is refused; another delegate: the same");
    assert_ptr_equal(c[4].owner, &second.head);
    w.takes[4] = true;
    second.asked[4] = 0;
    TEST_OK(partition_ask(&w.g, OFFER(&w.head, &second.head), NULL, &arena, &c, &err), err);
    assert_ptr_equal(c[4].owner, &w.head);
    assert_int_equal(second.asked[4], 0);
}

static void too_many_delegates(void **state)
{
    struct claim *c;
    struct world w;

    (void)state;
    one_of_each(&w);
    assert_int_equal(partition_ask(&w.g, OFFER(&w.head, &w.head, &w.head, &w.head, &w.head), NULL, &arena, &c, &err), ST_USAGE);
}

/* ---- answers that break the rules ---- */

struct liar {
    struct delegate head;
    uint32_t node;
    struct claim answer; /* given for `node`; the others are claimed where they may be */
};

static enum status lie(struct delegate *d, const struct graph *g, struct claim *claims, struct err *e)
{
    struct liar *l = (struct liar *)d;

    (void)e;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (!claims[i].owner && !claims[i].barred)
            claims[i].owner = d;
    claims[l->node] = l->answer;
    return ST_OK;
}

static void answers_are_checked(void **state)
{
    static const struct delegate_ops ops = {.claim = lie};
    struct liar l = {.head = {.ops = &ops, .device = "none"}};
    struct delegate nobody = {.device = "none"};
    const struct {
        uint32_t node;
        struct claim answer;
        bool after; /* another delegate has claimed all it may */
        const char *message;
    } lies[] = {
        {1, {.owner = &l.head, .barred = true}, false, "delegate without a name claims the folded node 1 N"},
        {2, {.owner = &l.head, .barred = true}, false, "delegate without a name claims what is not for delegates: node 2 N"},
        {2, {.owner = &l.head}, false, "delegate without a name lifts the bar from node 2 N"},
        {0, {.barred = true}, false, "delegate without a name bars other delegates from node 0 N"},
        {0, {.owner = &nobody}, false, "delegate without a name claims for somebody else node 0 N"},
        {0, {0}, false, "delegate without a name neither claims nor refuses node 0 N"},
        {0, {.why.code = REASON_COUNT}, false, "delegate without a name neither claims nor refuses node 0 N"},
        {0, {.owner = &l.head}, true, "delegate without a name claims what another delegate has: node 0 N"},
        {0, {0}, true, "delegate without a name claims what another delegate has: node 0 N"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        struct claim *c;
        struct world w;

        one_of_each(&w);
        l.node = lies[i].node;
        l.answer = lies[i].answer;
        assert_int_equal(partition_ask(&w.g, lies[i].after ? OFFER(&w.head, &l.head) : OFFER(&l.head), NULL, &arena, &c, &err),
                         ST_FAILED);
        assert_string_equal(err.msg, lies[i].message);
    }
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, clean_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(rules_come_before_answers),
        TEST(dynamic_nodes_are_for_some),
        TEST(refused_nodes_are_not_offered),
        TEST(refused_nodes_are_those_of_the_file),
        TEST(what_the_cpu_refuses_is_not_offered),
        TEST(later_delegates_take_what_is_left),
        TEST(too_many_delegates),
        TEST(the_first_reason_counts),
        TEST(answers_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
