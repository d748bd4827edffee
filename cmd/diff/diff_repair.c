/* SPDX-License-Identifier: Apache-2.0 */
/* diff_repair.c - --repair: rewrites the model, runs it in float32 and in half precision, and writes it if that proves it. */
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "lib/base/file_write.h"
#include "lib/compare/auto_fp32.h"

static bool is_same_file(const char *model, const char *out)
{
    struct stat a, b;
    char file[4096];

    snprintf(file, sizeof file, "%.*s", (int)strcspn(model, "#"), model);
    return !stat(out, &b) && ((!stat(model, &a) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) ||
                              (!stat(file, &a) && a.st_dev == b.st_dev && a.st_ino == b.st_ino));
}

enum status diff_repair_check(const struct comparison *c, struct err *err)
{
    static const char *const against[] = {"reference_model", "reference",    "reference_precision",    "reference_hybrid",
                                          "load_inputs",     "load_outputs", "load_reference_outputs", "delegates",
                                          "precisions",      "all_runtimes", "input_layer_shape",      "no_delegate_nodes",
                                          "gpu_fp32_nodes",  "extract"};

    if (!*c->flags.repair)
        return ST_OK;
    for (size_t i = 0; i < sizeof against / sizeof *against; i++) {
        const struct cli_row *row = cli_find(&c->tool.cli, against[i]);

        if (row && row->given)
            return err_set(err, ST_USAGE,
                           "--repair runs one model in the shapes of its file against the float32 reference: not with --%s",
                           against[i]);
    }
    if (c->among_signatures)
        return err_set(err, ST_USAGE, "--repair rewrites one signature: not with --signature=all");
    if (is_same_file(diff_model_path(&c->flags), c->flags.repair))
        return err_set(err, ST_USAGE, "--repair=%s is the model itself: name another file", c->flags.repair);
    return ST_OK;
}

/* As comparison_try, with another model and limits. */
static enum status try_model(struct comparison *c, const struct model *m, const struct session_options *opt,
                             const struct tolerances *limits, struct trial *t, struct err *err)
{
    struct trial_terms terms = comparison_terms(c);
    enum status st;

    terms.tolerances = limits;
    st = trial_open(t, m, c->reference.session, opt, &terms, c->recording.n, false, err);
    for (uint32_t run = 0; run < c->recording.n && !st && !interrupted(); run++)
        if (!(st = recording_play(&c->recording, run, c->reference.session, err)))
            st = trial_run(t, 1, err);
    if (st == ST_LATER)
        st = ST_OK;
    return st ? st : trial_finish(t, err);
}

static double worst(const struct session_diff *d)
{
    double most = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const double off = diff_relative(&d->outputs[i].raw);

        if (isnan(off) || isinf(off))
            return NAN;
        most = fmax(most, off);
    }
    return most;
}

static struct session_options kernels(const struct comparison *c, enum session_precision precision)
{
    return (struct session_options){.num_threads = c->flags.num_threads,
                                    .mode = CPU_REFERENCE,
                                    .precision = precision,
                                    .subgraph = c->tool.subgraph,
                                    .go_on = interrupt_go_on};
}

/* ---- the steps ---- */

/* Largest values and sums, from the runs of diff_why_run. */
static enum status rewrite(struct comparison *c, struct err *err)
{
    const struct half_check *h = &c->why.half;
    const struct graph *g = session_graph(c->why.session);
    struct repair *r = &c->repair;
    double *largest = ARENA_ARRAY(&r->arena, (size_t)g->n_tensors + g->cap_tensors, double);
    double *terms = ARENA_ARRAY(&r->arena, (size_t)g->n_tensors + g->cap_tensors, double);

