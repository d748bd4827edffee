/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c - each case is a benchmark of its own, parsed from the same command line with its settings behind; then all take turns.
 */
#include "cmd/benchmark/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "cmd/tool/models.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"
#include "lib/compare/session_diff.h"
#include "lib/measure/session_runs.h"

/* Any fixed number: the same samples give the same interval. */
enum { SEED = 1 };

/* ---- the cases ---- */

/* The command line as it is, and the case's settings behind it, where they win. */
static char **case_arguments(const struct benchmark *asked, const struct sweep_case *c, struct arena *a, int *argc)
{
    char **argv = ARENA_ARRAY(a, (size_t)asked->tool.argc + c->n_settings + 1, char *);

    *argc = asked->tool.argc;
    if (!argv)
        return NULL;
    memcpy(argv, asked->tool.argv, (size_t)*argc * sizeof *argv);
    for (uint32_t i = 0; i < c->n_settings; i++) {
        size_t size = strlen(c->settings[i].name) + strlen(c->settings[i].value) + 4;

        if (!(argv[*argc] = ARENA_ARRAY(a, size, char)))
            return NULL;
        snprintf(argv[(*argc)++], size, "--%s=%s", c->settings[i].name, c->settings[i].value);
    }
    return argv;
}

static enum status check_alone(const struct benchmark *b, struct err *err)
{
    enum status st = benchmark_check_single(b, "a sweep", err);

    if (!st && b->measure.cycles)
        st = err_set(err, ST_USAGE, "--cycles is for one model and one configuration, not for a sweep");
    if (!st && generation_wanted(&b->generation))
        st = err_set(err, ST_USAGE, "--prefill and --decode are for one model and one configuration, not for a sweep");
    if (!st && cli_find(&b->tool.cli, "percentiles")->given)
        st = err_set(err, ST_USAGE, "--percentiles: the table of a sweep has none, its JSON report the usual ones");
    return st;
}

int sweep_parse_case(const struct benchmark *asked, const struct sweep_case *c, struct arena *a, sweep_check check,
                     struct benchmark **out)
{
    struct benchmark *b = *out = calloc(1, sizeof *b);
    struct err err;
    enum status st;
    char **argv;
    int argc, code;

    if (!b || !(argv = case_arguments(asked, c, a, &argc)))
        return say_error(err_set(&err, ST_NOMEM, "out of memory for a case"), &err);
    benchmark_add_flags(b);
    if ((code = tool_begin(&b->tool, argc, argv)) != TOOL_GO_ON)
        return code;
    if (c->graph) {
        b->flags.graph = c->graph;
        b->tool.cli.n_operands = 0;
    }
    if ((st = check(b, &err)) || (st = benchmark_check_flags(b, &err)) ||
        (st = inputs_init(&b->inputs, &b->input_flags, RNG_UNIFORM, &err)))
        return say_error(st, &err);
    return TOOL_GO_ON;
}

/* Whether the case does something with the flag: one of a delegate that it does not have changes nothing. */
static bool heeds(const struct benchmark *b, const char *flag)
{
    const struct delegates *ds = &b->tool.delegates;
    const struct cli_row *row = cli_find(&b->tool.cli, flag);

    for (uint32_t i = 0; i < ds->n_choices; i++)
        if (row->options == ds->choices[i].options && !delegates_uses(&ds->choices[i]))
            return false;
    return row->options != &b->flags.partition || delegates_wanted(ds);
}

/* Settings of all cases stand in one order. */
static bool are_one(const struct sweep *s, uint32_t i, uint32_t k)
{
    const struct sweep_case *a = &s->cases.list[i], *b = &s->cases.list[k];

    if (a->n_settings != b->n_settings || strcmp(s->rows[i].b->flags.graph, s->rows[k].b->flags.graph) != 0)
        return false;
    for (uint32_t q = 0; q < a->n_settings; q++) {
        const char *flag = a->settings[q].name;

        if (strcmp(a->settings[q].value, b->settings[q].value) != 0 && (heeds(s->rows[i].b, flag) || heeds(s->rows[k].b, flag)))
            return false;
    }
    return true;
}

