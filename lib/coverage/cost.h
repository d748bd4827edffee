/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - the cost of running a model in part elsewhere, and the expensive nodes of the model there: from a coverage, without
 * running anything.
 *
 * Times are estimates unless somebody measured them, and say so: struct cost_terms has the assumptions about a machine, and the
 * origin of each number. All times are of one inference, in microseconds. */
#ifndef DELEGAUGE_COST_H
#define DELEGAUGE_COST_H

#include "lib/coverage/coverage.h"

/* Assumptions about a machine. The defaults are round figures for a telephone of these years, chosen and not measured: one big
 * core, and a GPU beside it that shares its memory. */
#define COST_SYNC_US        200.0 /* to hand one partition over and to wait for it */
#define COST_CROSS_GBYTES   2.0   /* 1e9 bytes a second, into a partition and out of it */
#define COST_CPU_GFLOPS     20.0  /* 1e9 operations a second, two for each multiply-accumulate */
#define COST_CPU_GBYTES     5.0   /* 1e9 bytes a second that a CPU kernel reads and writes */
#define COST_MANY_CROSSINGS 4     /* partitions: from this number on there is advice about them */

struct cost_terms {
    double sync_us, cross_gbytes, cpu_gflops, cpu_gbytes;
    bool measured; /* sync_us and cross_gbytes are of a device */
};

/* Measured times of the model's nodes, by their index in the file; NAN for nodes that were not measured. */
struct cost_times {
    double *cpu_us, *device_us; /* [n_nodes] as the CPU ran them, and a delegate */
    uint32_t n_nodes;
    double cross_us;      /* time of all transfers together; NAN: none was timed */
    double cross_bytes;   /* bytes that they moved */
    uint32_t n_transfers; /* tensors */
};

/* A sum over all nodes that are to run, and over the covered ones. */
struct cost_share {
    double all, covered;
    uint32_t unknown; /* nodes that are in neither sum, as their figure is not known */
};

/* One partition beside the CPU. */
struct cost_part {
    double cpu_us;   /* time of its nodes there: all that it can save */
    double cross_us; /* cost of handing it over */
};

enum advice_code {
    ADVICE_MOVES_DATA,           /* operators that compute nothing, cheap on a CPU and a pass over memory on a GPU */
    ADVICE_CHANNEL_LANES,        /* channels that are no multiple of 4 */
    ADVICE_THREE_CHANNEL_INPUT,  /* an image of 3 channels, stored as 4 */
    ADVICE_TINY_MODEL,           /* the whole model takes less on the CPU than handing it over */
    ADVICE_PARTITION_COSTS_MORE, /* so does one partition of a model that runs in part */
    ADVICE_MANY_PARTITIONS,      /* each is handed over and waited for */
    ADVICE_COUNT
};

/* "CHANNEL_LANES" */
const char *advice_name(enum advice_code code);

struct advice {
    enum advice_code code;
    const uint32_t *nodes; /* [n_nodes] indices in the file of the nodes that it is about; none: the whole model */
    uint32_t n_nodes;
    const char *text; /* one sentence with the numbers */
};

/* COST_PAYS: the time of the covered nodes on the CPU is more than handing them over costs and their measured time on the device,
 * so there is something to gain; if nothing was measured there, the device still takes its part of it. */
enum cost_verdict { COST_NOTHING_DELEGATED, COST_PAYS, COST_LOSES };

/* Texts and lists belong to the arena that was given. */
struct cost {
    struct cost_share nodes, macs, bytes;
    struct cost_share us; /* as they were measured; all 0 if nobody measured them */
    uint32_t tensors_in, tensors_out;
    uint32_t boundaries; /* sides of partitions, entry and exit, at which a node outside makes or reads a crossing tensor */
    uint32_t inner_tensors;
    uint64_t inner_bytes;    /* of the tensors that cross there: neither inputs nor outputs of the model, each crossing counted */
    struct cost_part *parts; /* [n_parts] of the coverage's */
    uint32_t n_parts;
    double cpu_us, cross_us; /* over all partitions */
    double device_us;        /* measured time of their nodes on the device; 0 if nothing was measured */
    bool cpu_measured;       /* all of cpu_us is from cost_times */
    enum cost_verdict verdict;
    struct advice *advice; /* [n_advice] */
    uint32_t n_advice;
};

/* Return the defaults above. */
struct cost_terms cost_default_terms(void);

/* Set the terms that the transfers of a profile show: *terms changes if there are some. Bytes and tensors of one inference. */
void cost_terms_from_times(struct cost_terms *terms, const struct cost_times *times);

/* Measure sync_us and cross_gbytes on an opened device, with buffers of two sizes; takes some hundredths of a second. Leaves *terms
 * alone if the delegate lends no buffers. Fails as its buffers do. */
enum status cost_measure(struct delegate *d, struct cost_terms *terms, struct err *err);

/* Estimate the cost of an answer of coverage_of_delegate. `times` may be NULL. Fails only with ST_NOMEM. */
enum status cost_of(const struct coverage *c, const struct cost_terms *terms, const struct cost_times *times, struct arena *a,
                    struct cost *out, struct err *err);

#endif
