/* SPDX-License-Identifier: Apache-2.0 */
/* partition_test.c - partitions of random small graphs against every order that there is. */
#include "lib/delegate/partition.h"
#include "lib/testing/test_graph.h"

/* ---- the model: the fewest delegated runs over every order ---- */

static bool may_delegate(const struct world *w, uint32_t i)
{
    const struct node *n = &w->n[i];

    return w->takes[i] && !n->folded && !n->dynamic && n->op != &stateful_op;
}

#define NEVER 1000

/* least[set][side]: fewest runs of delegated nodes after which `set` has run and the last node was on that side. */
static uint32_t fewest_partitions(const struct world *w)
{
    static uint32_t least[1u << MAX_NODES][2];
    uint32_t n = w->g.n_nodes, all = (1u << n) - 1, start = 0, before[MAX_NODES];

    for (uint32_t i = 0; i < n; i++) {
        before[i] = nodes_before(w, i);
        start |= w->n[i].folded ? 1u << i : 0;
    }
    for (uint32_t set = 0; set <= all; set++)
        least[set][0] = least[set][1] = NEVER;
    least[start][0] = 0;
    for (uint32_t set = start; set < all; set++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t side = 0; side < 2; side++) {
                uint32_t next = set | 1u << i, to = may_delegate(w, i), runs = least[set][side] + (to && !side);

                if (set >> i & 1 || (before[i] & ~set) || least[set][side] == NEVER)
                    continue;
                if (runs < least[next][to])
                    least[next][to] = runs;
            }
    return least[all][0] < least[all][1] ? least[all][0] : least[all][1];
}

/* ---- checks ---- */

static bool lists(struct tensor *const *list, uint32_t n, const struct tensor *t)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < n; i++)
        found += list[i] == t;
    assert_true(found <= 1);
    return found;
}

/* Whether the partitions, each run at once, and the other nodes can be put into an order. */
static bool can_run(const struct world *w, const struct partitioning *p)
{
    uint32_t done = 0, n = w->g.n_nodes;

    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < n; i++) {
            uint32_t set = 1u << i, needs = 0;

            if (done >> i & 1)
                continue;
            for (uint32_t j = 0; j < n; j++)
                if (p->part_of[i] >= 0 && p->part_of[j] == p->part_of[i])
                    set |= 1u << j;
            for (uint32_t j = 0; j < n; j++)
                needs |= set >> j & 1 ? nodes_before(w, j) : 0;
            if (w->n[i].folded || !(needs & ~done & ~set)) {
                done |= set;
                more = true;
            }
        }
    }
    return done == (1u << n) - 1;
}

static void check_borders(const struct world *w, const struct partitioning *p, int32_t index)
{
    const struct partition *part = &p->parts[index];
    uint32_t n_inputs = 0, n_outputs = 0;

    for (uint32_t t = 0; t < w->g.n_tensors; t++) {
        const struct tensor *x = &w->t[t];
        bool made = false, read = false, read_elsewhere = false, input, output;

        for (uint32_t i = 0; i < w->g.n_nodes; i++) {
            for (uint32_t k = 0; k < w->n[i].n_out; k++)
                made |= p->part_of[i] == index && w->out[i][k] == x;
            for (uint32_t k = 0; k < w->n[i].n_in && !w->n[i].folded; k++)
                if (w->in[i][k] == x)
                    *(p->part_of[i] == index ? &read : &read_elsewhere) = true;
        }
        for (uint32_t k = 0; k < w->g.n_outputs; k++)
            read_elsewhere |= w->outputs[k] == x;
        input = read && !made && !x->is_const;
        output = (made && read_elsewhere) || (input && x->is_variable);
        assert_int_equal(lists(part->inputs, part->n_inputs, x), input);
        assert_int_equal(lists(part->outputs, part->n_outputs, x), output);
        n_inputs += input;
        n_outputs += output;
    }
    assert_int_equal(part->n_inputs, n_inputs);
    assert_int_equal(part->n_outputs, n_outputs);
}

