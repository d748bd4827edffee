/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_text.c - coverage as tables, and the messages that TFLite's GPU delegate has for it. */
#include "cmd/coverage/coverage_words.h"
#include "cmd/coverage/op_coverage.h"
#include "cmd/host/say.h"
#include "cmd/tool/assignment_text.h"
#include "cmd/tool/say_tflite_errors.h"
#include "lib/graph/float_weights.h"

static void say_head(const struct coverage_run *r)
{
    const struct model *m = r->tool.model;
    char path[1024], words[COVERAGE_WORDS_SIZE];

    say_text("Model: %s (bytes=%zu subgraphs=%u nodes=%u)\n", say_clean(r->path, path, sizeof path), m->file_bytes, m->n_subgraphs,
             r->coverage.n_verdicts);
    if (*r->signature)
        say_text("Signature: %s (subgraph %u), one of %u\n", say_clean(r->signature, path, sizeof path), r->tool.subgraph,
                 m->n_signatures);
    if (r->coverage.cannot_run)
        say_text("This model runs nowhere, so operators are known by their names alone: %s\n",
                 say_clean(r->coverage.cannot_run, path, sizeof path));
    for (uint32_t i = 0; i < r->n_columns; i++)
        say_text("Rule set: %s, %s\n", r->columns[i].name, say_clean(r->columns[i].title, path, sizeof path));
    if (!r->n_columns)
        say_text("Delegate: %s\n", say_clean(coverage_asked(r, words), path, sizeof path));
}

/* "unknown" where none of the operator's nodes is counted: that is not 0. */
static const char *macs_share(const struct coverage_op *op, char out[16])
{
    if (op->macs_unknown && op->macs_unknown == op->nodes - op->folded)
        snprintf(out, 16, "unknown");
    else
        snprintf(out, 16, "%.1f%%", op->macs_percent);
    return out;
}

/* The reason is that of the operator's first node that has one; the JSON and --verbose have each node's. */
static void say_ops(const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char name[64], why[256];

    say_text("\n%-36s %6s %8s %6s %7s %7s  %s\n", "Operator", "nodes", r->type ? "covered" : "kernel", "folded", "MACs %",
             "version", "first reason");
    for (uint32_t i = 0; i < c->n_ops; i++) {
        const struct coverage_op *op = &c->ops[i];
        const struct verdict *refused = op->first_refused;
        char version[32], macs[16];
        int n = snprintf(version, sizeof version, "%d", op->min_version);

        if (op->max_version > op->min_version)
            snprintf(version + n, sizeof version - (size_t)n, "-%d", op->max_version);
        say_text("%-36s %6u %8u %6u %7s %7s", say_clean(op->name, name, sizeof name), op->nodes, op->covered, op->folded,
                 macs_share(op, macs), version);
        if (refused)
            say_text("  %s%s: %s", coverage_failure(refused), reason_name(refused->why.code),
                     say_clean(refused->why.text, why, sizeof why));
        say_text("\n");
    }
}

static void say_tensors(struct tensor *const *t, uint32_t n)
{
    char name[96];

    for (uint32_t i = 0; i < n; i++)
        if (t[i])
            say_text("%s%s %s", i ? ", " : "", say_clean(t[i]->name, name, sizeof name), TENSOR_TEXT(t[i]));
        else
            say_text("%s-", i ? ", " : "");
}

static void say_nodes(const struct coverage_run *r)
{
    char name[64], words[COVERAGE_WORDS_SIZE], why[COVERAGE_WORDS_SIZE];

    say_text("\nNodes:\n");
    for (uint32_t i = 0; i < r->coverage.n_verdicts; i++) {
        const struct verdict *v = &r->coverage.verdicts[i];

        say_text("%5u %s v%d: (", v->node->index, say_clean(v->node->name, name, sizeof name), v->node->version);
        say_tensors(v->node->in, v->node->n_in);
        say_text(") -> (");
        say_tensors(v->node->out, v->node->n_out);
        say_text("): %s\n", say_clean(coverage_words(r, v, words), why, sizeof why));
    }
}

static void say_gain(const struct coverage_run *r, const struct coverage_gain *g)
{
    char words[COVERAGE_WORDS_SIZE], text[COVERAGE_WORDS_SIZE];

    say_text("%s: ", say_clean(coverage_gain_words(r, g, words), text, sizeof text));
    say_text("%s\n", coverage_gain_counts(g, words));
}

