/* SPDX-License-Identifier: Apache-2.0 */
/* cost.h - what it costs to have a model run in part elsewhere, and what of the model is dear there: from a coverage, without
 * running anything.
 *
 * Times are estimates unless somebody measured them, and say so: struct cost_terms has what is taken for granted of a machine, and
 * where each number comes from. All times are of one inference, in microseconds. */
#ifndef DELEGAUGE_COST_H
#define DELEGAUGE_COST_H

#include "lib/coverage/coverage.h"

/* What a machine is taken to do. The defaults are round figures for a telephone of these years, chosen and not measured: one big
 * core, and a GPU beside it that shares its memory. */
#define COST_SYNC_US        200.0 /* to hand one partition over and to wait for it */
#define COST_CROSS_GBYTES   2.0   /* 1e9 bytes a second, into a partition and out of it */
#define COST_CPU_GFLOPS     20.0  /* 1e9 operations a second, two for each multiply-accumulate */
#define COST_CPU_GBYTES     5.0   /* 1e9 bytes a second that a CPU kernel reads and writes */
#define COST_MANY_CROSSINGS 4     /* partitions: from here on there is advice about them */

struct cost_terms {
    double sync_us, cross_gbytes, cpu_gflops, cpu_gbytes;
    bool measured; /* sync_us and cross_gbytes are of a device */
};

/* Times that somebody measured of the model's nodes, by their index in the file; NAN where nobody did. */
struct cost_times {
    double *cpu_us, *device_us; /* [n_nodes] as the CPU ran them, and a delegate */
    uint32_t n_nodes;
    double cross_us;      /* what transfers took, all together; NAN: none was timed */
    double cross_bytes;   /* that they moved */
    uint32_t n_transfers; /* tensors */
};

/* A sum over all nodes that are to run, and over those that are covered. */
struct cost_share {
    double all, covered;
    uint32_t unknown; /* nodes that are in neither: nobody knows theirs */
};

/* One partition beside the CPU. */
struct cost_part {
    double cpu_us;   /* what its nodes take there: all that it can save */
    double cross_us; /* what handing it over costs */
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
    const uint32_t *nodes; /* [n_nodes] indices in the file, that it is about; none: the whole model */
    uint32_t n_nodes;
    const char *text; /* one sentence with the numbers */
};

/* COST_PAYS: what the covered nodes take on the CPU is more than it costs to hand them over and what was measured of them on the
 * device, so there is something to gain; where nothing was measured there, the device still takes its part of it. */
enum cost_verdict { COST_NOTHING_DELEGATED, COST_PAYS, COST_LOSES };

/* Texts and lists belong to the arena that was given. */
struct cost {
    struct cost_share nodes, macs, bytes;
    struct cost_share us; /* as they were measured; all 0 where nobody did */
    uint32_t tensors_in, tensors_out;
    uint32_t boundaries; /* sides of partitions, entry and exit, at which a node outside makes or reads what crosses */
    uint32_t inner_tensors;
    uint64_t inner_bytes;    /* of what crosses there: neither inputs nor outputs of the model, each crossing counted */
    struct cost_part *parts; /* [n_parts] of the coverage's */
    uint32_t n_parts;
    double cpu_us, cross_us; /* over all partitions */
    double device_us;        /* what of their nodes was measured on the device; 0 where nothing was */
    bool cpu_measured;       /* all of cpu_us is from cost_times */
    enum cost_verdict verdict;
    struct advice *advice; /* [n_advice] */
    uint32_t n_advice;
};

/* The defaults above. */
struct cost_terms cost_default_terms(void);

/* The terms that transfers of a profile show: *terms changes where there are some. Bytes and tensors of one inference. */
void cost_terms_from_times(struct cost_terms *terms, const struct cost_times *times);

/* Measures sync_us and cross_gbytes on an opened device, with buffers of two sizes; takes some hundredths of a second. Leaves
 * *terms alone where the delegate lends no buffers. Fails as its buffers do. */
enum status cost_measure(struct delegate *d, struct cost_terms *terms, struct err *err);

/* Of coverage_of_delegate. `times` may be NULL. Fails only with ST_NOMEM. */
enum status cost_of(const struct coverage *c, const struct cost_terms *terms, const struct cost_times *times, struct arena *a,
                    struct cost *out, struct err *err);

#endif