static void check_node(const struct world *w, const struct partitioning *p, uint32_t i)
{
    const struct reason *r = &p->reasons[i];
    uint32_t found = 0;

    for (uint32_t k = 0; k < p->n_parts; k++)
        for (uint32_t j = 0; j < p->parts[k].n_nodes; j++)
            if (p->parts[k].nodes[j] == &w->n[i]) {
                found++;
                assert_int_equal(p->part_of[i], k);
            }
    assert_int_equal(found, p->part_of[i] >= 0);
    if (found)
        assert_true(may_delegate(w, i));
    assert_int_equal(r->code == REASON_NONE, found || w->n[i].folded);
    if (found || w->n[i].folded)
        return;
    if (w->n[i].dynamic)
        assert_int_equal(r->code, REASON_DYNAMIC_SHAPE);
    else if (w->n[i].op == &stateful_op)
        assert_int_equal(r->code, REASON_UNSUPPORTED_OPERATOR_VARIANT);
    else if (!w->takes[i]) {
        char want[64];

        snprintf(want, sizeof want, "node %u is refused", i);
        assert_int_equal(r->code, REASON_UNSUPPORTED_OPERATOR);
        assert_string_equal(r->text, want);
    }
}

static void check(struct world *w, const struct partition_options *opt, struct arena *a, struct partitioning *p)
{
    uint32_t delegated = 0, folded = 0;
    struct err err = {""};

    memset(w->asked, 0, sizeof w->asked);
    TEST_OK(partition_graph(&w->g, OFFER(&w->head), opt, a, p, &err), err);
    for (uint32_t i = 0; i < w->g.n_nodes; i++) {
        check_node(w, p, i);
        assert_true(w->asked[i] <= 1);
        delegated += p->part_of[i] >= 0;
        folded += w->n[i].folded;
    }
    assert_int_equal(p->n_delegated, delegated);
    assert_int_equal(p->n_folded, folded);
    assert_int_equal(p->n_cpu, w->g.n_nodes - delegated - folded);
    for (uint32_t k = 0; k < p->n_parts; k++) {
        assert_true(p->parts[k].n_nodes > 0);
        for (uint32_t j = 1; j < p->parts[k].n_nodes; j++)
            assert_true(p->parts[k].nodes[j - 1] < p->parts[k].nodes[j]);
        check_borders(w, p, (int32_t)k);
    }
    assert_true(can_run(w, p));
}

/* ---- tests ---- */

static void random_graphs_have_the_fewest_partitions(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (int round = 0; round < 4000; round++) {
        struct arena a = {0};
        struct partitioning p;
        struct world w;

        random_world(&w, &seed);
        check(&w, &(struct partition_options){0}, &a, &p);
        if (p.n_before_limits != fewest_partitions(&w))
            fail_msg("round %d: %u partitions, %u would do", round, p.n_before_limits, fewest_partitions(&w));
        assert_int_equal(p.n_parts, p.n_before_limits);
        arena_free(&a);
    }
}

/* Two delegates: every partition has one owner, holds only what that claimed, and all can still be put into an order. */
static void random_graphs_are_shared(void **state)
{
    uint64_t seed = 9;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct arena a = {0};
        struct partitioning p;
        struct world w, second;
        struct err err = {""};

        random_world(&w, &seed);
        second = w;
        second.graph = &w.g;
        for (uint32_t i = 0; i < w.g.n_nodes; i++)
            second.takes[i] = test_random(&seed) % 2;
        TEST_OK(partition_graph(&w.g, OFFER(&w.head, &second.head), &(struct partition_options){0}, &a, &p, &err), err);
        for (uint32_t i = 0; i < w.g.n_nodes; i++) {
            bool asked = !w.n[i].folded && !w.n[i].dynamic && w.n[i].op != &stateful_op;
            const struct delegate *want = !asked ? NULL : w.takes[i] ? &w.head : second.takes[i] ? &second.head : NULL;

            assert_ptr_equal(p.part_of[i] < 0 ? NULL : p.parts[p.part_of[i]].delegate, want);
        }
        for (uint32_t k = 0; k < p.n_parts; k++)
            check_borders(&w, &p, (int32_t)k);
        assert_true(can_run(&w, &p));
        arena_free(&a);
    }
}

