/* SPDX-License-Identifier: Apache-2.0 */
/* eval_open.c - opens model, delegates and sides by the flags that all tasks have. */
#include "cmd/evaluation/evaluation.h"

#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/input/image_input.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/say_tflite_errors.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"
#include "lib/eval/preprocess_metadata.h"

/* ---- preprocessing ---- */

static void one_or_three(const double *from, uint32_t n, double usual, double out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = n ? from[n > 1 ? c : 0] : usual;
}

static enum status by_metadata(const struct evaluation *e, struct preprocess *p, struct err *err)
{
    const struct model_subgraph *g = &e->tool.model->subgraphs[e->tool.subgraph];

    if (g->n_inputs != 1)
        return err_set(err, ST_USAGE, "the model has %u inputs; a classifier has one", g->n_inputs);
    return preprocess_metadata(e->tool.model, e->tool.subgraph, 0, &g->tensors[g->inputs[0]], p, err);
}

static enum status choose_preprocessing(struct evaluation *e, struct err *err)
{
    struct eval_flags *f = &e->flags;
    struct preprocess *p = &e->preprocess;
    double mean[IMAGE_MAX_CHANNELS], std[IMAGE_MAX_CHANNELS];
    uint32_t n_mean, n_std;
    enum status st;

    if (!*f->preprocess)
        f->preprocess = e->task->preset_of ? e->task->preset_of(e) : e->task->preset;
    if ((st = strcmp(f->preprocess, "metadata") ? preprocess_preset(f->preprocess, p, err) : by_metadata(e, p, err)))
        return err_prefix(err, st, "--preprocess");
    if ((st = image_read_numbers("input_mean", f->mean, false, mean, &n_mean, err)) ||
        (st = image_read_numbers("input_std", f->std, true, std, &n_std, err)))
        return st;
    if ((n_mean > 1 && n_mean != 3) || (n_std > 1 && n_std != 3))
        return err_set(err, ST_USAGE, "--%s has %u numbers; it takes one, or one for red, green and blue",
                       n_mean > 1 && n_mean != 3 ? "input_mean" : "input_std", n_mean > 1 && n_mean != 3 ? n_mean : n_std);
    if (e->task->whole && (p->order == PREPROCESS_CROP_FIRST || p->order == PREPROCESS_RESIZE_FIRST))
        p->order = PREPROCESS_SQUASH;
    if (n_mean || n_std) {
        p->has_mean = true;
        p->unit = 1;
        one_or_three(mean, n_mean, 0, p->mean);
        one_or_three(std, n_std, 1, p->std);
    }
    if (f->crop)
        p->order = (enum preprocess_order)(f->crop - 1);
    if (f->filter)
        p->filter = (enum preprocess_filter)(f->filter - 1);
    if (f->crop_fraction > 0 && p->order == PREPROCESS_SQUASH)
        return err_set(err, ST_USAGE, "--crop_fraction=%g: nothing is cropped (--crop=first or --crop=last)", f->crop_fraction);
    if (f->crop_fraction > 0)
        p->fraction = f->crop_fraction;
    p->layout = f->layout;
    p->bgr |= f->channels == 1;
    return ST_OK;
}

/* ---- sides ---- */

static enum status open_side(struct evaluation *e, bool on_delegate, struct err *err)
{
    struct eval_side *s = &e->sides[e->n_sides++];
    const struct delegates *ds = &e->tool.delegates;
    struct session_options opt = {
        .num_threads = e->flags.num_threads, .mode = e->flags.cpu_kernels, .subgraph = e->tool.subgraph, .go_on = interrupt_go_on};
    enum status st;

    if (on_delegate) {
        opt.partition = partition_flags_options(&e->flags.partition);
        for (uint32_t i = 0; ds->all[i]; i++)
            opt.delegates[i] = ds->all[i];
        s->delegate = ds->all[0];
        s->on_delegate = true;
        delegates_label(ds->all, s->name);
    } else {
        snprintf(s->name, sizeof s->name, "CPU");
    }
    if ((st = session_new(e->tool.model, &opt, &s->session, err)) || (st = session_prepare(s->session, err)))
        return err_prefix(err, st, "%s", s->name);
    snprintf(s->precision, sizeof s->precision, "%s",
             on_delegate && s->delegate->precision.in_force ? s->delegate->precision.in_force
             : e->flags.cpu_kernels == CPU_FAST             ? "fast"
                                                            : "reference");
    s->assignment = assignment_of(session_graph(s->session), session_partitioning(s->session));
    return ST_OK;
}

