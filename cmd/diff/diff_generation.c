/* SPDX-License-Identifier: Apache-2.0 */
/* diff_generation.c - a language model on both sides, token by token in lock step: where the first other token comes from. */
#include <math.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/outcome.h"
#include "lib/delegate/assignment.h"
#include "lib/generate/generator.h"

/* One token that both sides made of the same tokens before it. */
struct step {
    int32_t reference, test;
    double error, largest; /* of the logits: largest |test - reference|, largest |reference| */
    double margin;         /* reference's logit of its token, less that of the test's token */
};

struct lock_step {
    struct generator *reference, *test;
    struct generator_facts facts;
    int32_t *prompt;
    struct step *steps; /* [n] */
    uint32_t n_prompt, n, n_wanted;
    uint32_t first, worst, n_other; /* the first step of other tokens (UINT32_MAX: none), of the largest error, their number */
    uint32_t n_nodes, n_delegated;  /* of both signatures */
    bool searched;                  /* the node to blame was searched for */
    char blame[256];                /* the node, or why there is none */
    struct arena arena;
};

static enum status check_flags(const struct comparison *c, struct err *err)
{
    static const char *const without[] = {"per_op",
                                          "bisect",
                                          "why",
                                          "auto_fp32",
                                          "extract",
                                          "html",
                                          "markdown",
                                          "delegates",
                                          "precisions",
                                          "all_runtimes",
                                          "repeat_loads",
                                          "reference_model",
                                          "reference_tensors",
                                          "signature",
                                          "node_data_dir",
                                          "atol",
                                          "rtol",
                                          "max_ulp",
                                          "preset",
                                          "tolerance",
                                          "fail_on",
                                          "num_runs",
                                          "repeat",
                                          "max_secs",
                                          "save_inputs",
                                          "load_inputs",
                                          "save_outputs",
                                          "load_outputs",
                                          "load_reference_outputs",
                                          "load_test_outputs",
                                          "gpu_io",
                                          "require"};

    return generation_refuse(&c->tool.cli, without, sizeof without / sizeof *without, err);
}

/* ---- both sides ---- */

static struct session_options reference_options(const struct comparison *c)
{
    return (struct session_options){.num_threads = 1,
                                    .mode = CPU_REFERENCE,
                                    .precision = (enum session_precision)c->flags.reference_precision,
                                    .float_weights = c->flags.reference_hybrid,
                                    .go_on = interrupt_go_on};
}

static enum status open_model(struct comparison *c, struct err *err)
{
    enum status st;

    if ((st = delegates_choose(&c->tool.delegates, c->flags.delegate, err)) || (st = diff_reference_read(c, err)) ||
        (st = delegates_check(&c->tool.delegates, &c->tool.cli, err)) ||
        (st = partition_flags_check(&c->tool.cli, &c->flags.partition,
                                    delegates_wanted(&c->tool.delegates) ? DELEGATE_ASKED : DELEGATE_NOT_ASKED, err)) ||
        (st = tool_take_operand(&c->tool, "model_file", &c->flags.model_file, err)) ||
        (st = tool_open_model(&c->tool, "model_file", diff_model_path(&c->flags), err)) || (st = diff_matrix_open_delegate(c, err)))
        return st;
    delegates_say(&c->tool.delegates);
    return ST_OK;
}

static void count_nodes(struct lock_step *l, const struct session *s)
{
    const struct assignment sum = assignment_of(session_graph(s), session_partitioning(s));

    l->n_nodes += sum.n_delegated + sum.n_cpu;
    l->n_delegated += sum.n_delegated;
}

static enum status open_sides(struct comparison *c, struct lock_step *l, struct err *err)
{
    const struct generation_flags *f = &c->generation;
    struct generator_options reference = {f->prefill, f->decode, reference_options(c)};
    struct generator_options test = {f->prefill, f->decode, comparison_options(c, c->tool.delegates.opened)};
    enum status st;

    if ((st = diff_reference_open(c, &reference.session, err)))
        return st;
    if ((st = generator_new(c->tool.model, &reference, &l->reference, err)))
        return err_prefix(err, st, "reference");
    if ((st = generator_new(c->tool.model, &test, &l->test, err)))
        return err_prefix(err, st, "test");
    generator_facts(l->test, &l->facts);
    count_nodes(l, generator_prefill_session(l->test));
    count_nodes(l, generator_decode_session(l->test));
    if ((st = diff_reference_check(c, generator_decode_session(l->reference), err)) ||
        (st = generation_prompt(f, c->input_flags.seed, l->facts.vocabulary, &l->arena, &l->prompt, &l->n_prompt, err)))
        return st;
    l->n_wanted = (uint32_t)f->decode_tokens;
    if ((uint64_t)l->n_prompt + l->n_wanted - 1 > l->facts.capacity)
        return err_set(err, ST_USAGE, "a prompt of %u tokens and %u made ones do not fit in the state of %u", l->n_prompt,
                       l->n_wanted, l->facts.capacity);
    l->steps = ARENA_ARRAY(&l->arena, l->n_wanted, struct step);
    return l->steps ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %u tokens", l->n_wanted);
}