    if (!largest || !terms)
        return err_set(err, ST_NOMEM, "out of memory for %u tensors", g->n_tensors);
    for (uint32_t i = 0; i < g->n_inputs; i++)
        largest[g->inputs[i]->index] = h->inputs[i].max_abs;
    for (uint32_t i = 0; i < h->n; i++) {
        const struct half_row *row = &h->rows[i];
        const struct tensor *x = node_in(row->node, 0);
        const double n = x && tensor_elems(row->tensor) ? (double)tensor_elems(x) / (double)tensor_elems(row->tensor) : 1;

        largest[row->tensor->index] = row->out.max_abs;
        if (row->node->builtin == BUILTIN_SUM || row->node->builtin == BUILTIN_MEAN)
            terms[row->tensor->index] = row->max_terms * (row->node->builtin == BUILTIN_MEAN ? n : 1);
    }
    return half_rewrite(c->tool.model, c->tool.subgraph, &(struct half_seen){largest, terms}, &r->half, err);
}

static enum status prove_float32(struct comparison *c, struct err *err)
{
    const struct session_options opt = kernels(c, SESSION_FP32);
    struct trial t = {0};
    enum status st = try_model(c, c->repair.model, &opt, NULL, &t, err);

    if (!st)
        c->repair.float32_error = worst(&t.diff);
    trial_free(&t);
    return st;
}

/* On the delegate, whose result with the model is that of the comparison; or both models on the emulation. */
static enum status try_half(struct comparison *c, struct err *err)
{
    struct repair *r = &c->repair;
    struct delegate *d = c->tool.delegates.opened;
    struct session_options opt = d ? comparison_options(c, d) : kernels(c, SESSION_FP16);
    const struct trial *before = d ? &c->test : &r->before;
    struct tolerances limits = c->tolerances;
    enum status st = ST_OK;

    r->emulated = !d;
    opt.keep_intermediates = false;
    if (!d && !strcmp(limits.preset, "auto"))
        limits.preset = precision_name(PRECISION_FP16_STORAGE);
    if (!d)
        st = try_model(c, c->tool.model, &opt, &limits, &r->before, err);
    if (st || (st = try_model(c, r->model, &opt, &limits, &r->after, err)))
        return st;
    r->error_before = worst(&before->diff);
    r->error_after = worst(&r->after.diff);
    r->passed_before = before->verdict.passed;
    r->passed = r->after.verdict.passed && r->float32_error <= REPAIR_TOLERANCE;
    return ST_OK;
}

/* The nodes of the repaired model that stay in float32, and the longest range between them. */
static enum status name_kept(struct repair *r, struct err *err)
{
    uint32_t *nodes = ARENA_ARRAY(&r->arena, r->half.n_kept + 1, uint32_t);
    int32_t from = 0;

    r->last = -1;
    for (uint32_t i = 0; nodes && i <= r->half.n_kept; i++) {
        const int32_t at = (int32_t)(i < r->half.n_kept ? r->half.kept[i].node_after : r->half.nodes_after);

        if (i < r->half.n_kept)
            nodes[i] = (uint32_t)at;
        if (at - 1 - from > r->last - r->first) {
            r->first = from;
            r->last = at - 1;
        }
        from = at + 1;
    }
    r->list = !nodes ? NULL : r->half.n_kept ? auto_fp32_list(&r->arena, nodes, r->half.n_kept) : "";
    return r->list ? ST_OK : err_set(err, ST_NOMEM, "out of memory for a list of %u nodes", r->half.n_kept);
}

enum status diff_repair_run(struct comparison *c, struct err *err)
{
    struct repair *r = &c->repair;
    enum status st;

    if (!*c->flags.repair || !c->why.looked)
        return ST_OK;
    if (!(st = rewrite(c, err)) && !(st = model_parse(r->half.file, r->half.bytes, "the repaired model", &r->model, err)) &&
        !(st = prove_float32(c, err)) && !(st = try_half(c, err)) && !(st = name_kept(r, err)) && !interrupted()) {
        r->done = true;
        if (r->float32_error <= REPAIR_TOLERANCE && (r->passed || !r->passed_before)) {
            st = file_write(c->flags.repair, &(struct file_piece){r->half.file, r->half.bytes}, 1, err);
            r->written = !st;
        }
    }
    return st ? err_prefix(err, st, "--repair") : ST_OK;
}

void diff_repair_free(struct repair *r)
{
    trial_free(&r->before);
    trial_free(&r->after);
    model_close(r->model);
    half_rewrites_free(&r->half);
    arena_free(&r->arena);
    *r = (struct repair){0};
}