/* Sizes of the partitions of `all` that the options keep: by definition, one by one. */
static void check_limits(struct world *w, const struct partitioning *all, const struct partition_options *opt, struct arena *a)
{
    bool dropped_small[MAX_NODES] = {false}, kept[MAX_NODES] = {false};
    struct partitioning p;
    uint32_t n_kept = 0;

    for (uint32_t k = 0; k < all->n_parts; k++)
        dropped_small[k] = opt->min_nodes > 0 && all->parts[k].n_nodes < (uint32_t)opt->min_nodes;
    for (uint32_t k = 0; k < all->n_parts; k++) { /* kept: fewer than max_partitions are larger, or as large and earlier */
        int32_t ahead = 0;

        for (uint32_t j = 0; j < all->n_parts; j++)
            ahead += !dropped_small[j] &&
                     (all->parts[j].n_nodes > all->parts[k].n_nodes || (all->parts[j].n_nodes == all->parts[k].n_nodes && j < k));
        kept[k] = !dropped_small[k] && (opt->max_partitions <= 0 || ahead < opt->max_partitions);
        n_kept += kept[k];
    }
    check(w, opt, a, &p);
    assert_int_equal(p.n_parts, n_kept);
    assert_int_equal(p.n_before_limits, all->n_parts);
    for (uint32_t i = 0; i < w->g.n_nodes; i++) {
        int32_t was = all->part_of[i];

        if (was < 0) {
            assert_int_equal(p.part_of[i], -1);
            assert_int_equal(p.reasons[i].code, all->reasons[i].code);
        } else if (kept[was]) {
            assert_int_equal(p.parts[p.part_of[i]].n_nodes, all->parts[was].n_nodes);
        } else {
            char nodes[32];

            snprintf(nodes, sizeof nodes, " %u node%s", all->parts[was].n_nodes, all->parts[was].n_nodes == 1 ? "" : "s");
            assert_int_equal(p.part_of[i], -1);
            assert_int_equal(p.reasons[i].code, dropped_small[was] ? REASON_PARTITION_TOO_SMALL : REASON_PARTITION_LIMIT);
            assert_non_null(strstr(p.reasons[i].text, nodes));
        }
    }
}

static void limits_keep_the_largest(void **state)
{
    uint64_t seed = 8;

    (void)state;
    for (int round = 0; round < 300; round++) {
        struct arena a = {0};
        struct partitioning all;
        struct world w;

        random_world(&w, &seed);
        check(&w, &(struct partition_options){0}, &a, &all);
        for (int32_t min = -1; min <= 4; min++)
            for (int32_t max = -1; max <= 3; max++)
                check_limits(&w, &all, &(struct partition_options){.min_nodes = min, .max_partitions = max}, &a);
        arena_free(&a);
    }
}

/* The graph without limits makes n partitions. */
static void expect_parts(struct world *w, uint32_t n)
{
    struct arena a = {0};
    struct partitioning p;

    check(w, &(struct partition_options){0}, &a, &p);
    assert_int_equal(p.n_parts, n);
    arena_free(&a);
}

/* A delegated node and a CPU node that feeds another delegated one: who starts with the CPU needs one partition, who starts with
 * the delegate two. */
static void the_better_side_starts(void **state)
{
    struct arena a = {0};
    struct partitioning p;
    struct world w;

    (void)state;
    world_init(&w);
    add_node(&w, PLAIN, true, IN(0));
    add_node(&w, PLAIN, true, IN(add_node(&w, PLAIN, false, IN(1))));
    check(&w, &(struct partition_options){0}, &a, &p);
    assert_int_equal(p.n_parts, 1);
    assert_int_equal(p.parts[0].n_nodes, 2);
    arena_free(&a);
}