/* ---- the node to blame ---- */

/* Sessions with all tensors to look at, and single nodes on the delegate. */
struct search {
    struct session *reference, *test;
    struct op_diffs ops;
    struct op_alone alone;
};

static enum status run_search(struct comparison *c, const struct lock_step *l, struct search *s, struct err *err)
{
    struct session_options reference = reference_options(c), test = comparison_options(c, c->tool.delegates.opened);
    enum status st;

    reference.subgraph = test.subgraph = session_graph(generator_decode_session(l->test))->subgraph;
    reference.keep_intermediates = test.keep_intermediates = true;
    s->alone.stop = interrupted;
    if ((st = session_new(c->tool.model, &reference, &s->reference, err)) || (st = session_prepare(s->reference, err)) ||
        (st = session_new(c->tool.model, &test, &s->test, err)) || (st = session_prepare(s->test, err)) ||
        (st = op_diffs_init(&s->ops, s->reference, s->test, err)) ||
        (test.delegates[0] && (st = op_alone_open(&s->alone, s->reference, &test, err))) ||
        (st = generator_last_inputs(l->reference, s->reference, err)) || (st = generator_last_inputs(l->reference, s->test, err)) ||
        (st = session_run(s->reference, err)) || (st = session_run(s->test, err)))
        return st;
    op_diffs_add(&s->ops);
    if (test.delegates[0] && (st = op_alone_run(&s->alone, &s->ops, err)))
        return st;
    op_diffs_judge(&s->ops);
    return ST_OK;
}

/* At the step at which the reference stands: the node that is off on the reference's own inputs. */
static void find_blame(struct comparison *c, struct lock_step *l)
{
    struct search s = {.reference = NULL};
    struct err err = {""};
    const enum status st = run_search(c, l, &s, &err);
    const struct op_diff *o = st ? NULL : c->tool.delegates.opened ? op_diffs_worst(&s.ops) : op_diffs_first_drift(&s.ops, -1);
    char name[128];

    l->searched = true;
    if (o) {
        const struct diff *own = o->ran_alone ? &o->alone : &o->diff;

        snprintf(l->blame, sizeof l->blame, "node %u %s, tensor '%.100s': largest error %.4g on the reference's inputs",
                 o->node->index, o->node->name, say_clean(o->test->name, name, sizeof name),
                 own->unequal ? INFINITY : own->max_abs);
    } else if (st) {
        snprintf(l->blame, sizeof l->blame, "no node was found: %.200s", err.msg);
    } else {
        snprintf(l->blame, sizeof l->blame,
                 "no node of this step is off by more than rounding: the error grew over the tokens before");
    }
    op_alone_free(&s.alone);
    op_diffs_free(&s.ops);
    session_free(s.test);
    session_free(s.reference);
}

/* ---- the steps ---- */

static void compare_logits(struct lock_step *l)
{
    struct step *s = &l->steps[l->n];

    s->reference = generator_greedy(l->reference);
    s->test = generator_greedy(l->test);
    for (uint32_t i = 0; i < l->facts.vocabulary; i++) {
        const double a = generator_logit(l->reference, i), b = generator_logit(l->test, i);

        s->error = fmax(s->error, isnan(a) != isnan(b) ? INFINITY : fabs(b - a));
        s->largest = fmax(s->largest, fabs(a));
    }
    s->margin = generator_logit(l->reference, (uint32_t)s->reference) - generator_logit(l->reference, (uint32_t)s->test);
}

static enum status run_steps(struct comparison *c, struct lock_step *l, struct err *err)
{
    struct progress progress = {.what = "tokens", .min_runs = (int32_t)l->n_wanted, .max_secs = INFINITY};
    int32_t token = l->prompt[l->n_prompt - 1];
    enum status st = generator_prefill(l->reference, l->prompt, l->n_prompt, err);

    st = st ? st : generator_prefill(l->test, l->prompt, l->n_prompt, err);
    while (!st && l->n < l->n_wanted && !interrupted()) {
        if ((st = generator_decode(l->reference, token, err)) || (st = generator_decode(l->test, token, err)))
            break;
        compare_logits(l);
        token = l->steps[l->n].reference;
        if (l->steps[l->n].error > l->steps[l->worst].error)
            l->worst = l->n;
        l->n_other += token != l->steps[l->n].test;
        if (token != l->steps[l->n].test && l->first == UINT32_MAX) {
            l->first = l->n;
            if (!c->runtime.opened)
                find_blame(c, l);
        }
        progress_show(&progress, ++l->n, 0);
    }
    progress_end(&progress);
    return st == ST_LATER ? ST_OK : st;
}

