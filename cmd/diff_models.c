/* SPDX-License-Identifier: Apache-2.0 */
/* diff_models.c - --reference_model: opening it, and saying what was held against what. */
#include <stdlib.h>

#include "inference_diff.h"
#include "model_source.h"
#include "report_parts.h"
#include "say.h"
#include "signatures.h"

static const char *const by[] = {
    [PAIRS_BY_SIGNATURE] = "the signatures' names", [PAIRS_BY_NAME] = "their names", [PAIRS_BY_ORDER] = "their order"};

const struct model *diff_reference_model(const struct comparison *c, uint32_t *subgraph)
{
    *subgraph = c->second.model ? c->second.subgraph : c->subgraph;
    return c->second.model ? c->second.model : c->tool.model;
}

/* What follows nodes from one side to the other needs the same nodes; folders of stored tensors are of one model. */
static enum status check_flags(const struct comparison *c, struct err *err)
{
    const struct stored_flags *s = &c->stored.flags;
    const struct diff_flags *f = &c->flags;

    if (f->per_op || f->bisect || f->why || f->auto_fp32)
        return err_set(err, ST_USAGE,
                       "--reference_model compares outputs: --per_op, --bisect, --why and --auto_fp32 need one model on "
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
    if ((st = check_flags(c, err)) || (st = model_source_open(m->path, &m->model, &m->data, err)))
        return st;
    if (!m->model->n_subgraphs)
        return err_set(err, ST_BAD_MODEL, "%s: the model has no subgraph, so there is nothing to run", m->path);
    if ((st = signatures_choose(m->model, "signature", c->flags.signature, &m->subgraph, err)))
        return err_prefix(err, st, "%s", m->path);
    return model_pairs_find(m->model, m->subgraph, c->tool.model, c->subgraph, &m->arena, &m->pairs, err);
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
}

void diff_models_free(struct second_model *m)
{
    model_close(m->model);
    free(m->data);
    arena_free(&m->arena);
    *m = (struct second_model){0};
}
