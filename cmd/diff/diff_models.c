/* SPDX-License-Identifier: Apache-2.0 */
/* diff_models.c - --reference_model: opening it, and the results of comparing tensors by name. */
#include <stdlib.h>

#include "cmd/diff/diff_results.h"
#include "cmd/host/model_source.h"
#include "cmd/host/say.h"
#include "cmd/tool/signatures.h"
#include "lib/model/weights.h"

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
    if ((st = check_flags(c, err)) || (st = model_source_open(m->path, c->tool.weights, &m->model, &m->data, err)) ||
        (st = tool_keep_model(&c->tool, m->path, err)))
        return st;
    if ((st = weights_check_used(c->tool.weights, (const struct model *const[]){m->model, c->tool.model}, 2, err)))
        return st;
    if (!m->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "%s: the model has no subgraph, so there is nothing to run", m->path);
    if ((st = signatures_choose(m->model, "signature", c->flags.signature, &m->subgraph, err)))
        return err_prefix(err, st, "%s", m->path);
    return model_pairs_find(m->model, m->subgraph, c->tool.model, c->tool.subgraph, &m->arena, &m->pairs, err);
}

enum status diff_models_begin(struct comparison *c, struct err *err)
{
    enum status st;

    if (!c->second.model || !c->flags.per_op)
        return ST_OK;
    st = name_diffs_init(&c->names, c->reference.session, c->test.session, err);
    if (!st)
        name_diffs_allow(&c->names, c->reference.session, &c->tolerances, c->test.precision);
    return st;
}

void diff_models_add(struct comparison *c)
{
    name_diffs_add(&c->names);
}

/* ---- results ---- */

static void add_found(struct result_section *to, const struct comparison *c)
{
    const struct name_diffs *o = &c->names;
    const struct name_diff *worst = name_diffs_worst(o), *first = name_diffs_first_off(o);
    char tensors[SAY_COUNT_SIZE];

    result_line(to, RESULT_PLAIN, "%u of %u tensors have a twin of their name and shape in the reference model%s.", o->n,
                o->n + o->without, c->test.delegate ? " and are shown by the delegate" : "");
    if (diff_names_turned(o))
        result_line(to, RESULT_PLAIN, "Compared in the reference's order of axes, in parentheses: %s.",
                    say_count(diff_names_turned(o), "tensor", tensors));
    if (o->same_names)
        result_line(to, RESULT_PLAIN, "Without a twin because several tensors of one model have their name: %s.",
                    say_count(o->same_names, "tensor", tensors));
    diff_names_skipped(to, o);
    if (first)
        diff_names_first_off(to, first);
    if (worst)
        result_line(to, RESULT_PLAIN,
                    "Farthest from its twin, for the size of its values: node %u %.63s, tensor '%.95s', max_error %.4g, %.2f dB.",
                    worst->node->index, worst->node->name, worst->test->name, diff_max_abs(&worst->diff),
                    diff_snr_db(&worst->diff));
}

static void add_pair(struct result_section *to, const char *what, const struct tensor *reference, const struct tensor *test)
{
    result_line(to, RESULT_INFO, "%s: '%.95s' %s against '%.95s' %s%s", what, test->name, TENSOR_TEXT(test), reference->name,
                TENSOR_TEXT(reference), test->type == reference->type ? "" : ", as real numbers");
}

static void add_pairs(struct result_section *to, const struct comparison *c)
{
    const struct session *reference = c->reference.session, *test = c->test.session;
    const struct model_pairs *p = &c->second.pairs;

    result_line(to, RESULT_INFO, "Reference model %s: inputs are paired by %s, outputs by %s", c->second.path, by[p->inputs_by],
                by[p->outputs_by]);
    for (uint32_t i = 0; i < p->n_inputs; i++)
        add_pair(to, "Input", session_input(reference, i), session_input(test, p->inputs[i]));
    for (uint32_t i = 0; i < p->n_outputs; i++)
        add_pair(to, "Output", session_output(reference, i), session_output(test, p->outputs[i]));
}

enum status diff_models_say_pairs(const struct comparison *c, struct err *err)
{
    struct result_section *to;

    if (!c->second.model)
        return ST_OK;
    to = results_alone();
    add_pairs(to, c);
    return results_say_alone(to, ST_OK, err);
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
static void put_names(struct results *r, struct json *in, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_NODES];
    const struct name_diffs *o = &c->names;

    if (json_given(r->report, in, "first_off", name_diffs_first_off(o)))
        diff_names_put_off(r->report, json_object(r->report, in, "first_off"), name_diffs_first_off(o));
    json_number(r->report, in, "without_twin", o->without);
    json_number(r->report, in, "same_names", o->same_names);
    json_number(r->report, in, "shapes_unknown", name_diffs_skipped(o, NAME_DIFF_SHAPE));
    json_number(r->report, in, "without_data", name_diffs_skipped(o, NAME_DIFF_NO_DATA));
    if (!json_given(r->report, in, "tensors", c->flags.per_op))
        return;
    result_gap(to);
    diff_names_table(to, json_array(r->report, in, "tensors"), o);
    result_gap(to);
    add_found(r->parts[DIFF_ALONG], c);
    result_chart(r->parts[DIFF_ALONG], diff_names_draw, c);
}

void diff_models_results(struct results *results, const struct comparison *c)
{
    const struct second_model *m = &c->second;
    struct report *r = results->report;
    char hash[SHA256_HEX_SIZE];
    struct json *o;

    if (c->test.diff.inputs_cut)
        result_line(results->parts[DIFF_CUT], RESULT_WARNING,
                    "%llu numbers of all runs' inputs are beyond what the quantized inputs hold, and were cut to it: part of the "
                    "difference is theirs",
                    (unsigned long long)c->test.diff.inputs_cut);
    if (!json_given(r, report_root(r), "reference_model", m->model))
        return;
    add_pairs(results->parts[DIFF_PAIRS], c);
    o = json_object(r, report_root(r), "reference_model");
    json_string(r, o, "path", m->path);
    json_number(r, o, "bytes", (double)m->model->file_bytes);
    json_string(r, o, "sha256", sha256_hex(m->model->file, m->model->file_bytes, hash));
    put_pairs(r, o, "inputs", m->pairs.inputs, m->pairs.n_inputs, m->pairs.inputs_by);
    put_pairs(r, o, "outputs", m->pairs.outputs, m->pairs.n_outputs, m->pairs.outputs_by);
    json_number(r, o, "inputs_cut", (double)c->test.diff.inputs_cut);
    put_names(results, o, c);
}

void diff_models_free(struct second_model *m)
{
    model_close(m->model);
    free(m->data);
    arena_free(&m->arena);
    *m = (struct second_model){0};
}