/* What would measure an earlier case again: it would show nothing but chance. */
static void drop_repeated(struct sweep *s)
{
    uint32_t kept = 0, all = s->cases.n;

    for (uint32_t i = 0; i < all; i++) {
        bool again = false;

        for (uint32_t k = 0; k < kept && !again; k++)
            again = are_one(s, i, k);
        if (again) {
            say_info("Left out, as without its delegate it is an earlier case: %s", s->cases.list[i].label);
            benchmark_close(s->rows[i].b, 0);
            free(s->rows[i].b);
        } else {
            s->rows[kept] = s->rows[i];
            s->cases.list[kept++] = s->cases.list[i];
        }
    }
    for (uint32_t i = kept; i < all; i++)
        s->rows[i].b = NULL;
    s->cases.n = kept;
}

static void open_case(struct sweep *s, uint32_t i)
{
    struct benchmark *b = s->rows[i].b;
    struct contender *turn = &s->turns[i];

    say_info("Case %u of %u: %s", i + 1, s->cases.n, s->cases.list[i].label);
    turn->run = session_runs_once;
    turn->outside_ns = session_runs_outside_ns;
    if (!(turn->failed = benchmark_open(b, &turn->err)) && b->tool.delegates.opened && b->tool.delegates.opened->submission.counted)
        turn->failed = err_set(&turn->err, ST_USAGE, "cases take turns, and each run is waited for: not with --gpu_wait_type=none");
    if (!turn->failed)
        turn->failed = benchmark_fill_inputs(b, &turn->err);
    turn->arg = b->session;
    turn->inferences = b->session ? session_inferences(b->session) : 1;
}

/* ---- the runs ---- */

static enum status take_turns(struct sweep *s, const char *what, const struct loop_limits *limits, struct err *err)
{
    struct progress progress = {.what = what,
                                .min_runs = limits->min_runs,
                                .min_secs = limits->min_secs * s->cases.n,
                                .max_secs = limits->max_secs * s->cases.n};
    struct loop_job watch = {.stop = interrupted, .progress = progress_show, .progress_arg = &progress};
    enum status st = interleave(s->turns, s->cases.n, &watch, limits, &s->result, err);

    progress_end(&progress);
    return st;
}

static enum status run_all(struct sweep *s, struct err *err)
{
    struct loop_limits warmup = benchmark_warmup_limits(s->asked), timed = benchmark_timed_limits(s->asked);
    char cases[SAY_COUNT_SIZE];
    enum status st;

    interrupt_catch();
    s->machine_start = machine_now(s->asked->measure.machine_root);
    if ((st = take_turns(s, "warm-up in turns", &warmup, err)))
        return st;
    for (uint32_t i = 0; i < s->cases.n; i++)
        s->turns[i].samples.n = 0;
    say_info("Running %s in turns, each for at least %d iterations and at least %g seconds but terminate if exceeding %g seconds.",
             say_count(s->cases.n, "case", cases), timed.min_runs, timed.min_secs, timed.max_secs);
    st = take_turns(s, "cases in turns", &timed, err);
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    s->machine_end = machine_now(s->asked->measure.machine_root);
    return st;
}

/* ---- the figures ---- */

static uint32_t baseline_of(const struct sweep *s, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (!s->turns[k].failed && !strcmp(s->rows[k].b->flags.graph, s->rows[i].b->flags.graph) &&
            !strcmp(s->rows[k].b->flags.signature, s->rows[i].b->flags.signature))
            return k;
    return i;
}

static enum status compare_row(struct sweep *s, uint32_t i, struct err *err)
{
    const struct samples *own = &s->turns[i].samples, *base;
    struct sweep_row *row = &s->rows[i];
    enum status st;

    row->baseline = baseline_of(s, i);
    base = &s->turns[row->baseline].samples;
    if ((st = stats_of(own->us, own->n, &row->stats, err)) ||
        (st = median_ratio(base->us, base->n, own->us, own->n, SEED, &row->ratio, err)))
        return st;
    return mann_whitney(own->us, own->n, base->us, base->n, &row->test, err);
}

static enum status largest_error(const struct benchmark *b, struct session *reference, double *max_abs, struct err *err)
{
    struct session_diff d;
    enum status st;

