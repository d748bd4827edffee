/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - the cost of running a model in part on a delegate, and the nodes that are expensive there: estimated from a coverage,
 * without running anything.
 *
 * Times are estimates unless measured times are given, and the result tells which: struct cost_terms has the assumptions about a
 * machine. All times are of one inference, in microseconds. */
#pragma once

#include "lib/coverage/coverage.h"

/* Default assumptions about a machine: round figures for a recent telephone, chosen and not measured: one big core, and a GPU that
 * shares its memory. */
#define COST_SYNC_US        200.0 /* handing one partition over and waiting for it, microseconds */
#define COST_CROSS_GBYTES   2.0   /* transfers into and out of partitions, 1e9 bytes per second */
#define COST_CPU_GFLOPS     20.0  /* 1e9 operations per second, two for each multiply-accumulate */
#define COST_CPU_GBYTES     5.0   /* memory traffic of a CPU kernel, 1e9 bytes per second */
#define COST_MANY_CROSSINGS 4     /* number of partitions from which on there is advice about them */

struct cost_terms {
    double sync_us, cross_gbytes, cpu_gflops, cpu_gbytes;
    bool measured; /* sync_us and cross_gbytes were measured on a device */
};

/* Measured times of nodes, by index in the file; NAN for nodes that were not measured. */
struct cost_times {
    double *cpu_us, *device_us; /* [n_nodes] time on the CPU, time on a delegate */
    uint32_t n_nodes;
    double cross_us;      /* time of all transfers; NAN: none was timed */
    double cross_bytes;   /* bytes of these transfers */
    uint32_t n_transfers; /* number of these transfers */
};

/* A sum over all nodes that are not folded, and over the covered ones among them. */
struct cost_share {
    double all, covered;
    uint32_t unknown; /* nodes in neither sum, because their value is not known */
};

/* Cost of one partition. */
struct cost_part {
    double cpu_us;   /* time of its nodes on the CPU: the most that it can save */
    double cross_us; /* handing it over, with its transfers */
};

enum advice_code {
    ADVICE_MOVES_DATA,           /* operators that compute nothing: cheap on a CPU, a pass over memory on a GPU */
    ADVICE_CHANNEL_LANES,        /* channel counts that are no multiple of 4 */
    ADVICE_THREE_CHANNEL_INPUT,  /* an image of 3 channels, stored as 4 */
    ADVICE_TINY_MODEL,           /* the whole model takes less time on the CPU than handing it over */
    ADVICE_PARTITION_COSTS_MORE, /* the same for one partition of a model that runs in part */
    ADVICE_MANY_PARTITIONS,      /* many partitions, each of them handed over and waited for */
    ADVICE_COUNT
};

/* Return the name without prefix: "CHANNEL_LANES". */
const char *advice_name(enum advice_code code);

struct advice {
    enum advice_code code;
    const uint32_t *nodes; /* [n_nodes] indices in the file of the nodes concerned; none: the whole model */
    uint32_t n_nodes;
    const char *text; /* one sentence with the numbers */
};

/* COST_PAYS: the covered nodes take more time on the CPU than handing them over and their measured time on the device. If the
 * device was not measured its time counts as 0. */
enum cost_verdict { COST_NOTHING_DELEGATED, COST_PAYS, COST_LOSES };

/* Texts and lists lie in the arena given to cost_of. */
struct cost {
    struct cost_share nodes, macs, bytes;
    struct cost_share us;             /* measured times, on the CPU or else on the device; all 0 without measured times */
    uint32_t tensors_in, tensors_out; /* transfers into and out of partitions */
    uint32_t boundaries;              /* entries and exits of partitions with a tensor that a node outside makes or reads */
    uint32_t inner_tensors;           /* tensors that cross between nodes, not model inputs or outputs; each crossing counts */
    uint64_t inner_bytes;             /* bytes of inner_tensors */
    struct cost_part *parts;          /* [n_parts] as the coverage's partitions */
    uint32_t n_parts;
    double cpu_us, cross_us; /* sums over all partitions */
    double device_us;        /* measured time of their nodes on the device; 0 without any */
    bool cpu_measured;       /* all of cpu_us was measured */
    enum cost_verdict verdict;
    struct advice *advice; /* [n_advice] */
    uint32_t n_advice;
};

/* Return the default assumptions. */
struct cost_terms cost_default_terms(void);

/* Replace the terms that the transfers of a profile measure, if there are any. Bytes and tensors are of one inference. */
void cost_terms_from_times(struct cost_terms *terms, const struct cost_times *times);

/* Measure sync_us and cross_gbytes on an opened device with buffers of two sizes, in some hundredths of a second. *terms stays
 * unchanged if the delegate has no buffers. Fails as its buffers do, and with ST_NOMEM. */
enum status cost_measure(struct delegate *d, struct cost_terms *terms, struct err *err);

/* Estimate the cost of a result of coverage_of_delegate. `times` may be NULL. Fails only with ST_NOMEM. */
enum status cost_of(const struct coverage *c, const struct cost_terms *terms, const struct cost_times *times, struct arena *a,
                    struct cost *out, struct err *err);
