/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.h - a profile of the time: every step timed in separate inferences, CPU kernels and the delegate's pieces side by
 * side, with their shares of the whole. */
#ifndef DELEGAUGE_OP_PROFILE_H
#define DELEGAUGE_OP_PROFILE_H

#include "lib/delegate/op_work.h"
#include "lib/measure/stats.h"
#include "lib/session/session.h"

/* Number of inferences of a profile; fewer if they last longer than two seconds together, but at least one, unless it is stopped
 * before. */
#define OP_PROFILE_MAX_RUNS 20

/* All of it is a copy: a row outlives the session. */
struct op_row {
    const char *type;     /* "CONV_2D" */
    const char *name;     /* "[conv1/Relu6]:0": outputs and index of the last node; "[input]" for a transfer of that tensor */
    const char *detail;   /* variant and fused operators: "conv 4x1 +RELU6"; NULL on the CPU */
    const char *why_copy; /* see delegate_timing; NULL on the CPU */
    const char *backend;  /* "cpu", or the delegate's name */
    uint32_t *nodes;      /* [n_nodes] indices of the nodes that it computes */
    uint32_t n_nodes;
    int32_t partition; /* -1: CPU */
    const struct tensor
        *tensor;       /* name, type and shape of the last node's first output, or of the transferred tensor; NULL: neither */
    uint32_t work_row; /* a node may take several rows, or share one: the first of the rows that belong together. Mostly its own */
    struct op_work work;            /* work of all nodes of these rows; zeros in all but the first of them */
    bool halves;                    /* computed with 16-bit floats */
    bool timed;                     /* false: the driver gave no time in some run */
    double first_us;                /* in the first run */
    double sum_us;                  /* over all runs */
    double us[OP_PROFILE_MAX_RUNS]; /* [runs] */
};

struct op_profile {
    struct op_row *rows; /* in the order of execution */
    size_t n_rows;
    uint32_t runs;
    double total_us[OP_PROFILE_MAX_RUNS]; /* [runs] all rows together */
    double wall_us[OP_PROFILE_MAX_RUNS];  /* [runs] from beginning to end: rows, overhead, and time in neither */
    struct delegate_overhead overhead;    /* of all runs together */
    struct stats total, wall;
    struct device_peak peak; /* peak of a delegate's device: for the caller to fill; zeros: unknown */
    const char *peak_of;     /* likewise: the backend of the rows that run there; NULL: none does */
    struct arena arena;
};

/* Profile a few inferences of a prepared session; stop() (NULL: never), asked before each, ends it early. Free with
 * arena_free(&out->arena), after failures too. */
enum status op_profile_collect(struct session *s, bool (*stop)(void), struct op_profile *out, struct err *err);

/* Pieces that only move elements, `n` of `of` pieces of delegates that report this; transfers are neither. */
struct op_copies {
    uint32_t n, of;
    double avg_us;  /* time of these n, per run */
    double percent; /* of the time of all rows */
};
bool op_row_copies(const struct op_row *row);
struct op_copies op_profile_copies(const struct op_profile *p);

/* Add a row to a profile of one run that is made by hand (initialization), zeros at first; the texts are borrowed. ST_NOMEM. */
enum status op_profile_add(struct op_profile *p, const char *type, const char *name, double us, struct err *err);

/* Return the time per run of all rows that work_row puts together with row i, in microseconds; i is the first of them. */
double op_profile_work_us(const struct op_profile *p, size_t i);

/* Return the least share of that time, in percent, that the work of these rows takes on its device (op_work_least_us); NAN if it is
 * unknown, and in rows of another backend than `peak_of`. */
double op_profile_limit_percent(const struct op_profile *p, size_t i);

/* Return the same for all rows of `peak_of`, rows of unknown work too: how near the delegate is to its device's limits. NAN without
 * any. */
double op_profile_delegate_percent(const struct op_profile *p);

enum op_order { OP_ORDER_RUN, OP_ORDER_TIME };

/* One line of a table: a row, or all rows of one type. */
struct op_line {
    const char *type;
    const struct op_row *row;  /* NULL for a type */
    uint32_t n_rows;           /* 1 for a row */
    double avg_us;             /* per run */
    double percent;            /* of the time of all rows */
    double cumulative_percent; /* of this line and the lines before it */
};

/* List every row as a line, in the order of execution or the longest first; *out has p->n_rows lines in `a`. Fails only with
 * ST_NOMEM. */
enum status op_profile_rows(const struct op_profile *p, enum op_order order, struct arena *a, struct op_line **out,
                            struct err *err);

/* List the rows of each type added up, the longest first. */
enum status op_profile_types(const struct op_profile *p, struct arena *a, struct op_line **out, size_t *n, struct err *err);

#endif