static enum status open_sides(struct evaluation *e, struct err *err)
{
    const bool delegated = e->tool.delegates.all[0] && !e->merging;
    enum status st;

    if ((st = open_side(e, delegated, err)) || (st = e->task->accept_model(e, err)))
        return st;
    if (delegated && (st = assignment_say_all(e->sides[0].session, &e->tool.delegates, err)))
        return st;
    return delegated && e->flags.compare_cpu ? open_side(e, false, err) : ST_OK;
}

/* ---- all ---- */

const char *eval_model_path(const struct eval_flags *f)
{
    return *f->model_file ? f->model_file : f->graph;
}

enum status eval_open(struct evaluation *e, struct err *err)
{
    struct eval_flags *f = &e->flags;
    struct delegates *ds = &e->tool.delegates;
    enum status st;

    if ((st = tool_take_operand(&e->tool, "model_file", &f->model_file, err)) ||
        (st = tool_open_model(&e->tool, "model_file", eval_model_path(f), err)) ||
        (st = signatures_choose(e->tool.model, "signature", f->signature, &e->tool.subgraph, err)) ||
        (st = choose_preprocessing(e, err)) || (st = delegates_open(ds, err)))
        return st;
    delegates_say(ds);
    e->merging = *f->merge != '\0';
    if ((st = open_sides(e, err)))
        return st;
    say_tflite_errors(session_graph(e->sides[0].session));
    return ST_OK;
}

enum status eval_check_flags(struct evaluation *e, struct err *err)
{
    const struct eval_flags *f = &e->flags;
    struct delegates *ds = &e->tool.delegates;
    enum status st;

    if ((st = delegates_choose(ds, f->delegate, err)) || (st = delegates_check(ds, &e->tool.cli, err)) ||
        (st = partition_flags_check(&e->tool.cli, &f->partition,
                                    delegates_wanted(ds) ? DELEGATE_ASKED
                                    : *f->delegate       ? DELEGATE_REFUSED
                                                         : DELEGATE_NOT_ASKED,
                                    err)))
        return st;
    if (*f->merge && (*f->answers || *f->shard || delegates_wanted(ds)))
        return err_set(err, ST_USAGE, "--merge runs nothing: it goes with no delegate, --answers_file or --shard");
    if (f->min_agreement >= 0 && !*f->merge && (!delegates_wanted(ds) || !f->compare_cpu))
        return err_set(err, ST_USAGE, "--min_agreement=%g: there is nothing to agree with, without a delegate beside the CPU",
                       f->min_agreement);
    return ST_OK;
}

enum status eval_count(struct evaluation *e, struct err *err)
{
    enum status st = stats_of(e->decode.us, e->decode.n, &e->decode_figures, err);

    for (uint32_t i = 0; i < e->n_sides && !st; i++)
        st = stats_of(e->sides[i].samples.us, e->sides[i].samples.n, &e->sides[i].figures, err);
    return st;
}

int eval_tool_begin(struct evaluation *e, const struct flag *own, void *values, int argc, char **argv)
{
    struct cli *c = &e->tool.cli;

    cli_add(c, eval_flag_table, &e->flags);
    cli_add(c, own, values);
    cli_add(c, partition_flag_table, &e->flags.partition);
    cli_add(c, tflite_delegate_flag_table, &e->flags.tflite_delegates);
    return tool_begin(&e->tool, argc, argv);
}

bool eval_delegated(const struct evaluation *e)
{
    const struct eval_side *s = &e->sides[0];
    const struct assignment *a = &s->assignment;

    return !s->on_delegate ||
           (a->n_delegated >= (uint32_t)e->flags.min_delegated && (!e->flags.require_full_delegation || a->full));
}

bool eval_agrees(const struct evaluation *e, double agreement)
{
    return e->flags.min_agreement < 0 || agreement >= e->flags.min_agreement;
}

int eval_finish(const struct evaluation *e)
{
    if (interrupted())
        say_warn("interrupted: the figures cover the pictures up to then");
    return outcome_exit_code(outcome_of(e->passed, interrupted()));
}

void eval_free(struct evaluation *e)
{
    for (uint32_t i = 0; i < MAX_SIDES; i++) {
        samples_free(&e->sides[i].samples);
        session_free(e->sides[i].session);
    }
    samples_free(&e->decode);
    if (e->answers)
        fclose(e->answers);
    arena_free(&e->arena);
}