/* ---- what is printed ---- */

static bool delegated_enough(const struct comparison *c, const struct lock_step *l)
{
    return !c->tool.delegates.opened || (l->n_delegated >= (uint32_t)c->flags.min_delegated &&
                                         (!c->flags.require_full_delegation || l->n_delegated == l->n_nodes));
}

static bool passed(const struct comparison *c, const struct lock_step *l)
{
    return l->n && !l->n_other && delegated_enough(c, l);
}

static void add_lines(struct result_section *to, const struct comparison *c, const struct lock_step *l)
{
    const struct delegate *d = c->tool.delegates.opened;
    const bool ok = passed(c, l);
    char count[SAY_COUNT_SIZE];

    result_line(to, RESULT_TITLE | (ok ? RESULT_GOOD : RESULT_BAD), "Verdict: %s. %u of %s equal, after a prompt of %u",
                ok ? "passed" : "FAILED", l->n - l->n_other, say_count(l->n, "token", count), l->n_prompt);
    if (d)
        result_line(to, RESULT_TITLE, "  %u of %u nodes of both signatures on the %s; %u of %u state tensors on the device",
                    l->n_delegated, l->n_nodes, d->type->label, l->facts.n_on_device, l->facts.n_states);
    if (!delegated_enough(c, l))
        result_line(to, RESULT_TITLE | RESULT_BAD, "  too few nodes, where --min_delegated=%d%s", c->flags.min_delegated,
                    c->flags.require_full_delegation ? " and --require_full_delegation" : "");
    if (l->n)
        result_line(to, RESULT_TITLE, "  largest error of logits %.4g, where they reach %.4g: at token %u",
                    l->steps[l->worst].error, l->steps[l->worst].largest, l->worst);
    if (l->first == UINT32_MAX)
        return;
    result_wrapped(to, RESULT_TITLE, 4, "  token %u is the first other one: %d, the reference's is %d, larger by %.4g; error %.4g",
                   l->first, (int)l->steps[l->first].test, (int)l->steps[l->first].reference, l->steps[l->first].margin,
                   l->steps[l->first].error);
    if (l->searched)
        result_wrapped(to, RESULT_TITLE, 4, "  there: %s", l->blame);
}

static void add_json(struct results *r, const struct comparison *c, const struct lock_step *l)
{
    struct report *out = r->report;
    struct json *root = report_root(out), *list;

    report_origin(out, &c->tool, "inference_diff_generation");
    json_string(out, root, "model_path", diff_model_path(&c->flags));
    json_bool(out, root, "passed", passed(c, l));
    json_bool(out, root, "interrupted", interrupted());
    JSON_NUMBERS(out, root, {"prompt_tokens", l->n_prompt}, {"decode_tokens", l->n}, {"other_tokens", l->n_other},
                 {"nodes", l->n_nodes}, {"delegated", l->n_delegated}, {"state_tensors", l->facts.n_states},
                 {"state_on_device", l->facts.n_on_device}, {"first_other", l->first == UINT32_MAX ? NAN : l->first});
    json_string(out, root, "blame", l->searched ? l->blame : NULL);
    list = json_array(out, root, "tokens");
    for (uint32_t i = 0; i < l->n; i++) {
        struct json *o = json_object(out, list, NULL);

        JSON_NUMBERS(out, o, {"reference", l->steps[i].reference}, {"test", l->steps[i].test}, {"max_error", l->steps[i].error},
                     {"largest_reference", l->steps[i].largest}, {"margin", l->steps[i].margin});
    }
}

static enum status say_results(const struct comparison *c, const struct lock_step *l, struct err *err)
{
    struct results r;
    enum status st;

    results_init(&r, NULL, 1, *c->tool.json != '\0');
    add_lines(r.parts[0], c, l);
    if (r.report)
        add_json(&r, c, l);
    st = results_say(r.parts[0], RESULT_TEXT, err);
    if (!st && r.report)
        st = report_write(r.report, c->tool.json, err);
    results_fini(&r);
    return st;
}

int diff_generation_main(struct comparison *c)
{
    struct lock_step l = {.first = UINT32_MAX};
    struct err err;
    enum status st;
    int code;

    interrupt_catch();
    if ((st = check_flags(c, &err)) || (st = open_model(c, &err)) || (st = open_sides(c, &l, &err)) ||
        (st = run_steps(c, &l, &err)) || (st = say_results(c, &l, &err)))
        code = say_error(st, &err);
    else
        code = outcome_exit_code(outcome_of(passed(c, &l), interrupted()));
    generator_free(l.test);
    generator_free(l.reference);
    arena_free(&l.arena);
    return code;
}
