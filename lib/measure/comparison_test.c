/* SPDX-License-Identifier: Apache-2.0 */
/* comparison_test.c - verdicts on lists whose difference is known. */
#include "lib/measure/comparison.h"
#include "lib/testing/test.h"

#include <math.h>
#include <stdlib.h>

static struct err err;

static double list[2][40];

/* Fills both lists: `old` and old times `factor`, the second in another order. */
static void fill(size_t n, double factor)
{
    for (size_t i = 0; i < n; i++) {
        list[0][i] = 100 + (double)i;
        list[1][n - 1 - i] = list[0][i] * factor;
    }
}

static struct comparison compare(size_t n_old, size_t n_new)
{
    struct comparison c, *all[] = {&c};

    const struct process_times before = {list[0], n_old}, after = {list[1], n_new};

    TEST_OK(compare_processes(&before, 1, &after, 1, false, &c, &err), err);
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    return c;
}

static void verdicts(void **state)
{
    struct comparison c;

    (void)state;
    fill(40, 1.5);
    c = compare(40, 40);
    assert_int_equal(c.verdict, VERDICT_SLOWER);
    assert_true(c.old_median == 119.5 && c.new_median == 179.25 && c.change.ratio == 1.5);
    assert_true(c.change.interval.low > 1.3 && c.change.interval.low <= 1.5 && c.change.interval.high < 1.7);
    assert_true(c.p == c.p_adjusted && c.p < 1e-9);
    fill(40, 0.5);
    assert_int_equal(compare(40, 40).verdict, VERDICT_FASTER);
    fill(40, 1);
    c = compare(40, 40);
    assert_int_equal(c.verdict, VERDICT_NONE);
    assert_true(c.p == 1 && c.change.ratio == 1);
    /* Two runs each can show nothing, however far apart. */
    fill(2, 1000);
    assert_int_equal(compare(2, 2).verdict, VERDICT_NONE);
}

static void nothing_to_test(void **state)
{
    struct comparison c;

    (void)state;
    fill(5, 2);
    c = compare(0, 5);
    assert_int_equal(c.verdict, VERDICT_UNTESTED);
    assert_true(isnan(c.p) && isnan(c.p_adjusted) && isnan(c.old_median) && isnan(c.change.ratio));
    assert_int_equal(compare(0, 0).verdict, VERDICT_UNTESTED);
}

/* The values are those of statsmodels' multipletests(p, method="holm"). */
static void holm(void **state)
{
    static const double p[] = {0.01, 0.04, NAN, 0.03, 0.005, 0.9}, adjusted[] = {0.04, 0.09, NAN, 0.09, 0.025, 0.9};
    struct comparison c[6] = {0}, *all[6];

    (void)state;
    for (size_t i = 0; i < 6; i++) {
        c[i] = (struct comparison){.p = p[i], .old_processes = 2, .change = {2, {1, 3}}};
        all[i] = &c[i];
    }
    TEST_OK(compare_all(all, 6, 0.05, &err), err);
    for (size_t i = 0; i < 6; i++) {
        assert_true(isnan(p[i]) || fabs(c[i].p_adjusted - adjusted[i]) < 1e-12);
        assert_int_equal(c[i].verdict, isnan(p[i]) ? VERDICT_UNTESTED : adjusted[i] < 0.05 ? VERDICT_SLOWER : VERDICT_NONE);
    }
    /* One process a side: nothing below the floor, whatever the ranks say. */
    c[0] = (struct comparison){.p = 1e-9, .old_processes = 1, .new_processes = 1, .change = {1.3, {1.24, 1.36}}};
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    assert_int_equal(c[0].verdict, VERDICT_NONE);
}

/* Five processes a side, each of ten runs. Student's t test of the logarithms of their medians, paired and not, by scipy's
 * ttest_ind and ttest_rel. */
static void processes(void **state)
{
    static const double medians[2][5] = {{100, 103, 98, 101, 105}, {108, 106, 104, 111, 109}};
    static double runs[2][5][10];
    struct process_times sides[2][5];
    struct comparison c, *all[] = {&c};

    (void)state;
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < 5; i++) {
            for (size_t k = 0; k < 10; k++)
                runs[side][i][k] = medians[side][i] + ((double)k - 4.5) / 1e3;
            sides[side][i] = (struct process_times){runs[side][i], 10};
        }
    TEST_OK(compare_processes(sides[0], 5, sides[1], 5, false, &c, &err), err);
    assert_true(fabs(c.change.ratio - 1.061177) < 1e-5 && fabs(c.p - 0.006765119) < 1e-5);
    assert_true(fabs(c.change.interval.low - 1.021824) < 1e-5 && fabs(c.change.interval.high - 1.102044) < 1e-5);
    assert_true(c.between > 0.02 && c.between < 0.03 && c.within < 1e-3 && !c.paired);
    TEST_OK(compare_processes(sides[0], 5, sides[1], 5, true, &c, &err), err);
    assert_true(c.paired && fabs(c.p - 0.008157839) < 1e-5);
    assert_true(fabs(c.change.interval.low - 1.025929) < 1e-5 && fabs(c.change.interval.high - 1.097635) < 1e-5);
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    assert_int_equal(c.verdict, VERDICT_SLOWER);
    assert_int_equal(comparison_gate(&c, 1), GATE_BEYOND);
    assert_int_equal(comparison_gate(&c, 1.05), GATE_UNDECIDED);
    assert_int_equal(comparison_gate(&c, 1.2), GATE_WITHIN);
    assert_true(comparison_more_processes(&c, 1.04) > comparison_more_processes(&c, 1.01));
    /* A process without runs is left out, and its side's partner cannot be paired with it. */
    sides[0][2].n = 0;
    TEST_OK(compare_processes(sides[0], 5, sides[1], 5, true, &c, &err), err);
    assert_true(c.old_processes == 4 && !c.paired && c.n_old == 40);
    /* Against one process: the scatter is that of the other side. */
    TEST_OK(compare_processes(sides[0], 1, sides[1], 5, false, &c, &err), err);
    assert_true(isfinite(c.p) && c.change.interval.low < 1.07 && c.change.interval.high > 1.07);
    /* Times of 0 have no ratio. */
    for (size_t k = 0; k < 10; k++)
        runs[1][0][k] = 0;
    TEST_OK(compare_processes(sides[0], 5, sides[1], 5, false, &c, &err), err);
    assert_true(isnan(c.p) && isnan(c.change.ratio));
}

