/* SPDX-License-Identifier: Apache-2.0 */
/* diff_models.c - --reference_model: opening it, and saying what was held against what. */
#include <stdlib.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/model_source.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"

static const char *const by[] = {
    [PAIRS_BY_SIGNATURE] = "the signatures' names", [PAIRS_BY_NAME] = "their names", [PAIRS_BY_ORDER] = "their order"};

const struct model *diff_reference_model(const struct comparison *c, uint32_t *subgraph)
{
    *subgraph = c->second.model ? c->second.subgraph : c->tool.subgraph;
    return c->second.model ? c->second.model : c->tool.model;
}

/* What follows nodes from one side to the other needs the same nodes; folders of stored tensors are of one model. */
static enum status check_flags(const struct comparison *c, struct err *err)
{
    const struct stored_flags *s = &c->stored.flags;
    const struct diff_flags *f = &c->flags;

    if (f->bisect || *f->extract || f->why || f->auto_fp32)
        return err_set(err, ST_USAGE,
                       "--reference_model compares numbers: --bisect, --extract, --why and --auto_fp32 need one model on "
                       "both sides");
    if (*s->save_inputs || *s->load_inputs || *s->save_outputs || *s->load_outputs || *s->load_reference || *s->load_test)
        return err_set(err, ST_USAGE, "--reference_model goes without stored inputs and outputs, which are of one model");
    return ST_OK;
}

enum status diff_models_open(struct comparison *c, struct err *err)
{
    struct second_model *m = &c->second;
    enum status st;

    if (!*c->flags.reference_model)
        return ST_OK;
    m->path = c->flags.reference_model;
    if ((st = check_flags(c, err)) || (st = model_source_open(m->path, &m->model, &m->data, err)) ||
        (st = tool_keep_model(&c->tool, m->path, err)))
        return st;
    if (!m->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "%s: the model has no subgraph, so there is nothing to run", m->path);
    if ((st = signatures_choose(m->model, "signature", c->flags.signature, &m->subgraph, err)))
        return err_prefix(err, st, "%s", m->path);
    return model_pairs_find(m->model, m->subgraph, c->tool.model, c->tool.subgraph, &m->arena, &m->pairs, err);
}

enum status diff_models_begin(struct comparison *c, struct err *err)
{
    if (!c->second.model || !c->flags.per_op)
        return ST_OK;
    return name_diffs_init(&c->second.names, c->reference.session, c->test.session, err);
}

void diff_models_add(struct comparison *c)
{
    name_diffs_add(&c->second.names);
}

static void say_name(const struct name_diff *row, char mark)
{
    char op[64], name[128];

    say_text("%c%5u %-24s %10.4g %10.4g %10.4g %8.2f  %s\n", mark, row->node->index, say_clean(row->node->name, op, sizeof op),
             diff_max_abs(&row->diff), diff_relative(&row->diff), diff_mean_abs(&row->diff), diff_snr_db(&row->diff),
             say_clean(row->test->name, name, sizeof name));
}

void diff_models_say_found(const struct comparison *c)
{
    const struct name_diffs *o = &c->second.names;
    const struct name_diff *worst = name_diffs_worst(o);

    say_text("%u of %u tensors have a twin of their name and shape in the reference model%s.\n", o->n, o->n + o->without,
             c->test.delegate ? " and are shown by the delegate" : "");
    if (worst)
        say_text("Farthest from its twin, for the size of its values: node %u, %.2f dB.\n", worst->node->index,
                 diff_snr_db(&worst->diff));
}

void diff_models_say_names(const struct comparison *c)
{
    const struct name_diffs *o = &c->second.names;
    const struct name_diff *worst = name_diffs_worst(o);

    if (!c->second.model || !c->flags.per_op)
        return;
    say_text("\n%6s %-24s %10s %10s %10s %8s  %s\n", "node", "operator", "max_error", "relative", "mean_error", "snr dB", "tensor");
    for (const struct name_diff *row = o->rows; row < o->rows + o->n; row++)
        say_name(row, row == worst ? '!' : ' ');
    say_text("\n");
    diff_models_say_found(c);
}

