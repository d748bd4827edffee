/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile_test.c - rows of a profile, their names, orders and shares. */
#include "lib/measure/op_profile.h"

#include "lib/testing/test_delegate.h"
#include <math.h>

static int asked;

static bool stop_after_three(void)
{
    return asked++ == 3;
}

/* NEG and ADD on the delegate, whose pieces take 1 µs, and 1 and 2; ABS between them on the CPU. */
static void collect(bool (*stop)(void), struct op_profile *p)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct session_options opt = {.delegates = {&fake.base}};
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;

    build_chain(&b);
    s = load_and_prepare(&b, &opt, &l);
    TEST_OK(op_profile_collect(s, stop, p, &err), err);
    session_free(s);
    unload(&l);
}

static void rows_of_both_sides(void **state)
{
    static const char *const names[] = {"[a]:0", "[b]:1", "[c]:2", "[y]:3"};
    static const char *const types[] = {"NEG", "ABS", "NEG", "ADD"};
    static const int32_t partitions[] = {0, -1, 1, 1};
    struct op_profile p;

    (void)state;
    collect(NULL, &p);
    assert_int_equal(p.n_rows, 4);
    assert_true(p.runs >= 1 && p.runs <= OP_PROFILE_MAX_RUNS);
    for (uint32_t i = 0; i < 4; i++) {
        const struct op_row *row = &p.rows[i];

        assert_string_equal(row->name, names[i]);
        assert_string_equal(row->type, types[i]);
        assert_string_equal(row->backend, i == 1 ? "cpu" : "fake");
        assert_int_equal(row->partition, partitions[i]);
        if (i == 1)
            assert_null(row->detail);
        else
            assert_string_equal(row->detail, "piece");
        assert_true(row->work_row == i && row->work.macs_known && row->work.bytes == (i == 3 ? 3 : 2) * LEN * 4);
        assert_true(row->tensor && row->tensor->rank == 1 && row->tensor->dim[0] == LEN);
        for (uint32_t r = 0; r < p.runs; r++)
            assert_true(i == 1 ? row->us[r] > 0 : row->us[r] == row->first_us);
        assert_true(row->timed && row->n_nodes == 1 && row->nodes[0] == i);
        if (i != 1)
            assert_true(row->first_us == (i == 3 ? 2 : 1) && row->sum_us == row->first_us * p.runs);
    }
    assert_int_equal(p.total.count, p.runs);
    for (uint32_t r = 0; r < p.runs; r++)
        assert_true(p.total_us[r] >= 4 && p.wall_us[r] > 0);
    for (uint32_t r = 0; r < p.runs; r++)
        for (size_t i = 0; i < p.n_rows; i++) {
            const double begin = p.rows[i].begin_us[r]; /* which this delegate does not tell */

            assert_true(p.rows[i].partition < 0 ? begin >= p.begin_us[r] && begin <= p.begin_us[r] + p.wall_us[r] : isnan(begin));
        }
    assert_int_equal(p.overhead.write_ns, 2 * 100 * p.runs);
    assert_int_equal(p.overhead.wait_ns, 2 * 200 * p.runs);
    assert_int_equal(p.overhead.read_ns, 2 * 300 * p.runs);
    arena_free(&p.arena);
}

/* The profile of the chain, of which the delegate takes NEG and ADD. */
static struct op_profile profile_of(struct fake *fake)
{
    struct session_options opt = {.delegates = {&fake->base}};
    struct op_profile p;
    struct session *s;
    struct builder b;
    struct loaded l;
    struct err err;

    build_chain(&b);
    s = load_and_prepare(&b, &opt, &l);
    TEST_OK(op_profile_collect(s, NULL, &p, &err), err);
    session_free(s);
    unload(&l);
    return p;
}

/* NEG takes two rows: the work of node 2 stands in the first, and the time of both is for it. */
static void rows_of_one_node(void **state)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct op_profile p;

    (void)state;
    fake.splits = "NEG";
    p = profile_of(&fake);
    assert_int_equal(p.n_rows, 6);
    assert_true(p.rows[3].work_row == 3 && p.rows[4].work_row == 3 && p.rows[5].work_row == 5);
    assert_int_equal(p.rows[3].work.bytes, 2 * LEN * 4);
    assert_int_equal(p.rows[4].work.bytes, 0);
    assert_float_equal(op_profile_work_us(&p, 3), 2, 1e-4);
    assert_float_equal(op_profile_work_us(&p, 5), 2, 1e-4);
    assert_true(isnan(op_profile_limit_percent(&p, 3)) && isnan(op_profile_delegate_percent(&p)));
    p.peak.gbytes = LEN * 8e-3; /* a microsecond for what row 3 moves */
    p.peak_of = "another";
    assert_true(isnan(op_profile_limit_percent(&p, 3)) && isnan(op_profile_delegate_percent(&p)));
    p.peak_of = "fake";
    assert_float_equal(op_profile_limit_percent(&p, 3), 50, 1e-3);
    assert_false(isnan(op_profile_delegate_percent(&p)));
    assert_true(isnan(op_profile_limit_percent(&p, 0)) == (p.rows[0].partition < 0));
    arena_free(&p.arena);
}

