/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.c - which operators of a model a delegate will run, which not, and why; needs no device. */
#include "cmd/coverage/op_coverage.h"

#include <string.h>

#include "cmd/host/say.h"
#include "cmd/tool/partition_check.h"
#include "lib/base/outcome.h"

/* One that --delegate names is asked besides those that flags of their own ask for, as in all tools; none is, by its name, alone.
 */
static enum status choose_delegate(struct coverage_run *r, struct err *err)
{
    struct delegates *ds = &r->tool.delegates;
    const struct delegate_type *wanted = delegates_wanted(ds);
    const bool named = cli_find(&r->tool.cli, "delegate")->given;
    enum status st;

    if (wanted && named && !strcmp(r->flags.delegate, "none"))
        return err_set(err, ST_USAGE, "--delegate=none asks the CPU kernels, and other flags ask for delegate %s", wanted->name);
    if (((named || !wanted) && (st = delegates_choose(ds, r->flags.delegate, err))) ||
        (st = delegates_check(ds, &r->tool.cli, err)))
        return st;
    r->chosen = r->type = delegates_wanted(ds);
    return *r->flags.rules ? delegates_check_one(ds, "--rules", err)
           : *r->flags.fix ? delegates_check_one(ds, "--fix", err)
                           : ST_OK;
}

static enum status find_cost(struct coverage_run *r, struct err *err)
{
    if (r->type)
        return coverage_cost_find(&r->coverage, r->tool.model, r->is_static || r->asked[1] ? NULL : r->delegate, r->flags.times,
                                  &r->cost, err);
    return *r->flags.times ? err_set(err, ST_USAGE, "--times: the CPU kernels are asked, and nothing crosses") : ST_OK;
}

static enum status check_fix(const struct coverage_run *r, struct err *err)
{
    if (*r->flags.fix && !r->delegate && !(r->n_columns && (r->columns[0].delegate || r->columns[0].rules)))
        return err_set(err, ST_USAGE, "--fix: the CPU kernels are asked, and nothing is refused for its form");
    return ST_OK;
}

/* For whom was asked first. What is known already is told before, for this may take minutes and may fail. */
static enum status make_fix(struct coverage_run *r, struct err *err)
{
    const struct coverage_column *first = r->n_columns ? &r->columns[0] : NULL;
    struct fix_judge judge;

    if (!*r->flags.fix)
        return ST_OK;
    if (r->coverage.cannot_run)
        return err_set(err, ST_BAD_MODEL, "--fix: %s", r->coverage.cannot_run);
    fflush(stdout);
    judge = first && first->rules ? fix_by_rules(first->rules) : fix_by_delegate(first ? first->delegate : r->delegate);
    r->fix.path = r->flags.fix;
    r->fix.whose = first ? first->name : r->type->name;
    return coverage_fix_make(&r->fix, r->tool.model, r->tool.subgraph, &judge, err);
}

static enum status extract(struct coverage_run *r, struct err *err)
{
    if (!*r->flags.extract)
        return ST_OK;
    if (!r->type)
        return err_set(err, ST_USAGE, "--extract_partitions: the CPU kernels are asked, which have no partitions");
    return coverage_extract_run(&r->coverage, r->flags.extract, r->path, &r->extracted, err);
}

/* What is missing was said with its reason; the status tells it too. */
static int exit_code(struct coverage_run *r)
{
    struct err err;

    if (r->extracted.n_missing)
        return say_error(err_set(&err, ST_UNSUPPORTED, "--extract_partitions: %u of %u partitions cannot be models of their own",
                                 r->extracted.n_missing, r->extracted.n),
                         &err);
    return outcome_exit_code(outcome_of(coverage_is_met(r) && coverage_fix_helped(&r->fix), false));
}

static int list_inputs(struct coverage_run *r)
{
    struct err err;
    enum status st = coverage_is_several(r) ? err_set(&err, ST_USAGE, "--list_inputs is for one model and one signature")
                                            : tool_take_operand(&r->tool, "graph", &r->flags.graph, &err);

    if (!st)
        st = tool_list_inputs(&r->tool, "graph", r->flags.graph, "signature", r->flags.signature, &err);
    return st ? say_error(st, &err) : 0;
}

static int cover(struct coverage_run *r)
{
    struct err err, why;
    enum status st, fixed;

    if (r->flags.list_inputs)
        return list_inputs(r);
    if (coverage_wants_bundle(r))
        return coverage_bundle(r);
    if ((st = cli_refuse(&r->tool.cli, (const char *const[]){"inline_weights"}, 1, "without --extract_model", &err)) ||
        (st = cli_refuse(&r->tool.cli, (const char *const[]){"gpu_max_memory"}, 1, "here, where nothing is allocated on a GPU",
                         &err)) ||
        (st = coverage_check_outputs(r, &err)) ||
        (st = requirements_read(r->flags.require, r->flags.max_partitions, &r->requirements, &err)) ||
        (st = choose_delegate(r, &err)) ||
        (st = partition_flags_check(&r->tool.cli, &r->flags.partition, coverage_asks_one(r) ? DELEGATE_ASKED : DELEGATE_NOT_ASKED,
                                    &err)))
        return say_error(st, &err);
    if (coverage_is_several(r))
        return coverage_several(r);
    if ((st = tool_take_operand(&r->tool, "graph", &r->flags.graph, &err)) || (st = coverage_ask_model(r, r->flags.graph, &err)) ||
        (st = find_cost(r, &err)) || (st = check_fix(r, &err)) || (st = extract(r, &err)) || (st = coverage_say(r, &err)))
        return say_error(st, &err);
    fixed = make_fix(r, &why);
    coverage_fix_say(&r->fix);
    if ((st = coverage_write_outputs(r, &err)))
        say_error(st, &err);
    return fixed ? say_error(fixed, &why) : st ? status_exit_code(st) : exit_code(r);
}

int main(int argc, char **argv)
{
    static struct coverage_run r = {
        .tool = {.cli = {.tool = "op_coverage",
                         .summary = "which operators of a TensorFlow Lite model a delegate runs, and why not the others",
                         .help = &coverage_help,
                         .operand = "MODEL.tflite, a bundle or a folder of them; several: a line each"},
                 .delegate_types = delegate_types,
                 .without = "dump_shaders" /* nothing is compiled */},
    };
    int code;

    cli_add(&r.tool.cli, coverage_flag_table, &r.flags);
    cli_add(&r.tool.cli, partition_flag_table, &r.flags.partition);
    code = tool_begin(&r.tool, argc, argv);
    if (!strcmp(r.flags.markdown, "-"))
        say_json_only();
    if (code == TOOL_GO_ON)
        code = cover(&r);
    results_fini(&r.results);
    coverage_forget_model(&r);
    return tool_end(&r.tool, code);
}
