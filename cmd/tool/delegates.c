/* SPDX-License-Identifier: Apache-2.0 */
/* delegates.c - from flags to opened delegates. */
#include "cmd/tool/delegates.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/driver_waits.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "lib/tensor/element.h"

static const struct flag driver_flags[] = {
    {.name = "driver_poll_us",
     .group = GROUP_GPU,
     FLAG_TAKES_INT(0, 1000000),
     .offset = offsetof(struct delegates, poll_us),
     .value = "0",
     .help =
         "Let the threads of a software driver (llvmpipe), and the thread that waits for them, poll for this many microseconds "
         "before they sleep; 0: as the driver does by itself. Above 0 runs are faster than in a program that uses the library."},
    {0},
};

enum status delegates_init(struct delegates *ds, const struct delegate_type *const *types, struct cli *c, struct err *err)
{
    *ds = (struct delegates){.cli = c};
    for (const struct delegate_type *const *type = types; *type; type++) {
        struct delegate_choice *choice = &ds->choices[ds->n_choices++];

        assert(ds->n_choices <= DELEGATES_MAX);
        choice->type = *type;
        if (!(choice->options = calloc(1, (*type)->options_size + 1)))
            return err_set(err, ST_NOMEM, "out of memory for the options of delegate %s", (*type)->name);
        snprintf(choice->use_label, sizeof choice->use_label, "Use %s", (*type)->name);
        snprintf(choice->use_help, sizeof choice->use_help, "Use the %s delegate for all nodes that it takes.", (*type)->label);
        choice->use_flag[0] = (struct flag){.name = (*type)->use_flag,
                                            .group = GROUP_DELEGATE,
                                            FLAG_TAKES_BOOL,
                                            .offset = offsetof(struct delegate_choice, use),
                                            .value = "false",
                                            .label = choice->use_label,
                                            .help = choice->use_help};
        cli_add(c, choice->use_flag, choice);
        cli_add(c, (*type)->flags, choice->options);
    }
    if (driver_waits_possible())
        cli_add(c, driver_flags, ds);
    return ST_OK;
}

enum status delegates_find(struct delegates *ds, const char *flag, const char *name, struct delegate_choice **out, struct err *err)
{
    char known[128] = "none";

    for (uint32_t i = 0; i < ds->n_choices; i++) {
        size_t n = strlen(known);

        if (!strcmp(ds->choices[i].type->name, name)) {
            *out = &ds->choices[i];
            return ST_OK;
        }
        snprintf(known + n, sizeof known - n, ", %s", ds->choices[i].type->name);
    }
    return err_set(err, ST_USAGE, "--%s=%.60s: this build knows %s", flag, name, known);
}

enum status delegates_choose(struct delegates *ds, const char *name, struct err *err)
{
    struct delegate_choice *choice;
    enum status st;

    if (!*name || !strcmp(name, "none"))
        return ST_OK;
    if ((st = delegates_find(ds, "delegate", name, &choice, err)))
        return st;
    choice->by_name = true;
    return ST_OK;
}

bool delegates_uses(const struct delegate_choice *choice)
{
    return choice->use || choice->by_name || (!choice->also && choice->type->asked && choice->type->asked(choice->options));
}

enum status delegates_check(const struct delegates *ds, const struct cli *c, struct err *err)
{
    for (uint32_t i = 0; i < ds->n_choices; i++) {
        const struct delegate_choice *choice = &ds->choices[i];
        const char *use = choice->type->use_flag;

        if (!choice->use && !choice->by_name && delegates_uses(choice) && cli_find(c, use)->given)
            return err_set(err, ST_USAGE, "--%s=false, but --%s asks for it", use, choice->type->flags->name);
        for (uint32_t k = 0; !delegates_uses(choice) && !choice->also && k < c->n_rows; k++) {
            const struct cli_row *row = &c->rows[k];

            if (row->options != choice->options || !row->given || cli_is_default(row))
                continue;
            if (!cli_find(c, use)->given)
                return err_set(err, ST_USAGE, "--%s is of no use without --%s", row->flag->name, use);
            say_warn("--%s=false: --%s changes nothing", use, row->flag->name);
        }
    }
    return ST_OK;
}