static void say_partitions(const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    const struct partitioning *p = &c->parts;
    const bool several = r->asked[0] && r->asked[1];
    char name[64], words[COVERAGE_WORDS_SIZE];

    say_text("\nPartitions on the %s: %u (%u before limits)\n", coverage_backend(r), p->n_parts, p->n_before_limits);
    for (uint32_t i = 0; i < p->n_parts; i++)
        say_text("  %u: nodes=%u first=%u last=%u inputs=%u outputs=%u%s%s\n", i, p->parts[i].n_nodes, p->parts[i].nodes[0]->index,
                 p->parts[i].nodes[p->parts[i].n_nodes - 1]->index, p->parts[i].n_inputs, p->parts[i].n_outputs,
                 several ? " delegate=" : "", several ? coverage_whose(r, i) : "");
    say_text("Bytes that cross per run: %llu in, %llu out\n", (unsigned long long)c->bytes_in, (unsigned long long)c->bytes_out);
    if (c->outlined)
        say_text("Dispatches per run: %u and %u transfers; %u only copy\n", c->dispatches, c->transfers, c->n_copies);
    for (uint32_t i = 0; i < c->n_copies && r->tool.verbose; i++)
        say_text("  %s of node %d %s: %s\n", c->copies[i].label, c->copies[i].node ? (int)c->copies[i].node->index : -1,
                 c->copies[i].node ? say_clean(c->copies[i].node->name, name, sizeof name) : "", c->copies[i].why);
    if (*coverage_called_words(r, words))
        say_text("Called subgraphs: %s\n", words);
    for (uint32_t i = 0; i < c->n_gains; i++)
        say_gain(r, &c->gains[i]);
    if (c->n_untried)
        say_text("%s\n", coverage_untried_words(c, words));
}

static void say_totals(const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char nodes[SAY_COUNT_SIZE];

    say_text("\nCovered: %u of %s (%.1f%%), %u folded into constants", c->covered, say_count(c->to_run, "node", nodes),
             c->covered_percent, c->folded);
    if (r->type && c->macs)
        say_text("; %.1f%% of %.3f million multiply-accumulates", c->macs_percent, (double)c->macs / 1e6);
    if (c->macs_unknown)
        say_text("; nobody counted the multiply-accumulates of %s", say_count(c->macs_unknown, "node", nodes));
    say_text("\n");
}

static const struct delegate *whose(const struct coverage_run *r, const struct verdict *v)
{
    return r->asked[0] && r->asked[1] ? r->coverage.parts.parts[v->partition].delegate : r->delegate;
}

uint32_t coverage_hybrid_nodes(const struct coverage_run *r, char *ops, size_t size)
{
    uint32_t n = 0;

    if (size)
        *ops = '\0';
    for (uint32_t i = 0; r->delegate && i < r->coverage.n_verdicts; i++) {
        const struct verdict *v = &r->coverage.verdicts[i];

        if (!v->covered || !node_is_hybrid(v->node) || !whose(r, v)->multiplies_floats)
            continue;
        n++;
        if (size)
            node_name_once(ops, size, v->node);
    }
    return n;
}

static void say_hybrid(const struct coverage_run *r)
{
    char ops[256], nodes[SAY_COUNT_SIZE];
    const uint32_t n = coverage_hybrid_nodes(r, ops, sizeof ops);

    if (n)
        say_text(
            "By design: %s (%s): floats times weights of 8 bits or fewer; the CPU quantizes the floats first, the %s does not.\n",
            say_count(n, "node", nodes), ops, coverage_backend(r));
}

/* The messages of TFLite's GPU delegate, the older one and the current one: scripts look for either. */
static enum status say_delegate_messages(const struct coverage_run *r, struct err *err)
{
    const struct coverage *c = &r->coverage;

    say_text("\n");
    if (c->first_refused)
        say_text("WARNING: op code #%d cannot be handled by this delegate.  Only the first %u ops will run on the %s, and the "
                 "remaining %u on the CPU.\n",
                 c->first_refused->node->builtin, c->parts.n_delegated, coverage_backend(r), c->parts.n_cpu);
    return assignment_say_refusals(c->graphs[0], &c->parts, coverage_backend(r), err);
}

static void say_requirements(const struct requirements *list)
{
    for (uint32_t i = 0; i < list->n; i++) {
        const struct requirement *q = &list->list[i];
        char text[128];

        say_text("Required: %s: %s, %s\n", say_clean(q->text, text, sizeof text), q->met ? "met" : "not met", q->found);
    }
}

static enum status say_several(const struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;

    coverage_say_table(r);
    for (uint32_t i = 0; i < r->n_columns && !st; i++) {
        if (r->columns[i].rules && r->columns[i].rules->log != RULES_LOG_NONE && r->columns[i].coverage->parts.n_cpu)
            say_text("\nAs %s says it:", r->columns[i].name);
        st = coverage_say_log(&r->columns[i], err);
    }
    for (uint32_t i = 0; i < r->n_columns; i++)
        if (r->columns[i].requirements.n) {
            say_text("\n%s:\n", r->columns[i].name);
            say_requirements(&r->columns[i].requirements);
        }
    return st;
}

enum status coverage_say(const struct coverage_run *r, struct err *err)
{
    enum status st = ST_OK;

    say_head(r);
    if (r->n_columns > 1)
        return say_several(r, err);
    say_ops(r);
    if (r->tool.verbose)
        say_nodes(r);
    if (r->type)
        say_partitions(r);
    coverage_cost_say(&r->cost, coverage_backend(r));
    say_totals(r);
    say_hybrid(r);
    if (r->coverage.n_graphs)
        say_tflite_errors(r->coverage.graphs[0]);
    if (r->n_columns && r->columns[0].rules)
        st = coverage_say_log(&r->columns[0], err);
    else if (r->type && r->coverage.parts.n_cpu)
        st = say_delegate_messages(r, err);
    say_requirements(&r->requirements);
    coverage_extract_say(&r->extracted);
    return st;
}