/* Delegate, CPU, delegate, all on one variable: they may not change places though no tensor ties them. */
static void nodes_with_state_keep_their_order(void **state)
{
    struct world w;

    (void)state;
    world_init(&w);
    add_node(&w, READS_VARIABLE, true, IN(0));
    add_node(&w, READS_VARIABLE, false, IN(0));
    add_node(&w, READS_VARIABLE, true, IN(0));
    expect_parts(&w, 2);
}

/* A stateful node waits for those before it that keep a place too, not for others. */
static void nodes_without_state_do_not_hold_up_others(void **state)
{
    struct world w;
    uint32_t made;

    (void)state;
    world_init(&w);
    add_node(&w, PLAIN, true, IN(0));
    made = add_node(&w, STATEFUL, false, IN(1));
    add_node(&w, PLAIN, true, IN(made));
    expect_parts(&w, 1);
}

/* A folded node never runs, so what it would read needs not leave the partition. */
static void folded_readers_need_nothing(void **state)
{
    struct arena a = {0};
    struct partitioning p;
    struct world w;
    uint32_t made;

    (void)state;
    world_init(&w);
    made = add_node(&w, PLAIN, true, IN(0));
    add_node(&w, FOLDED, false, IN(made)); /* SHAPE */
    add_output(&w, add_node(&w, PLAIN, true, IN(made)));
    check(&w, &(struct partition_options){0}, &a, &p);
    assert_int_equal(p.n_parts, 1);
    assert_int_equal(p.parts[0].n_outputs, 1);
    arena_free(&a);
}

static void an_empty_graph_has_no_partitions(void **state)
{
    struct world w;

    (void)state;
    world_init(&w);
    expect_parts(&w, 0);
}

/* x -> 0 -> 1 -> 2 -> 3, where what lies between 1 and 2 is quantized, and so is a constant that 0 reads. */
static void quantized_values_may_be_left_to_the_cpu(void **state)
{
    const bool delegated[] = {true, false, false, true};
    struct arena a = {0};
    struct partitioning p;
    struct world w;
    uint32_t t;
    struct err err;

    (void)state;
    world_init(&w);
    w.t[2].type = TYPE_INT8;
    w.t[2].quant.n = 1;
    t = add_node(&w, PLAIN, true, IN(0, 2));
    t = add_node(&w, PLAIN, true, IN(t));
    w.t[t].type = TYPE_INT8;
    w.t[t].quant.n = 1;
    t = add_node(&w, PLAIN, true, IN(t));
    add_output(&w, add_node(&w, PLAIN, true, IN(t)));
    TEST_OK(partition_graph(&w.g, OFFER(&w.head), &(struct partition_options){0}, &a, &p, &err), err);
    assert_int_equal(p.n_delegated, 4);
    TEST_OK(partition_graph(&w.g, OFFER(&w.head), &(struct partition_options){.no_quantized = true}, &a, &p, &err), err);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(p.part_of[i] >= 0, delegated[i]);
        assert_int_equal(p.reasons[i].code, delegated[i] ? REASON_NONE : REASON_UNSUPPORTED_QUANTIZATION);
    }
    assert_int_equal(p.n_parts, 2);
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_have_the_fewest_partitions),
        cmocka_unit_test(random_graphs_are_shared),
        cmocka_unit_test(limits_keep_the_largest),
        cmocka_unit_test(quantized_values_may_be_left_to_the_cpu),
        cmocka_unit_test(the_better_side_starts),
        cmocka_unit_test(nodes_with_state_keep_their_order),
        cmocka_unit_test(nodes_without_state_do_not_hold_up_others),
        cmocka_unit_test(folded_readers_need_nothing),
        cmocka_unit_test(an_empty_graph_has_no_partitions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