/* Where the flag stands that asks for it. One that turns it off is not among them. */
static uint32_t turn_of(const struct delegates *ds, const struct delegate_wanted *w)
{
    const struct delegate_type *type = w->choice->type;
    const struct cli_row *use = cli_find(ds->cli, type->use_flag), *named = cli_find(ds->cli, "delegate");
    const struct cli_row *own = type->asked ? cli_find(ds->cli, type->flags->name) : NULL;

    if (use->given && w->choice->use)
        return use->turn;
    if (own && own->given)
        return w->i < own->n_turns ? own->turns[w->i] : own->turn;
    return named ? named->turn : 0;
}

uint32_t delegates_list(const struct delegates *ds, struct delegate_wanted out[MAX_DELEGATES])
{
    uint32_t n = 0, n_out = 0;

    for (uint32_t i = 0; i < ds->n_choices; i++) {
        const struct delegate_choice *choice = &ds->choices[i];
        const uint32_t count = !delegates_uses(choice) ? 0 : choice->type->count ? choice->type->count(choice->options) : 1;

        n += count;
        for (uint32_t k = 0; k < count && n_out < MAX_DELEGATES; k++) {
            const struct delegate_wanted w = {choice, k};
            uint32_t at = n_out++;

            for (; at && turn_of(ds, &out[at - 1]) > turn_of(ds, &w); at--)
                out[at] = out[at - 1];
            out[at] = w;
        }
    }
    return n;
}

const struct delegate_type *delegates_wanted(const struct delegates *ds)
{
    struct delegate_wanted wanted[MAX_DELEGATES];

    return delegates_list(ds, wanted) ? wanted[0].choice->type : NULL;
}

static const char *flag_of(const struct delegate_wanted *w)
{
    const struct delegate_type *type = w->choice->type;

    return type->count && type->count(w->choice->options) > 1 ? type->flags->name : type->use_flag;
}

enum status delegates_check_one(const struct delegates *ds, const char *what, struct err *err)
{
    struct delegate_wanted wanted[MAX_DELEGATES];

    return delegates_list(ds, wanted) < 2 ? ST_OK
                                          : err_set(err, ST_USAGE, "%s is for one delegate, and --%s and --%s ask for two", what,
                                                    flag_of(&wanted[0]), flag_of(&wanted[1]));
}

enum status delegates_check_number(const struct delegates *ds, struct err *err)
{
    struct delegate_wanted wanted[MAX_DELEGATES];
    const uint32_t n = delegates_list(ds, wanted);

    return n > MAX_DELEGATES ? err_set(err, ST_USAGE, "%u delegates are asked for: %d at most", n, MAX_DELEGATES) : ST_OK;
}

static void warn(void *arg, const char *text)
{
    (void)arg;
    say_warn("%s", text);
}

static void tell(void *arg, const char *text)
{
    (void)arg;
    say_info("%s", text);
}

/* Of what takes long: from when it first asks, Ctrl-C ends that, and not the process. */
static bool stopped(void *arg)
{
    (void)arg;
    interrupt_catch();
    return interrupted();
}

static void set_variable(void *arg, const char *name, const char *value)
{
    struct delegates *ds = arg;
    struct delegate_variable *v = ds->variables;

    while (v < ds->variables + ds->n_variables && strcmp(v->name, name) != 0)
        v++;
    assert(v < ds->variables + DELEGATES_MAX_VARIABLES);
    if (v == ds->variables + ds->n_variables)
        ds->n_variables++;
    snprintf(v->name, sizeof v->name, "%s", name);
    snprintf(v->value, sizeof v->value, "%s", value);
    setenv(name, value, 1);
}

enum status delegates_open_with(struct delegates *ds, const struct delegate_choice *choice, const void *options,
                                struct delegate **out, struct err *err)
{
    enum status st;

    *out = NULL;
    if (choice->type->environment)
        choice->type->environment(options, &(struct delegate_environment){getenv, set_variable, ds, ds->model, ds->poll_us > 0});
    if ((st = choice->type->open(options, out, err)))
        return st;
    (*out)->warn = warn;
    (*out)->tell = tell;
    (*out)->stopped = stopped;
    if ((*out)->software)
        driver_waits_awake((uint64_t)ds->poll_us * 1000);
    return ST_OK;
}

