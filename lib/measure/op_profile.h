/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.h - a profile: each CPU kernel and each dispatch of the delegate timed in separate inferences, with its share of the
 * whole. */
#pragma once

#include "lib/delegate/op_work.h"
#include "lib/measure/stats.h"
#include "lib/session/session.h"

/* Inferences of a profile: fewer if they take more than two seconds together, but at least one unless stopped before. */
#define OP_PROFILE_MAX_RUNS 20

/* A kernel, dispatch or transfer. All members are copies: a row outlives the session. */
struct op_row {
    const char *type;     /* "CONV_2D" */
    const char *name;     /* outputs and index of the last node: "[conv1/Relu6]:0"; "[input]" for a transfer of that tensor */
    const char *detail;   /* variant and fused operators: "conv 4x1 +RELU6"; NULL on the CPU */
    const char *why_copy; /* reason of a copy (delegate_timing); NULL on the CPU */
    const char *backend;  /* "cpu", or the delegate's name */
    uint32_t *nodes;      /* [n_nodes] indices in the file of the nodes that it computes */
    uint32_t n_nodes;
    int32_t partition; /* -1: CPU */
    const struct tensor
        *tensor;         /* name, type and shape of the last node's first output, or of the transferred tensor; NULL: neither */
    uint32_t work_row;   /* row that has the work of this one: the first of the rows that share nodes; mostly its own index */
    struct op_work work; /* work of all nodes of the rows with this work_row; zeros unless it is this row */
    bool halves;         /* computed with 16-bit floats */
    bool timed;          /* false: some run has no time from the driver */
    double first_us;     /* in the first run */
    double sum_us;       /* over all runs */
    double us[OP_PROFILE_MAX_RUNS];       /* [runs] in each run */
    double begin_us[OP_PROFILE_MAX_RUNS]; /* [runs] when it began, in microseconds of clock_ns; NAN: not known */
    bool device_clock;                    /* the begins are those of the device's clock, brought to clock_ns */
};

struct op_profile {
    struct op_row *rows; /* [n_rows] in execution order */
    size_t n_rows;
    uint32_t runs;
    double total_us[OP_PROFILE_MAX_RUNS]; /* [runs] sum of the rows */
    double wall_us[OP_PROFILE_MAX_RUNS];  /* [runs] whole run: rows, overhead and the rest */
    double begin_us[OP_PROFILE_MAX_RUNS]; /* [runs] when it began, in microseconds of clock_ns */
    struct delegate_overhead overhead;    /* sum over all runs */
    struct stats total, wall;
    struct device_peak peak; /* peak of a delegate's device, filled by the caller; zeros: unknown */
    const char *peak_of;     /* backend of the rows that run on that device, set by the caller; NULL: none */
    struct arena arena;
};

/* Profile some inferences of a prepared session. stop() is called before each and ends the profile if true; NULL: never. Free with
 * arena_free(&out->arena), after failures too. */
enum status op_profile_collect(struct session *s, bool (*stop)(void), struct op_profile *out, struct err *err);

/* Dispatches that only move elements, among those of delegates that report copies; transfers are not counted. */
struct op_copies {
    uint32_t n, of; /* copies; all dispatches of these delegates */
    double avg_us;  /* time of the copies per run */
    double percent; /* share of the time of all rows */
};
bool op_row_copies(const struct op_row *row);
struct op_copies op_profile_copies(const struct op_profile *p);

/* Append a row to a profile of one run that is put together by hand (initialization), zeroed to begin with; texts are borrowed.
 * Fails with ST_NOMEM. */
enum status op_profile_add(struct op_profile *p, const char *type, const char *name, double us, struct err *err);

/* Return the time per run, in microseconds, of all rows with work_row i. */
double op_profile_work_us(const struct op_profile *p, size_t i);

/* Return the least time that the device needs for the work of row i (op_work_least_us), in percent of op_profile_work_us; NAN if it
 * is unknown, and for rows of another backend than `peak_of`. */
double op_profile_limit_percent(const struct op_profile *p, size_t i);

/* Return the same over all rows of `peak_of`, including rows of unknown work: how near the delegate comes to its device's limits.
 * NAN without such rows. */
double op_profile_delegate_percent(const struct op_profile *p);

/* The type of rows whose share of a run varies most between the runs, and how far. */
struct op_scatter {
    const char *type; /* NULL: fewer than 4 runs */
    double low, high; /* quartiles of the share in percent (TFLite's rule, sorted.h) */
};
struct op_scatter op_profile_scatter(const struct op_profile *p);

enum op_order { OP_ORDER_RUN, OP_ORDER_TIME };

/* One line of a table: a row, or all rows of one type. */
struct op_line {
    const char *type;
    const struct op_row *row;  /* NULL for a type */
    uint32_t n_rows;           /* 1 for a row */
    double avg_us;             /* time per run */
    double percent;            /* share of the time of all rows */
    double cumulative_percent; /* share of this line and all lines before it */
};

/* List every row as a line, in execution order or the longest first; *out has p->n_rows lines in `a`. Fails only with ST_NOMEM. */
enum status op_profile_rows(const struct op_profile *p, enum op_order order, struct arena *a, struct op_line **out,
                            struct err *err);

/* List the sum of the rows of each type, the longest first: *n lines in `a`. Fails only with ST_NOMEM. */
enum status op_profile_types(const struct op_profile *p, struct arena *a, struct op_line **out, size_t *n, struct err *err);