    session_reset_variables(b->session);
    if ((st = session_diff_init(&d, reference, b->session, 1, err)) || (st = session_diff_copy_inputs(&d, err)) ||
        (st = device_io_write(&b->io, err)) || (st = session_run(reference, err)) || (st = session_run(b->session, err)) ||
        (st = device_io_read(&b->io, err)))
        goto out;
    session_diff_add(&d);
    *max_abs = 0;
    for (uint32_t i = 0; i < d.n_outputs; i++) {
        const struct diff *one = d.outputs[i].is_quantized ? &d.outputs[i].real : &d.outputs[i].raw;

        *max_abs = fmax(*max_abs, one->unequal || one->shapes_differ ? INFINITY : one->max_abs);
    }
out:
    session_diff_free(&d);
    return st;
}

/* The reference kernels, on one thread or several, give the same bits. */
static enum status find_error(struct sweep *s, uint32_t i, struct err *err)
{
    const struct benchmark *b = s->rows[i].b;
    struct session *reference = NULL;
    enum status st = benchmark_new_session(b, CPU_REFERENCE, NULL, &reference, err);

    if (!st && !(st = inputs_fill(&b->inputs, reference, 0, err)))
        st = largest_error(b, reference, &s->rows[i].max_abs_error, err);
    session_free(reference);
    return st;
}

static enum status figures(struct sweep *s, struct err *err)
{
    for (uint32_t i = 0; i < s->cases.n; i++) {
        struct contender *turn = &s->turns[i];
        enum status st;

        s->rows[i].max_abs_error = NAN;
        if (!turn->failed && s->asked->measure.with_accuracy && !interrupted())
            turn->failed = find_error(s, i, &turn->err);
        if ((st = compare_row(s, i, err)))
            return st;
    }
    return ST_OK;
}

/* ---- all of it ---- */

bool sweep_wanted(const struct benchmark *b)
{
    const struct cli *c = &b->tool.cli;

    return *b->measure.sweep || signatures_are_all(b->flags.signature) || *b->measure.perf_options || b->measure.with_accuracy ||
           c->n_operands > 1 || models_is_folder(b->flags.graph) ||
           (c->n_operands + (*b->flags.graph != '\0') == 1 && models_are_several(c, b->flags.graph));
}

/* Put each signature of the model into the text of a sweep, as values of its flag before those of --sweep. */
static enum status sweep_signatures(struct benchmark *b, const char *path, struct arena *a, const char **spec, struct err *err)
{
    enum status st = tool_open_model(&b->tool, "graph", path, err);

    if (!st && !b->tool.model->n_signatures)
        st = err_set(err, ST_USAGE, "--signature_to_run_for=all: the model has no signatures");
    *spec = "signature_to_run_for:";
    for (uint32_t i = 0; !st && *spec && i < b->tool.model->n_signatures; i++) {
        const char *key = b->tool.model->signatures[i].key;

        if (key[strcspn(key, ",|;:")])
            st = err_set(err, ST_USAGE, "--signature_to_run_for=all: \"%.100s\" has a sign that separates values of a sweep", key);
        else
            *spec = arena_printf(a, "%s%s%s", *spec, i ? "," : "", key);
    }
    tool_close_model(&b->tool);
    if (!st && *spec)
        *spec = arena_printf(a, "%s%s%s", *spec, *b->measure.sweep ? ";" : "", b->measure.sweep);
    return st || *spec ? st : err_set(err, ST_NOMEM, "out of memory for the signatures of a model");
}

static enum status find_cases(struct sweep *s, struct err *err)
{
    struct benchmark *b = s->asked;
    const char **models, *spec = b->measure.sweep;
    uint32_t n;
    enum status st = models_find(&b->tool.cli, b->flags.graph, &s->cases.arena, &models, &n, err);