enum status delegates_open_as(struct delegates *ds, const struct delegate_choice *choice, const struct flag *flag,
                              const char *value, struct delegate **out, struct err *err)
{
    void *options = malloc(choice->type->options_size + 1);
    enum status st = ST_OK;

    *out = NULL;
    if (!options)
        return err_set(err, ST_NOMEM, "out of memory for the options of delegate %s", choice->type->name);
    memcpy(options, choice->options, choice->type->options_size);
    if (flag)
        st = flag_set(flag, options, value, err);
    if (!st)
        st = delegates_open_with(ds, choice, options, out, err);
    free(options);
    return st;
}

/* What only a delegate that is alone can do would be left out in silence. */
static enum status check_beside(const struct delegate *d, struct err *err)
{
    const char *what = d->io_in_buffers        ? "has its inputs and outputs in buffers"
                       : d->submission.counted ? "is not waited for"
                       : d->loops > 1          ? "runs several times in a row"
                       : d->whole_model        ? "takes the model as a whole"
                                               : NULL;

    return what ? err_set(err, ST_USAGE, "delegate %s %s: only one that is alone does that", d->type->label, what) : ST_OK;
}

enum status delegates_open_wanted(struct delegates *ds, const struct delegate_wanted *w, bool is_static, struct delegate **out,
                                  struct err *err)
{
    const struct delegate_type *type = w->choice->type;
    enum status st;

    if (!type->open_one && !is_static)
        return delegates_open_as(ds, w->choice, NULL, NULL, out, err);
    st = type->open_one ? type->open_one(w->choice->options, w->i, out, err) : type->open_static(w->choice->options, out, err);
    if (!st)
        (*out)->warn = warn;
    return st;
}

enum status delegates_open_known(struct delegates *ds, const struct delegate_wanted *w, const char *name, struct delegate **out,
                                 struct err *err)
{
    const struct delegate_type *type = w->choice->type;
    enum status st;

    (void)ds;
    if (!type->open_known)
        return err_set(err, ST_USAGE, "delegate %s knows no device by name", type->name);
    if (!(st = type->open_known(w->choice->options, name, out, err)))
        (*out)->warn = warn;
    return st;
}

enum status delegates_open(struct delegates *ds, struct err *err)
{
    struct delegate_wanted wanted[MAX_DELEGATES];
    const uint32_t n = ds->opened ? 0 : delegates_list(ds, wanted);
    enum status st = ds->opened ? ST_OK : delegates_check_number(ds, err);

    for (uint32_t i = 0; i < n && !st; i++) {
        st = delegates_open_wanted(ds, &wanted[i], false, &ds->all[i], err);
        ds->opened = ds->all[0];
        for (uint32_t k = 0; k <= i && n > 1 && !st; k++)
            st = check_beside(ds->all[k], err);
    }
    return st;
}

const char *delegates_label(struct delegate *const *all, char out[64])
{
    size_t n = 0;

    out[0] = '\0';
    for (uint32_t i = 0; all[i] && n < 64; i++)
        n += (size_t)snprintf(out + n, 64 - n, "%s%s", !i ? "" : all[i + 1] ? ", " : " and ", all[i]->type->label);
    return out;
}

/* Whether all that the node makes is quantized. */
static bool makes_quantized(const struct node *n)
{
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i] && (element_is_float(n->out[i]->type) || !n->out[i]->quant.n))
            return false;
    return true;
}

const char *delegates_precision(const struct session *s, const struct delegate *d, char out[DELEGATES_PRECISION_SIZE])
{
    const struct partitioning *p = s ? session_partitioning(s) : NULL;
    const struct graph *g = s ? session_graph(s) : NULL;
    uint32_t integers = 0, others = 0;

    out[0] = '\0';
    if (!d || !d->precision.in_force)
        return out;
    for (uint32_t i = 0; p && d->exact_integers && i < g->n_nodes; i++) {
        const bool quantized = makes_quantized(&g->nodes[i]);

        if (p->part_of[i] >= 0 && p->parts[p->part_of[i]].delegate == d)
            *(quantized ? &integers : &others) += 1;
    }
    snprintf(out, DELEGATES_PRECISION_SIZE, "%s%s%s", others || !integers ? d->precision.in_force : "",
             others && integers ? ", " : "", integers ? "exact integers" : "");
    return out;
}

