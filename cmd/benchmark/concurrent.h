/* SPDX-License-Identifier: Apache-2.0 */
/* concurrent.h - several models, or several instances of one, that run at the same time: each one's latency alone and together,
 * the slow-down that one causes in another, and whether the results stay equal in every bit.
 *
 * Each worker runs one session, in a thread or in a process of its own, one run behind the other. What is in struct worker lies in
 * memory that processes share; a worker touches it between the begin and the end of a task. */
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/types.h>

#include "cmd/benchmark/benchmark.h"
#include "cmd/benchmark/sweep_spec.h"
#include "lib/measure/concurrency.h"

enum {
    WORKERS_MAX = 8,
    WORKER_SPANS_MAX = 1 << 11,                                       /* of one task */
    MIXES_MAX = WORKERS_MAX + WORKERS_MAX * (WORKERS_MAX + 1) / 2 + 1 /* each model alone, each pair, all */
};

enum worker_task { WORKER_OPENS, WORKER_RUNS, WORKER_CLOSES };

struct worker {
    sem_t go, done; /* a task begins; it has ended */
    enum worker_task task;
    enum status status; /* of the task */
    struct err err;
    atomic_bool failed;     /* status, while the task goes on */
    atomic_size_t n_runs;   /* of the task so far */
    struct run_span *spans; /* [n_spans] the task's runs; of more than WORKER_SPANS_MAX every second, fourth, … */
    size_t n_spans, stride;
    uint64_t compared;    /* runs whose outputs were compared with the outputs of the first run, which was alone */
    char difference[320]; /* the place of the first that was not equal; "": none */

    /* Figures of the session for the report; only its worker has the session. */
    char device[160], label[32]; /* "": the CPU */
    uint32_t n_delegated, n_cpu;
    double init_us;
};

/* Memory of all workers. */
struct workers_shared {
    atomic_bool stop;         /* runs end */
    uint32_t n_running;       /* workers that run together */
    bool share_context;       /* all use the delegates of the first, in turns */
    atomic_uint ticket;       /* of the next run that wants the shared delegates */
    sem_t turns[WORKERS_MAX]; /* turn t waits for turns[t % WORKERS_MAX], so that all are served in the order of their coming */
    struct worker workers[WORKERS_MAX];
};

/* A worker as its own thread or process sees it. */
struct worker_self {
    struct worker *w;
    struct workers_shared *shared;
    struct benchmark *b;     /* its flags, delegates and session */
    struct benchmark *owner; /* benchmark whose delegates it shares; NULL: it has its own */
    pid_t parent;            /* 0: it is a thread */
    unsigned char **first;   /* [n_outputs] outputs of its first run, and their sizes; malloc */
    size_t *first_bytes;
};

/* Do the tasks of a worker until it closes: the main function of its thread or process. */
void *worker_main(void *self);

/* Models that run together. */
struct mix {
    uint32_t members[WORKERS_MAX], n;         /* workers */
    struct counted_runs counted[WORKERS_MAX]; /* [n] runs during which all others ran */
    double secs;
    bool short_of_runs; /* max_secs ended it before all had their runs */
};

/* One worker's figures. */
struct worker_figures {
    struct stats alone, together;
    struct median_ratio slow_down; /* together over alone */
};

struct concurrent {
    struct benchmark *asked;
    struct sweep_cases others;
    uint32_t n_models, n_workers, n_mixes;
    uint32_t model_of[WORKERS_MAX];         /* [n_workers] */
    struct benchmark *benches[WORKERS_MAX]; /* [n_workers] */
    const char *labels[WORKERS_MAX];        /* [n_models] */
    struct workers_shared *shared;
    size_t shared_bytes;
    struct worker_self selves[WORKERS_MAX];
    pthread_t threads[WORKERS_MAX];
    pid_t pids[WORKERS_MAX];
    uint32_t n_started;
    bool processes;
    struct mix mixes[MIXES_MAX]; /* [n_mixes]: each model alone, in order; pairs; the last: all */
    struct worker_figures figures[WORKERS_MAX];
    struct machine_state machine_start, machine_end;
    double relative[WORKERS_MAX]; /* runs a second together over runs a second alone */
    double fairness, total;       /* Jain's index of relative[]; their sum */
    int32_t rounds;
};

/* Tell if the command line asks for it: --concurrent, or several --instances. */
bool concurrent_wanted(const struct benchmark *b);

/* Check that no flag is given that only concurrent runs heed. */
enum status concurrent_check_unused(const struct benchmark *b, struct err *err);

/* Measure, with all output. Returns the exit status: 1 if outputs differ. */
int concurrent_main(struct benchmark *b);

/* Print the result, and write reports: "benchmark_concurrent" in schema/json/report.schema.json. */
enum status concurrent_report(const struct concurrent *c, struct err *err);

/* True if the outputs of all runs were equal to the outputs of the first. */
bool concurrent_passed(const struct concurrent *c);