    if (st)
        return st;
    if (!n)
        return err_set(err, ST_USAGE, "--graph=FILE is needed: the .tflite model");
    if ((st = tool_check_weights(&b->tool, models, n, err)))
        return st;
    if (n == 1 && !*b->flags.graph)
        b->flags.graph = models[0];
    s->perf_options = *b->measure.perf_options != '\0';
    if (signatures_are_all(b->flags.signature) && (n > 1 || s->perf_options))
        return err_set(err, ST_USAGE, "--signature_to_run_for=all: for one model, and not beside --perf_options_list");
    if (signatures_are_all(b->flags.signature) && (st = sweep_signatures(b, models[0], &s->cases.arena, &spec, err)))
        return st;
    if (!s->perf_options)
        return sweep_combine("sweep", spec, models, n, &s->cases, err);
    if (*b->measure.sweep || n > 1)
        return err_set(err, ST_USAGE, "--perf_options_list: for one model, and not beside --sweep");
    if ((st = sweep_perf_options(b->measure.perf_options, &s->cases, err)))
        return st;
    say_info_known("The list of TFLite runtime options to be benchmarked: [%s]", b->measure.perf_options);
    return ST_OK;
}

/* A case that is named after its model need not be named twice. */
static void say_failure(const char *label, const char *msg)
{
    size_t n = strlen(label);

    if (!strncmp(msg, label, n) && msg[n] == ':')
        say_warn("%s", msg);
    else
        say_warn("%s: %s", label, msg);
}

/* After the table, why what is not in it is not; the exit status is the first one's. */
static int say_failures(const struct sweep *s)
{
    int code = 0;

    for (uint32_t i = 0; i < s->cases.n; i++) {
        if (!s->turns[i].failed)
            continue;
        say_failure(s->cases.list[i].label, s->turns[i].err.msg);
        code = code ? code : status_exit_code(s->turns[i].failed);
    }
    return code;
}

/* A delegate's flags are of no use where no case has it. */
static enum status check_delegates(const struct sweep *s, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < s->cases.n; i++)
        if (delegates_wanted(&s->rows[i].b->tool.delegates))
            return ST_OK;
    for (uint32_t i = 0; i < s->cases.n && !st; i++)
        st = benchmark_check_delegates(s->rows[i].b, err);
    return st;
}

/* A driver is told once for the process. */
static void tell_apart(struct sweep *s)
{
    const struct benchmark *first = s->rows[0].b;
    bool differ = false;

    for (uint32_t i = 1; i < s->cases.n; i++)
        differ |= strcmp(first->flags.graph, s->rows[i].b->flags.graph) != 0 ||
                  strcmp(first->input_flags.shapes, s->rows[i].b->input_flags.shapes) != 0;
    for (uint32_t i = 0; i < s->cases.n; i++)
        s->rows[i].b->tool.among_others = differ;
    for (uint32_t i = 0; i < s->cases.n; i++)
        s->rows[i].b->tool.several_models = *s->asked->tool.weights;
}

static int sweep_run(struct sweep *s)
{
    struct err err;
    enum status st;
    int code;

    if ((st = check_alone(s->asked, &err)) || (st = find_cases(s, &err)))
        return say_error(st, &err);
    for (uint32_t i = 0; i < s->cases.n; i++) {
        code = sweep_parse_case(s->asked, &s->cases.list[i], &s->cases.arena, check_alone, &s->rows[i].b);
        if (code != TOOL_GO_ON)
            return code;
    }
    if ((st = check_delegates(s, &err)))
        return say_error(st, &err);
    say_info("STARTING!");
    tool_echo(&s->asked->tool);
    if (!s->perf_options)
        drop_repeated(s);
    tell_apart(s);
    for (uint32_t i = 0; i < s->cases.n; i++)
        open_case(s, i);
    if ((st = run_all(s, &err)) || (st = figures(s, &err)) || (st = sweep_report(s, &err)))
        return say_error(st, &err);
    code = say_failures(s);
    if (code)
        return code;
    return outcome_exit_code(outcome_of(true, interrupted()));
}

int sweep_main(struct benchmark *b)
{
    struct sweep *s = calloc(1, sizeof *s);
    struct err err;
    int code;

    if (!s)
        return say_error(err_set(&err, ST_NOMEM, "out of memory for a sweep"), &err);
    s->asked = b;
    code = sweep_run(s);
    for (uint32_t i = 0; i < s->cases.n; i++) {
        samples_free(&s->turns[i].samples);
        if (s->rows[i].b)
            code = benchmark_close(s->rows[i].b, code);
        free(s->rows[i].b);
    }
    arena_free(&s->cases.arena);
    free(s);
    return code;
}
