/* SPDX-License-Identifier: Apache-2.0 */
/* comparison.h - compares times before and after a change: how much slower, and is it more than chance?
 *
 * The unit is the process. Two starts of one program differ by more than the runs of one start do (memory lands elsewhere, the
 * machine does other things), so that an interval from the runs of one process holds for that process alone. With several processes
 * a side the logarithms of their medians are compared by Student's t test, which tells of the program. With one process a
 * side the two-sided Mann-Whitney U test compares the runs; a change is then shown only above COMPARISON_FLOOR.
 *
 * If many things are compared at once, some differ by chance: Holm's correction keeps the probability of any such verdict below
 * alpha. */
#pragma once

#include "lib/measure/significance.h"

/* One process a side: the interval of the ratio must lie above this, or below its inverse. Processes of one program, on a machine
 * with other work, were seen to differ that much (bench/COMPARE.md). */
#define COMPARISON_FLOOR 1.25

enum verdict {
    VERDICT_UNTESTED, /* one side has no times */
    VERDICT_NONE,     /* undecided: no difference is shown, which does not prove that there is none */
    VERDICT_FASTER,
    VERDICT_SLOWER,
};

/* The runs of one process, without NaN. */
struct process_times {
    const double *us;
    size_t n;
};

struct comparison {
    size_t n_old, n_new;                 /* numbers of times */
    size_t old_processes, new_processes; /* that have times */
    bool paired;                         /* processes were compared in pairs */
    double old_median, new_median;       /* in the unit of the times, of several processes the geometric mean; NAN without times */
    struct median_ratio change;          /* new over old: above 1 is slower */
    struct interval wide;                /* of the change: 99 % with several processes, else the same interval */
    double between, within;              /* standard deviation, as a part of the median, of a process' median: from process to
                                            process, and because of its own runs; NAN with one process a side */
    double p;                            /* of the test; NAN if untested */
    double p_adjusted;                   /* p with Holm's correction, 0 to 1; NAN if untested; set by compare_all */
    enum verdict verdict;                /* set by compare_all */
};

/* Fill *out except p_adjusted and verdict. before[n_before] and after[n_after] are the processes of each side; processes
 * without times are left out. `paired`: before[i] and after[i] ran one right after the other, so that a change of the machine met
 * both; their numbers are equal. The interval is one of 95 %. With several processes the change is unknown (NAN) and untested if a
 * median is not above 0. Fails only with ST_NOMEM. */
enum status compare_processes(const struct process_times *before, size_t n_before, const struct process_times *after,
                              size_t n_after, bool paired, struct comparison *out, struct err *err);

/* Correct the p of c[n] for their number, ignoring untested ones, and set the verdicts: faster or slower if p_adjusted is below
 * alpha and the change is above the floor of one process a side. Fails only with ST_NOMEM. Source: Holm, "A simple sequentially
 * rejective multiple test procedure", 1979; equals statsmodels' multipletests(method="holm"). */
enum status compare_all(struct comparison *const *c, size_t n, double alpha, struct err *err);

/* Return "untested", "none", "faster" or "slower". */
const char *verdict_name(enum verdict v);

/* Whether a change of more than `ratio` (1.05: slower by 5 %) is shown, ruled out, or neither. A gate is asked at every commit, so
 * that it fails by the interval of 99 %. */
enum gate {
    GATE_UNDECIDED,
    GATE_WITHIN, /* the interval of 95 % lies below the ratio */
    GATE_BEYOND, /* the verdict is slower, and the interval of 99 % lies above the ratio */
};

/* Judge the change after compare_all. One process a side can only be beyond: GATE_WITHIN needs several. */
enum gate comparison_gate(const struct comparison *c, double ratio);

/* Return how many more processes a side would make the intervals so narrow that the gate is decided, if they scatter as these do
 * and the change is the one found; 0 if more than 1000, or unknown. */
size_t comparison_more_processes(const struct comparison *c, double ratio);