/* Full precision goes without saying. */
static void say_precision(const struct delegate *d)
{
    const struct delegate_precision *p = &d->precision;

    if (!p->asked || !strcmp(p->asked, "fp32"))
        return;
    say_info("%s precision: %s (stored as %s, computed in %s%s%s%s%s)%s%s%s%s", d->type->label, p->in_force, p->stored,
             p->arithmetic, p->by ? " by " : "", p->by ? p->by : "",
             strcmp(p->sums, p->arithmetic) ? ", products added up in " : "", strcmp(p->sums, p->arithmetic) ? p->sums : "",
             p->why ? "; not " : "", p->why ? p->asked : "", p->why ? ": " : "", p->why ? p->why : "");
    if (p->fp32_nodes)
        say_info("%s nodes in float32: %s", d->type->label, p->fp32_nodes);
}

/* Whether there is a thread that does: llvmpipe has none where it is told so. */
static bool waits_awake(const struct delegates *ds)
{
    const char *threads = getenv("LP_NUM_THREADS");

    return ds->poll_us && !(threads && !strcmp(threads, "0"));
}

static void say_library(const struct delegate *d)
{
    const struct delegate_library *l = d->library;

    say_info("%s library: version %s, SHA-256 %.16s..., offers %s; asked for: %s", d->type->label, l->version, l->sha256,
             l->offered, l->asked);
}

void delegates_say_runs(const struct delegate *d)
{
    const struct delegate_library *l = d ? d->library : NULL;
    char taken[48] = "";

    if (!l || !l->times.runs)
        return;
    if (l->n_taken >= 0)
        snprintf(taken, sizeof taken, " for %" PRId64 " nodes", l->n_taken);
    say_info("%s runs on: %s%s. A run: write %.4g us, run %.4g us, read %.4g us, hand-over %.4g us; compiled in %.4g ms, "
             "first run %.4g ms%s%s; its process has %.4g MB",
             d->type->label, l->used, taken, (double)l->times.write_ns / 1e3 / (double)l->times.runs,
             (double)l->times.run_ns / 1e3 / (double)l->times.runs, (double)l->times.read_ns / 1e3 / (double)l->times.runs,
             (double)l->times.handover_ns / 1e3 / (double)l->times.runs, (double)l->compile_ns / 1e6, (double)l->first_ns / 1e6,
             *l->cache ? ", cache " : "", l->cache, (double)l->process_bytes / 1e6);
    if (*l->left)
        say_info("%s says: %.*s", d->type->label, (int)strcspn(l->left, "\n"), l->left);
}

static void say_one(const struct delegates *ds, const struct delegate *d)
{
    if (d->type->created)
        say_info("%s", d->type->created);
    else
        say_info("Created TensorFlow Lite delegate for %s.", d->type->label);
    say_info("%s delegate created.", d->type->label);
    say_info("%s: %s", d->type->label, d->device);
    say_precision(d);
    if (d->library)
        say_library(d);
    if (d->loops > 1)
        say_info("Each run computes %u inferences on the %s: all times of runs are divided by %u", d->loops, d->type->label,
                 d->loops);
    for (uint32_t i = 0; i < ds->n_variables && d == ds->opened; i++)
        say_info("Set for the driver: %s=%s", ds->variables[i].name, ds->variables[i].value);
    if (d->software)
        say_warn("%s is software: the CPU does the work, so its times say nothing about a %s%s", d->device, d->type->label,
                 waits_awake(ds) ? "; its threads wait awake (--driver_poll_us)" : "");
}

void delegates_say(const struct delegates *ds)
{
    for (uint32_t i = 0; ds->all[i]; i++)
        say_one(ds, ds->all[i]);
}

void delegates_fini(struct delegates *ds)
{
    for (uint32_t i = 0; ds->all[i]; i++)
        delegate_close(ds->all[i]);
    for (uint32_t i = 0; i < ds->n_choices; i++)
        free(ds->choices[i].options);
    *ds = (struct delegates){0};
}