/* ---- how often the intervals hold ---- */

enum { PAIRS = 1000, TABLE_PAIRS = 10000, MOST_PROCESSES = 20, RUNS = 21 };

/* A machine: how processes and runs scatter (standard deviations), how much it slows down from the first process to the last, and
 * from which tenth of the processes on it is throttled to half its speed. */
struct machine {
    const char *name;
    double between, within, drift;
    int throttled_from;
    bool takes_turns;
    bool finds_a_tenth; /* with five processes a side */
};

static const struct machine machines[] = {
    {"idle", 0.01, 0.02, 0, 11, true, true},
    {"idle, one side first", 0.01, 0.02, 0, 11, false, true},
    {"drifting by 30 %", 0.01, 0.02, 0.3, 11, true, true},
    {"throttled between rounds", 0.01, 0.02, 0, 4, true, true},
    {"throttled in a round", 0.01, 0.02, 0, 5, true, false},
    {"busy", 0.06, 0.3, 0, 11, true, false},
    {"processes alike", 0, 0.1, 0, 11, true, true},
};

/* Of a standard normal distribution, nearly: the sum of twelve uniform numbers. */
static double normal(uint64_t *seed)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += (double)(test_random(seed) % 1000003) / 1000003;
    return sum;
}

/* One comparison of n processes a side on the machine; new ones take `factor` times as long. In turns: A B, B A, A B. */
static struct comparison on_machine(const struct machine *m, int n, double factor, uint64_t *seed)
{
    static double runs[2][MOST_PROCESSES][RUNS];
    struct process_times sides[2][MOST_PROCESSES];
    struct comparison c, *all[] = {&c};

    for (int k = 0; k < 2 * n; k++) {
        const int round = m->takes_turns ? k / 2 : k % n, side = m->takes_turns ? (k + round) % 2 : k / n;
        const double level = 100 * (1 + m->drift * k / (2 * n)) * (5 * k >= m->throttled_from * n ? 2 : 1) * (side ? factor : 1) *
                             exp(m->between * normal(seed));

        /* Runs have a floor and a long tail. */
        for (int i = 0; i < RUNS; i++)
            runs[side][round][i] = level * (1 + m->within * fabs(normal(seed)));
        sides[side][round] = (struct process_times){runs[side][round], RUNS};
    }
    TEST_OK(compare_processes(sides[0], (size_t)n, sides[1], (size_t)n, m->takes_turns, &c, &err), err);
    TEST_OK(compare_all(all, 1, 0.05, &err), err);
    return c;
}

/* Results of comparisons, in per cent. */
struct tally {
    double held, slower, beyond;
};

static struct tally tally(const struct machine *m, int n, double factor, int pairs, uint64_t seed)
{
    struct tally t = {0};

    for (int k = 0; k < pairs; k++) {
        struct comparison c = on_machine(m, n, factor, &seed);

        t.held += 100.0 * (c.change.interval.low <= factor && c.change.interval.high >= factor) / pairs;
        t.slower += 100.0 * (c.verdict == VERDICT_SLOWER) / pairs;
        t.beyond += 100.0 * (comparison_gate(&c, 1.05) == GATE_BEYOND) / pairs;
    }
    return t;
}

/* The table of bench/COMPARE.md. */
static void print_table(void)
{
    static const double factors[] = {1, 1.01, 1.03, 1.1};

    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++)
        for (int n = 3; n <= MOST_PROCESSES; n = n == 3 ? 5 : 2 * n) {
            printf("| %s | %d |", machines[i].name, n);
            for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
                const struct tally t = tally(&machines[i], n, factors[k], TABLE_PAIRS, 1000 * k + 100 * i + (size_t)n);

                printf(" %.1f, %.1f, %.1f |", t.held, t.slower, t.beyond);
            }
            printf("\n");
            fflush(stdout);
        }
}

/* Intervals of 95 % hold 94 times in a hundred, the gate does not fail without a cause, and a change that is large beside the
 * scatter is found. */
static void coverage(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        const struct tally same = tally(&machines[i], 5, 1, PAIRS, 2 * i), tenth = tally(&machines[i], 5, 1.1, PAIRS, 2 * i + 1);

        if (same.held < 94 || tenth.held < 94 || same.slower > 5 || same.beyond > 0.5 ||
            (machines[i].finds_a_tenth && tenth.slower < 95))
            fail_msg("%s: %.1f and %.1f %% held, %.1f %% false alarms, %.1f %% at the gate; 10 %% slower found in %.1f %%",
                     machines[i].name, same.held, tenth.held, same.slower, same.beyond, tenth.slower);
    }
    if (getenv("COVERAGE_TABLE"))
        print_table();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts),  cmocka_unit_test(nothing_to_test), cmocka_unit_test(holm),
        cmocka_unit_test(processes), cmocka_unit_test(coverage),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