static void say_pair(const char *what, const struct tensor *reference, const struct tensor *test)
{
    char a[96], b[96];

    say_info("%s: '%s' %s against '%s' %s%s", what, say_clean(test->name, a, sizeof a), TENSOR_TEXT(test),
             say_clean(reference->name, b, sizeof b), TENSOR_TEXT(reference),
             test->type == reference->type ? "" : ", as real numbers");
}

void diff_models_say_pairs(const struct comparison *c)
{
    const struct session *reference = c->reference.session, *test = c->test.session;
    const struct model_pairs *p = &c->second.pairs;

    if (!c->second.model)
        return;
    say_info("Reference model %s: inputs are paired by %s, outputs by %s", c->second.path, by[p->inputs_by], by[p->outputs_by]);
    for (uint32_t i = 0; i < p->n_inputs; i++)
        say_pair("Input", session_input(reference, i), session_input(test, p->inputs[i]));
    for (uint32_t i = 0; i < p->n_outputs; i++)
        say_pair("Output", session_output(reference, i), session_output(test, p->outputs[i]));
}

void diff_models_say_cut(const struct comparison *c)
{
    if (c->test.diff.inputs_cut)
        say_warn("%llu numbers of all runs' inputs are beyond what the quantized inputs hold, and were cut to it: part of the "
                 "difference is theirs",
                 (unsigned long long)c->test.diff.inputs_cut);
}

static void put_pairs(struct report *r, struct json *in, const char *key, const uint32_t *list, uint32_t n, enum pairs_by how)
{
    static const char *const words[] = {[PAIRS_BY_SIGNATURE] = "signature", [PAIRS_BY_NAME] = "name", [PAIRS_BY_ORDER] = "order"};
    struct json *o = json_object(r, in, key), *to;

    json_string(r, o, "by", words[how]);
    to = json_array(r, o, "test");
    for (uint32_t i = 0; i < n; i++)
        json_number(r, to, NULL, list[i]);
}

/* null without --per_op. */
static void put_names(struct report *r, struct json *in, const struct comparison *c)
{
    const struct name_diffs *o = &c->second.names;
    struct json *list, *row;

    if (!c->flags.per_op) {
        json_null(r, in, "tensors");
        return;
    }
    list = json_array(r, in, "tensors");
    for (uint32_t i = 0; i < o->n; i++) {
        row = json_object(r, list, NULL);
        json_number(r, row, "node", o->rows[i].node->index);
        json_string(r, row, "op", o->rows[i].node->name);
        json_string(r, row, "name", o->rows[i].test->name);
        json_number(r, row, "max_error", diff_max_abs(&o->rows[i].diff));
        json_number(r, row, "relative", diff_relative(&o->rows[i].diff));
        json_number(r, row, "mean_error", diff_mean_abs(&o->rows[i].diff));
        json_number(r, row, "snr_db", diff_snr_db(&o->rows[i].diff));
    }
}

void diff_models_put(struct report *r, const struct comparison *c)
{
    const struct second_model *m = &c->second;
    char hash[SHA256_HEX_SIZE];
    struct json *o;

    if (!m->model) {
        json_null(r, report_root(r), "reference_model");
        return;
    }
    o = json_object(r, report_root(r), "reference_model");
    json_string(r, o, "path", m->path);
    json_number(r, o, "bytes", (double)m->model->file_bytes);
    json_string(r, o, "sha256", sha256_hex(m->model->file, m->model->file_bytes, hash));
    put_pairs(r, o, "inputs", m->pairs.inputs, m->pairs.n_inputs, m->pairs.inputs_by);
    put_pairs(r, o, "outputs", m->pairs.outputs, m->pairs.n_outputs, m->pairs.outputs_by);
    json_number(r, o, "inputs_cut", (double)c->test.diff.inputs_cut);
    put_names(r, o, c);
}

void diff_models_free(struct second_model *m)
{
    model_close(m->model);
    free(m->data);
    name_diffs_free(&m->names);
    arena_free(&m->arena);
    *m = (struct second_model){0};
}
