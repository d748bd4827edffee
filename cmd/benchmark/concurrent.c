/* SPDX-License-Identifier: Apache-2.0 */
/* concurrent.c - flags, workers, and the order of runs: each model alone, pairs, all together, in rounds. */
#include "cmd/benchmark/concurrent.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/benchmark/sweep.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"
#include "lib/base/outcome.h"

/* SEED: any fixed number. ROUNDS: so that drift meets all alike. */
enum { SEED = 1, ROUNDS = 4 };

static const double look_secs = 2e-3; /* between two looks at the workers */

/* ---- flags ---- */

bool concurrent_wanted(const struct benchmark *b)
{
    return *b->measure.concurrent || b->measure.instances > 1;
}

enum status concurrent_check_unused(const struct benchmark *b, struct err *err)
{
    static const char *const needs[] = {"concurrent_set", "concurrent_by", "concurrent_context"};

    return concurrent_wanted(b)
               ? ST_OK
               : cli_refuse(&b->tool.cli, needs, sizeof needs / sizeof *needs, "without --concurrent or --instances", err);
}

/* Flags that would be dropped in silence. */
static enum status check_flags(const struct benchmark *b, struct err *err)
{
    static const char *const without[] = {"percentiles", "run_delay",    "warmup_max_secs",   "cycles",    "with_accuracy",
                                          "sweep",       "sweep_format", "perf_options_list", "max_growth"};

    const enum status st = cli_refuse(&b->tool.cli, without, sizeof without / sizeof *without,
                                      "for models that run together (--concurrent, --instances)", err);

    if (st)
        return st;
    if (*b->measure.concurrent_set && !*b->measure.concurrent)
        return err_set(err, ST_USAGE, "--concurrent_set is for the models of --concurrent, and there are none");
    if (generation_wanted(&b->generation))
        return err_set(err, ST_USAGE, "--prefill and --decode are for one model, not for models that run together");
    return benchmark_check_single(b, "models that run together", err);
}

static enum status check_context(const struct benchmark *b, struct err *err)
{
    const bool shared = b->measure.concurrent_context == SHARED_CONTEXT;

    if (cli_find(&b->tool.cli, "concurrent_context")->given && !delegates_wanted(&b->tool.delegates))
        return err_set(err, ST_USAGE, "--concurrent_context is about delegates, and none is asked for: --use_gpu");
    if (shared && b->measure.concurrent_by == BY_PROCESSES)
        return err_set(err, ST_USAGE, "--concurrent_context=shared is for threads: a GL context belongs to one process");
    if (shared && *b->measure.concurrent_set)
        return err_set(err, ST_USAGE,
                       "--concurrent_set would change nothing for delegates that all share "
                       "(--concurrent_context=shared)");
    if (!(b->flags.num_runs > 0) && !(b->flags.min_secs > 0))
        return err_set(err, ST_USAGE, "no run is asked for: --num_runs or --min_secs above 0");
    return ST_OK;
}

static enum status list_others(struct concurrent *c, struct err *err)
{
    const char *text = c->asked->measure.concurrent;
    const char *models[WORKERS_MAX];
    char *copy = ARENA_ARRAY(&c->others.arena, strlen(text) + 1, char);
    uint32_t n = 0;

    if (!copy)
        return err_set(err, ST_NOMEM, "out of memory for the names of models");
    strcpy(copy, text);
    for (char *at = copy, *comma; at && *text; at = comma ? comma + 1 : NULL) {
        if ((comma = strchr(at, ',')))
            *comma = '\0';
        if (!*at)
            return err_set(err, ST_USAGE, "--concurrent=%.100s: a name is empty", text);
        if (n == WORKERS_MAX)
            return err_set(err, ST_USAGE, "--concurrent: more than %d models", WORKERS_MAX);
        models[n++] = at;
    }
    return n ? sweep_combine("concurrent_set", c->asked->measure.concurrent_set, models, n, &c->others, err) : ST_OK;
}

/* "b.tflite use_gpu=0" */
static const char *label_of(struct concurrent *c, const char *path, const struct sweep_case *settings)
{
    const char *slash = strrchr(path, '/');
    char label[512];
    size_t n = (size_t)snprintf(label, sizeof label, "%s", slash && slash[1] ? slash + 1 : path);
    char *copy;

    for (uint32_t i = 0; i < settings->n_settings && n < sizeof label; i++)
        n += (size_t)snprintf(label + n, sizeof label - n, " %s=%s", settings->settings[i].name, settings->settings[i].value);
    n = strlen(label) + 1;
    return (copy = ARENA_ARRAY(&c->others.arena, n, char)) ? memcpy(copy, label, n) : path;
}