/* NEG copies, of 1 us in each of two partitions, ADD after the second of them, of 2, does not; the CPU's ABS is no dispatch. */
static void rows_that_only_copy(void **state)
{
    struct fake fake = fake_delegate(" NEG ADD ");
    struct op_copies copies;
    struct op_profile p;

    (void)state;
    fake.copies = "NEG";
    p = profile_of(&fake);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(op_row_copies(&p.rows[i]), i == 0 || i == 2);
    assert_string_equal(p.rows[2].why_copy, "it is asked to");
    assert_null(p.rows[1].why_copy);
    copies = op_profile_copies(&p);
    assert_true(copies.n == 2 && copies.of == 3);
    assert_float_equal(copies.avg_us, 2, 1e-6);
    assert_float_equal(copies.percent, 200 / p.total.avg, 1e-6);
    p.rows[3].n_nodes = 0; /* a transfer is neither */
    assert_true(op_profile_copies(&p).n == 2 && op_profile_copies(&p).of == 2);
    for (uint32_t i = 0; i < 4; i++)
        p.rows[i].why_copy = NULL;
    assert_int_equal(op_profile_copies(&p).of, 0);
    arena_free(&p.arena);
}

/* On a device that the row before last keeps busy, with halves or without: that is all of its limit, and no more. */
static void a_busy_row_is_at_its_limit(void **state)
{
    for (int halves = 0; halves < 2; halves++) {
        struct fake fake = fake_delegate(" NEG ADD ");
        struct op_profile p;

        (void)state;
        fake.halves = halves;
        p = profile_of(&fake);
        p.rows[2].work = (struct op_work){.macs = 3000, .macs_known = true};
        p.peak_of = "fake";
        p.peak.gflops = op_work_gflops(&p.rows[2].work, op_profile_work_us(&p, 2)) / (halves ? 2 : 1);
        p.peak.half_gflops = 2 * p.peak.gflops;
        assert_float_equal(op_profile_limit_percent(&p, 2), 100, 1e-3);
        arena_free(&p.arena);
    }
}

/* NEG has two rows, which take 10 % of most runs and 40 % of every third; ADD has what they leave, ABS always half. */
static void the_share_that_varies_most(void **state)
{
    struct op_row rows[] = {{.type = "NEG"}, {.type = "ABS"}, {.type = "ADD"}, {.type = "NEG"}};
    struct op_profile p = {.rows = rows, .n_rows = 4, .runs = 12};
    struct op_scatter s;

    (void)state;
    for (uint32_t r = 0; r < p.runs; r++) {
        rows[0].us[r] = rows[3].us[r] = r % 3 ? 10 : 40;
        rows[1].us[r] = 100;
        rows[2].us[r] = 200 - 2 * rows[0].us[r] - 100;
        p.total_us[r] = 200;
    }
    s = op_profile_scatter(&p);
    assert_string_equal(s.type, "NEG");
    assert_float_equal(s.low, 10, 1e-9);
    assert_float_equal(s.high, 40, 1e-9);
    p.runs = 4;
    assert_string_equal(op_profile_scatter(&p).type, "NEG");
    p.runs = 3;
    assert_null(op_profile_scatter(&p).type);
    p.runs = 12;
    for (uint32_t r = 0; r < p.runs; r++)
        p.total_us[r] = 0;
    s = op_profile_scatter(&p);
    assert_true(s.type && s.low == 0 && s.high == 0);
}

static void stops_early(void **state)
{
    struct op_profile p;

    (void)state;
    asked = 0;
    collect(stop_after_three, &p);
    assert_int_equal(p.runs, 3);
    arena_free(&p.arena);
}

static void make(struct op_profile *p)
{
    struct err err;

    *p = (struct op_profile){0};
    TEST_OK(op_profile_add(p, "Load", "Load/0", 10, &err), err);
    TEST_OK(op_profile_add(p, "Prepare", "Prepare/0", 60, &err), err);
    TEST_OK(op_profile_add(p, "Load", "Load/0", 30, &err), err);
}

static void lines_in_both_orders(void **state)
{
    struct arena arena = {0};
    struct op_profile p;
    struct op_line *l;
    struct err err;

    (void)state;
    make(&p);
    TEST_OK(op_profile_rows(&p, OP_ORDER_RUN, &arena, &l, &err), err);
    assert_true(l[0].avg_us == 10 && l[1].avg_us == 60 && l[2].avg_us == 30 && l[2].row == &p.rows[2]);
    assert_float_equal(l[0].percent, 10, 1e-4);
    assert_float_equal(l[1].cumulative_percent, 70, 1e-4);
    assert_float_equal(l[2].cumulative_percent, 100, 1e-4);
    TEST_OK(op_profile_rows(&p, OP_ORDER_TIME, &arena, &l, &err), err);
    assert_true(l[0].avg_us == 60 && l[1].avg_us == 30 && l[2].avg_us == 10);
    assert_float_equal(l[0].cumulative_percent, 60, 1e-4);
    assert_float_equal(l[1].cumulative_percent, 90, 1e-4);
    arena_free(&arena);
    arena_free(&p.arena);
}

static void lines_of_types(void **state)
{
    struct arena arena = {0};
    struct op_profile p;
    struct op_line *l;
    struct err err;
    size_t n;

    (void)state;
    make(&p);
    TEST_OK(op_profile_types(&p, &arena, &l, &n, &err), err);
    assert_int_equal(n, 2);
    assert_string_equal(l[0].type, "Prepare");
    assert_true(l[0].n_rows == 1 && l[0].avg_us == 60 && !l[0].row);
    assert_string_equal(l[1].type, "Load");
    assert_true(l[1].n_rows == 2 && l[1].avg_us == 40);
    assert_float_equal(l[1].percent, 40, 1e-4);
    assert_float_equal(l[1].cumulative_percent, 100, 1e-4);
    arena_free(&arena);
    arena_free(&p.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_both_sides),         cmocka_unit_test(rows_of_one_node),
        cmocka_unit_test(rows_that_only_copy),        cmocka_unit_test(a_busy_row_is_at_its_limit),
        cmocka_unit_test(the_share_that_varies_most), cmocka_unit_test(stops_early),
        cmocka_unit_test(lines_in_both_orders),       cmocka_unit_test(lines_of_types),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
