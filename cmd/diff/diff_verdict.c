/* SPDX-License-Identifier: Apache-2.0 */
/* diff_verdict.c - the lines that say whether a comparison has passed. */
#include "cmd/diff/diff_results.h"

#include "cmd/host/say.h"
#include "lib/graph/float_weights.h"

bool comparison_passed(const struct comparison *c)
{
    return c->matrix.n ? matrix_passed(&c->matrix) : c->test.verdict.passed;
}

static void add_reference(struct result_section *to, const struct comparison *c)
{
    if (c->stored.reference.n_runs)
        result_more(to, "the reference is stored in %s: %.255s.", c->stored.reference.dir, c->stored.reference.what);
    else if (c->runtime.opened)
        result_more(to, "the reference is %s: %.255s.", c->runtime.opened->type->label, c->runtime.opened->device);
    else
        result_more(to, "the reference%s%s all on its reference kernels.", c->second.model ? ", the model " : "",
                    c->second.model ? c->second.path : "");
}

/* Where both sides are right and differ, of partitions of this delegate (NULL: of any): a name of each operator, and how many
 * nodes. */
static uint32_t hybrid_nodes(const struct comparison *c, const struct delegate *of, char *ops, size_t size)
{
    const struct partitioning *p = c->test.session ? session_partitioning(c->test.session) : NULL;
    const struct graph *g = c->test.session ? session_graph(c->test.session) : NULL;
    uint32_t n = 0;

    if (size)
        *ops = '\0';
    if (!p || c->flags.reference_hybrid || c->second.model || c->stored.test.n_runs)
        return 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct delegate *d = p->part_of[i] < 0 ? NULL : p->parts[p->part_of[i]].delegate;

        if (!d || !d->multiplies_floats || (of && d != of) || !node_is_hybrid(&g->nodes[i]))
            continue;
        n++;
        if (size)
            node_name_once(ops, size, &g->nodes[i]);
    }
    return n;
}

uint32_t diff_hybrid_nodes(const struct comparison *c, char *ops, size_t size)
{
    return hybrid_nodes(c, NULL, ops, size);
}

static void add_hybrid_of(struct result_section *to, const struct comparison *c, const struct delegate *d)
{
    char ops[256];
    const uint32_t n = hybrid_nodes(c, d, ops, sizeof ops);

    if (n)
        result_line(
            to, RESULT_PLAIN,
            "By design: %u %s of the %s %s floats by weights of 8 bits or fewer (%s). The CPU's kernels quantize the floats first, "
            "as TensorFlow Lite's do, the %s does not: --reference_hybrid=float holds it against products of floats.",
            n, n == 1 ? "node" : "nodes", d->type->label, n == 1 ? "multiplies" : "multiply", ops, d->type->label);
}

static void add_hybrid(struct result_section *to, const struct comparison *c)
{
    const struct partitioning *p = c->test.session ? session_partitioning(c->test.session) : NULL;

    for (uint32_t i = 0; p && i < p->n_parts; i++) {
        uint32_t first = 0;

        while (p->parts[first].delegate != p->parts[i].delegate)
            first++;
        if (first == i)
            add_hybrid_of(to, c, p->parts[i].delegate);
    }
}

/* What ran of the graphs that nodes on the CPU call: those of IF, WHILE and composites. */
static void add_called(struct result_section *to, const struct session_called *k)
{
    char graphs[SAY_COUNT_SIZE];

    if (k->subgraphs)
        result_more(to, " (of %s %u of %u nodes)", say_count(k->subgraphs, "called subgraph", graphs), k->delegated, k->nodes);
    result_more(to, ", ");
}