/* The first model, then the others; all instances of one stand side by side. */
static enum status list_workers(struct concurrent *c, struct err *err)
{
    static const struct sweep_case as_given;
    const uint32_t instances = (uint32_t)c->asked->measure.instances;
    enum status st = list_others(c, err);

    if (st)
        return st;
    if (!*c->asked->flags.graph)
        return err_set(err, ST_USAGE, "--graph=FILE is needed: the .tflite model");
    c->n_models = 1 + c->others.n;
    if (c->n_models * instances > WORKERS_MAX)
        return err_set(err, ST_USAGE, "%u models with %u instances each: at most %d run together", c->n_models, instances,
                       WORKERS_MAX);
    for (uint32_t m = 0; m < c->n_models; m++) {
        c->labels[m] = label_of(c, m ? c->others.list[m - 1].graph : c->asked->flags.graph, m ? &c->others.list[m - 1] : &as_given);
        for (uint32_t i = 0; i < instances; i++)
            c->model_of[c->n_workers++] = m;
    }
    return ST_OK;
}

static enum status check_delegates(const struct concurrent *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_workers; i++)
        if (delegates_wanted(&c->benches[i]->tool.delegates))
            return ST_OK;
    for (uint32_t i = 0; i < c->n_workers && !st; i++)
        st = benchmark_check_delegates(c->benches[i], err);
    return st;
}

/* TOOL_GO_ON, or the exit status, its message printed. */
static int parse(struct concurrent *c)
{
    static const struct sweep_case first;
    const char *paths[WORKERS_MAX];
    struct err err;
    enum status st;

    if ((st = check_flags(c->asked, &err)) || (st = check_context(c->asked, &err)) ||
        (st = tool_take_operand(&c->asked->tool, "graph", &c->asked->flags.graph, &err)) || (st = list_workers(c, &err)))
        return say_error(st, &err);
    for (uint32_t i = 0; i < c->n_workers; i++) {
        const uint32_t m = c->model_of[i];
        const int code = sweep_parse_case(c->asked, m ? &c->others.list[m - 1] : &first, &c->others.arena, check_flags,
                                          &c->benches[i]);

        if (code != TOOL_GO_ON)
            return code;
        c->benches[i]->tool.among_others = c->n_models > 1 && !c->processes;
        c->benches[i]->tool.several_models = *c->asked->tool.weights;
        paths[i] = c->benches[i]->flags.graph;
    }
    return (st = check_delegates(c, &err)) || (st = tool_check_weights(&c->asked->tool, paths, c->n_workers, &err))
               ? say_error(st, &err)
               : TOOL_GO_ON;
}

/* ---- workers ---- */

static enum status share_memory(struct concurrent *c, struct err *err)
{
    const size_t spans = WORKER_SPANS_MAX * sizeof(struct run_span);
    struct workers_shared *s;
    int failed = 0;

    c->shared_bytes = sizeof *s + c->n_workers * spans;
    s = mmap(NULL, c->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return err_set(err, ST_NOMEM, "out of memory: %zu bytes for the runs of workers", c->shared_bytes);
    c->shared = s;
    s->share_context = c->asked->measure.concurrent_context == SHARED_CONTEXT;
    for (uint32_t i = 0; i < WORKERS_MAX; i++)
        failed |= sem_init(&s->turns[i], c->processes, i == 0);
    for (uint32_t i = 0; i < c->n_workers; i++) {
        failed |= sem_init(&s->workers[i].go, c->processes, 0) | sem_init(&s->workers[i].done, c->processes, 0);
        s->workers[i].spans = (struct run_span *)((char *)(s + 1) + i * spans);
    }
    return failed ? err_set(err, ST_FAILED, "sem_init: %s", strerror(errno)) : ST_OK;
}

static enum status start_process(struct concurrent *c, uint32_t i, struct err *err)
{
    c->selves[i].parent = getpid();
    fflush(NULL);
    if ((c->pids[i] = fork()) < 0)
        return err_set(err, ST_FAILED, "fork: %s", strerror(errno));
    if (!c->pids[i]) {
        interrupt_follow(c->selves[i].parent);
        worker_main(&c->selves[i]);
        _exit(0);
    }
    return ST_OK;
}

static enum status start(struct concurrent *c, uint32_t i, struct err *err)
{
    enum status st = ST_OK;
    int failed;