static bool clamps_infinities(const struct node *n)
{
    static const int32_t clamping[] = {BUILTIN_ADD, BUILTIN_SUB,         BUILTIN_MUL,
                                       BUILTIN_DIV, BUILTIN_MAX_POOL_2D, BUILTIN_AVERAGE_POOL_2D};

    for (size_t i = 0; i < sizeof clamping / sizeof *clamping; i++)
        if (n->builtin == clamping[i] && n->n_out && n->out[0] && n->out[0]->type == TYPE_FLOAT32)
            return true;
    return false;
}

/* Infinities that the test side alone has may be those that TensorFlow Lite's kernels, and so the reference, make finite. */
static void add_clamped(struct result_section *to, const struct comparison *c)
{
    const struct graph *g = c->reference.session ? session_graph(c->reference.session) : NULL;
    const struct node *first = NULL;
    bool more = false;

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++)
        more |= c->test.diff.outputs[i].raw.inf_test > c->test.diff.outputs[i].raw.inf_reference;
    for (uint32_t i = 0; g && i < g->n_nodes && !first; i++)
        first = clamps_infinities(&g->nodes[i]) ? &g->nodes[i] : NULL;
    if (more && first)
        result_line(
            to, RESULT_PLAIN,
            "TensorFlow Lite's kernels, as the reference, clamp infinities to 3.4e38 in arithmetic and pools, node %u %s the first "
            "here; the test side keeps them: that may be all that differs (bench/CONFORMANCE.md).",
            first->index, builtin_name(first->builtin));
}

/* The sentence is the page's: text has the answer (diff_answer.c). Nodes that both sides gave to the reference kernels show
 * nothing. */
void diff_verdict_results(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_VERDICT];
    const struct assignment *a = &c->test.assignment;
    const struct trial_verdict *v = &c->test.verdict;
    uint32_t of, n = trial_n_on_delegate(&c->test, &of);
    char failed[DIFF_FAILED_SIZE], names[64];
    const char *label = *delegates_label(c->tool.delegates.all, names) ? names : "delegate";
    const char *kernels = c->flags.cpu_kernels == CPU_FAST ? "fast" : "reference";

    if (c->matrix.n) {
        if (!comparison_passed(c))
            add_hybrid(to, c);
        diff_matrix_verdict(to, &c->matrix, c->runtime.opened ? c->runtime.opened->device : "the reference kernels");
        return;
    }
    if (!v->delegated_enough)
        result_line(to, RESULT_PLAIN, "Too few nodes on the %s: %u of %u, where --min_delegated=%d%s.", label, n, of,
                    c->flags.min_delegated, c->flags.require_full_delegation ? " and --require_full_delegation" : "");
    if (!v->outputs_passed || c->flags.why)
        add_hybrid(to, c);
    if (!c->test.diff.runs)
        result_line(to, RESULT_NOTE, "No run was completed: there is nothing to compare.");
    else if (!v->outputs_passed)
        result_line(to, RESULT_NOTE, "Outputs differ by more than they may: %s.", diff_failed_text(v->failed_on, failed));
    if (!v->outputs_passed)
        add_clamped(to, c);
    if (c->stored.test.n_runs) {
        result_line(to, RESULT_NOTE, "Verdict: %s. The test side is stored in %s: %.255s; ", v->passed ? "passed" : "FAILED",
                    c->stored.test.dir, c->stored.test.what);
        add_reference(to, c);
        return;
    }
    result_line(to, RESULT_NOTE, "Verdict: %s. The test side had ", v->passed ? "passed" : "FAILED");
    if (c->tool.delegates.opened) {
        result_more(to, "%u of %u nodes on the %s", a->n_delegated, a->n_delegated + a->n_cpu, label);
        add_called(to, &c->test.called);
    }
    if (c->test.dynamic.delegated)
        result_more(to, "%u more once their shapes were known in a run, the others on the CPU's %s kernels; ",
                    c->test.dynamic.delegated, kernels);
    else
        result_more(to, "%u of %u nodes on the CPU's %s kernels; ", a->n_cpu, a->n_delegated + a->n_cpu, kernels);
    add_reference(to, c);
}