    c->selves[i] = (struct worker_self){.w = &c->shared->workers[i],
                                        .shared = c->shared,
                                        .b = c->benches[i],
                                        .owner = i && c->shared->share_context ? c->benches[0] : NULL};
    if (c->processes)
        st = start_process(c, i, err);
    else if ((failed = pthread_create(&c->threads[i], NULL, worker_main, &c->selves[i])))
        st = err_set(err, ST_FAILED, "no thread could be started: %s", strerror(failed));
    c->n_started += !st;
    return st;
}

static void give(struct concurrent *c, uint32_t i, enum worker_task task)
{
    struct worker *w = &c->shared->workers[i];

    w->task = task;
    atomic_store(&w->n_runs, 0);
    atomic_store(&w->failed, false);
    sem_post(&w->go);
}

/* Fails if worker i is a process that has ended. */
static enum status check_alive(struct concurrent *c, uint32_t i, struct err *err)
{
    int how;

    if (!c->processes || (c->pids[i] && waitpid(c->pids[i], &how, WNOHANG) != c->pids[i]))
        return ST_OK;
    if (!c->pids[i])
        return err_set(err, ST_FAILED, "worker %u, %s: its process has ended", i + 1, c->labels[c->model_of[i]]);
    c->pids[i] = 0;
    return WIFSIGNALED(how) ? err_set(err, ST_FAILED, "worker %u, %s: its process was ended by signal %d", i + 1,
                                      c->labels[c->model_of[i]], WTERMSIG(how))
                            : err_set(err, ST_FAILED, "worker %u, %s: its process ended with status %d", i + 1,
                                      c->labels[c->model_of[i]], WEXITSTATUS(how));
}

static enum status wait_done(struct concurrent *c, uint32_t i, struct err *err)
{
    struct worker *w = &c->shared->workers[i];
    enum status st;

    while (sem_trywait(&w->done)) {
        if ((st = check_alive(c, i, err)))
            return st;
        if (c->processes && interrupted())
            interrupt_pass_on(c->pids[i]);
        clock_sleep(look_secs);
    }
    if (!w->status)
        return ST_OK;
    *err = w->err;
    return err_prefix(err, w->status, "worker %u", i + 1);
}

/* The first of the delegates' owner closes last. */
static void end_workers(struct concurrent *c)
{
    struct err err;

    for (uint32_t i = c->n_started; i-- > 0;) {
        if (c->processes && !c->pids[i])
            continue;
        give(c, i, WORKER_CLOSES);
        wait_done(c, i, &err);
        if (!c->processes)
            pthread_join(c->threads[i], NULL);
        else if (c->pids[i])
            waitpid(c->pids[i], NULL, 0);
    }
}

static enum status open_workers(struct concurrent *c, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_workers && !st; i++) /* processes begin before anything is open */
        st = start(c, i, err);
    for (uint32_t i = 0; i < c->n_workers && !st; i++) {
        say_info("Worker %u of %u: %s", i + 1, c->n_workers, c->labels[c->model_of[i]]);
        fflush(stdout);
        give(c, i, WORKER_OPENS);
        st = wait_done(c, i, err);
    }
    return st;
}

/* ---- runs ---- */

static bool have_enough(const struct concurrent *c, const struct mix *m, const struct loop_limits *l, double secs)
{
    const size_t uncounted = m->n > 1 ? 2 : 0; /* the first and the last run of a worker are not all within company */
    bool met = secs >= l->min_secs;

    for (uint32_t i = 0; i < m->n; i++)
        met &= atomic_load(&c->shared->workers[m->members[i]].n_runs) >= (size_t)l->min_runs + uncounted;
    return met;
}

/* True if a worker has failed or is gone, or Ctrl-C was pressed. */
static bool must_end(struct concurrent *c, const struct mix *m, enum status *st, struct err *err)
{
    for (uint32_t i = 0; i < m->n && !*st; i++) {
        const struct worker *w = &c->shared->workers[m->members[i]];

        if (atomic_load(&w->failed))
            return true;
        *st = check_alive(c, m->members[i], err);
    }
    return *st || interrupted();
}

static enum status run_together(struct concurrent *c, struct mix *m, const struct loop_limits *l, struct err *err)
{
    const uint64_t start_ns = clock_ns();
    enum status st = ST_OK, failed = ST_OK;
    struct err other;
    double secs = 0;

    atomic_store(&c->shared->stop, false);
    c->shared->n_running = m->n;
    for (uint32_t i = 0; i < m->n; i++)
        give(c, m->members[i], WORKER_RUNS);
    while (!must_end(c, m, &st, err) && !have_enough(c, m, l, secs)) {
        if (secs > l->max_secs)
            break;
        clock_sleep(look_secs);
        secs = (double)(clock_ns() - start_ns) / 1e9;
    }
    atomic_store(&c->shared->stop, true);
    for (uint32_t i = 0; i < m->n; i++)
        if ((failed = wait_done(c, m->members[i], &other)) && !st) {
            st = failed;
            *err = other;
        }
    m->secs += (double)(clock_ns() - start_ns) / 1e9;
    return st;
}

static enum status run_mix(struct concurrent *c, struct mix *m, const struct loop_limits *l, struct err *err)
{
    struct worker_runs runs[WORKERS_MAX];
    enum status st = run_together(c, m, l, err);

    for (uint32_t i = 0; i < m->n; i++) {
        struct worker *w = &c->shared->workers[m->members[i]];

        runs[i] = (struct worker_runs){w->spans, w->n_spans, w->stride};
    }
    return st ? st : concurrency_add(runs, m->n, m->counted, err);
}

/* Every worker alone: its first run gives the outputs that all others are compared with, the second tells whether they repeat.
 * *us: the mean time of a run of each. */
static enum status warm_up(struct concurrent *c, double us[WORKERS_MAX], struct err *err)
{
    struct loop_limits l = benchmark_warmup_limits(c->asked);
    enum status st = ST_OK;

    l.min_runs = l.min_runs < 2 ? 2 : l.min_runs;
    for (uint32_t i = 0; i < c->n_workers && !st && !interrupted(); i++) {
        struct mix alone = {.members = {i}, .n = 1};
        struct stats s = {0};

        st = run_mix(c, &alone, &l, err);
        st = st ? st : stats_of(alone.counted[0].samples.us, alone.counted[0].samples.n, &s, err);
        us[i] = s.median;
        samples_free(&alone.counted[0].samples);
    }
    return st;
}

static void add_mix(struct concurrent *c, const uint32_t *members, uint32_t n)
{
    struct mix *m = &c->mixes[c->n_mixes++];

    memcpy(m->members, members, n * sizeof *members);
    m->n = n;
}

/* Instances of a model are alike, so that one of them, or two, stand for all in smaller combinations. */
static void list_mixes(struct concurrent *c)
{
    const uint32_t instances = (uint32_t)c->asked->measure.instances;
    uint32_t all[WORKERS_MAX];

    for (uint32_t m = 0; m < c->n_models; m++)
        add_mix(c, (const uint32_t[]){m * instances}, 1);
    for (uint32_t a = 0; a < c->n_models && c->n_workers > 2; a++)
        for (uint32_t b = a; b < c->n_models; b++)
            if (a != b || instances > 1)
                add_mix(c, (const uint32_t[]){a * instances, b * instances + (a == b)}, 2);
    for (uint32_t i = 0; i < c->n_workers; i++)
        all[i] = i;
    add_mix(c, all, c->n_workers);
}

static void say_plan(const struct concurrent *c, const struct loop_limits *l, const double us[WORKERS_MAX])
{
    double secs = 0;

    for (uint32_t k = 0; k < c->n_mixes; k++) {
        const struct mix *m = &c->mixes[k];
        double slowest = 0;

        for (uint32_t i = 0; i < m->n; i++)
            slowest = fmax(slowest, us[m->members[i]] / 1e6 * m->n);
        secs += fmin(fmax(l->min_secs, slowest * l->min_runs), l->max_secs);
    }
    say_info("Running %u combinations of %u workers in %d rounds, each for at least %d iterations and at least %g seconds but "
             "terminate if exceeding %g seconds: about %.0f s in all.",
             c->n_mixes, c->n_workers, ROUNDS, l->min_runs, l->min_secs, l->max_secs, ceil(secs));
}

/* Of a list that was thinned out few samples may be left where others ran, though many runs lie between them. */
static bool lacks_runs(const struct mix *m, double min_runs)
{
    const double min_samples = fmin(min_runs, WORKER_SPANS_MAX / 2.0);
    bool lacks = false;

    for (uint32_t i = 0; i < m->n; i++)
        lacks |= m->counted[i].runs < min_runs || (double)m->counted[i].samples.n < min_samples;
    return lacks;
}

/* One combination's part of a round. Runs of a worker that waits for a processor may not overlap with those of the others: then all
 * run again, longer. */
static enum status take_part(struct concurrent *c, struct mix *m, struct loop_limits part, struct err *err)
{
    const double min_runs = (double)part.min_runs * (c->rounds + 1), max_secs = part.max_secs * (c->rounds + 1);
    enum status st = run_mix(c, m, &part, err);

    for (part.min_secs = 0.01; !st && !interrupted() && lacks_runs(m, min_runs) && m->secs < max_secs; part.min_secs *= 2)
        st = run_mix(c, m, &part, err);
    m->short_of_runs |= lacks_runs(m, min_runs);
    return st;
}

/* Forth and back, so that no combination is always the first. */
static enum status take_rounds(struct concurrent *c, const struct loop_limits *l, struct err *err)
{
    const struct loop_limits part = {
        .min_runs = (l->min_runs + ROUNDS - 1) / ROUNDS, .min_secs = l->min_secs / ROUNDS, .max_secs = l->max_secs / ROUNDS};
    struct progress progress = {.what = "runs together", .unit = "combinations", .min_runs = (int32_t)c->n_mixes * ROUNDS};
    const uint64_t start_ns = clock_ns();
    size_t done = 0;
    enum status st = ST_OK;

    for (; c->rounds < ROUNDS && !st && !interrupted(); c->rounds += !interrupted())
        for (uint32_t k = 0; k < c->n_mixes && !st && !interrupted(); k++) {
            st = take_part(c, &c->mixes[c->rounds % 2 ? c->n_mixes - 1 - k : k], part, err);
            progress_show(&progress, ++done, (double)(clock_ns() - start_ns) / 1e9);
        }
    progress_end(&progress);
    return st;
}

/* ---- figures ---- */

static enum status figures(struct concurrent *c, struct err *err)
{
    const struct mix *all = &c->mixes[c->n_mixes - 1];
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_workers && !st; i++) {
        const struct counted_runs *one = &c->mixes[c->model_of[i]].counted[0], *many = &all->counted[i];
        const struct samples *alone = &one->samples, *together = &many->samples;
        struct worker_figures *f = &c->figures[i];

        if ((st = stats_of(alone->us, alone->n, &f->alone, err)) || (st = stats_of(together->us, together->n, &f->together, err)))
            return st;
        st = median_ratio(alone->us, alone->n, together->us, together->n, SEED, &f->slow_down, err);
        c->relative[i] = concurrency_rate(one) > 0 ? concurrency_rate(many) / concurrency_rate(one) : NAN;
        c->total += c->relative[i];
    }
    c->fairness = jain_index(c->relative, c->n_workers);
    return st;
}

/* ---- all of it ---- */

static enum status measure(struct concurrent *c, struct err *err)
{
    const struct loop_limits l = benchmark_timed_limits(c->asked);
    double us[WORKERS_MAX] = {0};
    enum status st;

    interrupt_catch();
    if ((st = share_memory(c, err)) || (st = open_workers(c, err)))
        return st;
    list_mixes(c);
    if ((st = warm_up(c, us, err)))
        return st;
    say_plan(c, &l, us);
    c->machine_start = machine_now(c->asked->measure.machine_root);
    st = take_rounds(c, &l, err);
    c->machine_end = machine_now(c->asked->measure.machine_root);
    return st ? st : figures(c, err);
}

static int run(struct concurrent *c)
{
    struct err err;
    enum status st;
    const int code = parse(c);

    if (code != TOOL_GO_ON)
        return code;
    say_info("STARTING!");
    tool_echo(&c->asked->tool);
    st = measure(c, &err);
    end_workers(c);
    if (st || (st = concurrent_report(c, &err)))
        return say_error(st, &err);
    return outcome_exit_code(outcome_of(concurrent_passed(c), interrupted()));
}

static int free_all(struct concurrent *c, int code)
{
    for (uint32_t k = 0; k < c->n_mixes; k++)
        for (uint32_t i = 0; i < c->mixes[k].n; i++)
            samples_free(&c->mixes[k].counted[i].samples);
    for (uint32_t i = 0; i < c->n_workers; i++) {
        if (c->benches[i])
            code = benchmark_close(c->benches[i], code);
        free(c->benches[i]);
    }
    if (c->shared)
        munmap(c->shared, c->shared_bytes);
    arena_free(&c->others.arena);
    free(c);
    return code;
}

int concurrent_main(struct benchmark *b)
{
    struct concurrent *c = calloc(1, sizeof *c);
    struct err err;

    if (!c)
        return say_error(err_set(&err, ST_NOMEM, "out of memory for workers"), &err);
    c->asked = b;
    c->processes = b->measure.concurrent_by == BY_PROCESSES;
    return free_all(c, run(c));
}
