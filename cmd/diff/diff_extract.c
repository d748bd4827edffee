/* SPDX-License-Identifier: Apache-2.0 */
/* diff_extract.c - --extract: cuts the nodes at fault out of the model, tries whether they still show it, and writes them. */
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/files.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "lib/base/file_write.h"
#include "lib/rewrite/extract.h"
#include "lib/tensor/npy.h"

/* Relative to the largest value of the reference: a smaller error may be rounding, and shows nothing. */
#define SHOWS_FLOAT32 0x1p-14
#define SHOWS_FLOAT16 0x1p-8

/* How often the part is made larger where it shows nothing: by its readers, by who makes what it reads, by readers again. */
#define MAX_GROWTH 3

/* One part, tried. */
struct attempt {
    struct arena arena;
    uint8_t *file;
    size_t bytes;
    struct model *model; /* parsed from the file */
    struct session *reference;
    struct part_delegates delegates;
    struct trial trial;
};

static void attempt_free(struct attempt *a)
{
    trial_free(&a->trial);
    part_delegates_free(&a->delegates);
    session_free(a->reference);
    model_close(a->model);
    free(a->file);
    arena_free(&a->arena);
    *a = (struct attempt){0};
}

/* The values that the whole model had where the part begins. */
static enum status fill_inputs(struct session *to, const struct model *part, struct err *err)
{
    const struct model_subgraph *g = &part->subgraphs[0];
    enum status st = ST_OK;

    for (uint32_t i = 0; i < g->n_inputs && !st; i++)
        st = session_set_input(to, i, g->tensors[g->inputs[i]].data, g->tensors[g->inputs[i]].bytes, err);
    return st;
}

/* Numbers the nodes as the part has them: by the tensors that they make, at[] of which extract_nodes_at tells. */
static enum status number_nodes(const struct graph *g, const struct model_subgraph *part, const uint32_t *at, struct arena *a,
                                uint32_t **numbers, struct err *err)
{
    uint32_t *maker = ARENA_ARRAY(a, part->n_tensors, uint32_t);

    *numbers = ARENA_ARRAY(a, g->n_nodes, uint32_t);
    if (!maker || !*numbers)
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    memset(maker, 0xff, part->n_tensors * sizeof *maker);
    for (uint32_t i = 0; i < part->n_ops; i++)
        for (uint32_t k = 0; k < part->ops[i].n_outputs; k++)
            if (part->ops[i].outputs[k] >= 0)
                maker[part->ops[i].outputs[k]] = i;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        const struct tensor *out = node_out(&g->nodes[i], 0);

        (*numbers)[i] = out && at[out->index] != UINT32_MAX ? maker[at[out->index]] : UINT32_MAX;
    }
    return ST_OK;
}

/* Cuts, and runs both sides on what comes out of the file. */
static enum status try_part(struct attempt *a, struct comparison *c, const struct session *whole, const bool *chosen,
                            struct err *err)
{
    const struct trial_terms terms = {0};
    struct session_options reference = {
        .num_threads = 1, .mode = CPU_REFERENCE, .float_weights = c->flags.reference_hybrid, .go_on = interrupt_go_on};
    struct session_options test = comparison_options(c, c->test.delegate);
    const struct graph *g = session_graph(whole);
    const uint32_t *at;
    uint32_t *numbers;
    struct model part;
    enum status st;

    test.partition = (struct partition_options){.no_quantized = test.partition.no_quantized};
    test.subgraph = 0;
    test.keep_intermediates = false;
    if ((st = extract_nodes_at(g, chosen, &a->arena, &part, &at, err)) ||
        (st = number_nodes(g, &part.subgraphs[0], at, &a->arena, &numbers, err)) ||
        (st = part_delegates_open(c, g, numbers, &a->delegates, &test, err)) ||
        (st = model_serialize(&part, &a->file, &a->bytes, err)) ||
        (st = model_parse(a->file, a->bytes, "the extracted model", &a->model, err)) ||
        (st = session_new(a->model, &reference, &a->reference, err)) || (st = session_prepare(a->reference, err)) ||
        (st = fill_inputs(a->reference, &part, err)) || (st = session_run(a->reference, err)) ||
        (st = trial_open(&a->trial, a->model, a->reference, &test, &terms, 1, false, err)) || (st = trial_run(&a->trial, 1, err)))
        return st;
    return trial_finish(&a->trial, err);
}

/* The output that is farthest off relative to its size, above the floor; one that is not finite before all others. */
static uint32_t worst_output(const struct trial *t, double *relative)
{
    uint32_t worst = 0;

    *relative = -1;
    for (uint32_t i = 0; i < t->diff.n_outputs; i++) {
        const double r = diff_relative_above(&t->diff.outputs[i].raw, tolerance_floor(t->precision));

        if (r > *relative) {
            worst = i;
            *relative = r;
        }
    }
    return worst;
}

static bool shows(const struct attempt *a, char *nothing, size_t size)
{
    const bool half = a->trial.precision != PRECISION_FP32;
    const double least = half ? SHOWS_FLOAT16 : SHOWS_FLOAT32;
    double relative;

    worst_output(&a->trial, &relative);
    if (!a->trial.assignment.n_delegated)
        snprintf(nothing, size, "the delegate takes no node of what was cut out");
    else if (relative <= least)
        snprintf(nothing, size,
                 "cut out, what was found is off by %.2g of its largest value, no more than rounding to %s may make of it (%.2g)",
                 relative, half ? "float16" : "float32", least);
    return a->trial.assignment.n_delegated && relative > least;
}

/* ---- which nodes, with which inputs ---- */

/* Marks the nodes of the session's graph that were found; false where none were. The node that --per_op blames is one, what
 * bisection finds may be more. */
static bool choose(const struct comparison *c, const struct session *whole, bool *chosen)
{
    const struct graph *g = session_graph(whole);
    const struct bisection *b = &c->bisect;
    bool any = false;

    for (uint32_t i = 0; i < g->n_nodes; i++) {
        chosen[i] = c->worst_op && c->worst_op->node->index == g->nodes[i].index;
        for (uint32_t k = 0; !c->worst_op && b->done && b->search.n_found && k < b->n_nodes; k++)
            if (k >= b->search.found[0].first && k < b->search.found[0].end)
                chosen[i] |= b->nodes[k]->index == g->nodes[i].index;
        any |= chosen[i];
    }
    return any;
}

/* A run in which it shows. */
static uint32_t choose_run(const struct comparison *c)
{
    return c->worst_op ? c->worst_op->worst_run : c->bisect.worst_run;
}

/* The reference with all of its inner values, after that run. */
static enum status open_whole(struct comparison *c, uint32_t run, struct session **out, struct err *err)
{
    struct session_options opt = {.num_threads = 1,
                                  .mode = CPU_REFERENCE,
                                  .float_weights = c->flags.reference_hybrid,
                                  .keep_intermediates = true,
                                  .subgraph = c->tool.subgraph,
                                  .go_on = interrupt_go_on};
    enum status st;

    if ((st = recording_play(&c->recording, run, c->reference.session, err)) || (st = session_new(c->tool.model, &opt, out, err)) ||
        (st = inputs_resize(&c->inputs, *out, err)) || (st = session_prepare(*out, err)))
        return st;
    for (uint32_t i = 0; i < session_n_inputs(*out) && !st; i++) {
        const struct tensor *t = session_input(c->reference.session, i);

        st = session_set_input(*out, i, t->data, t->bytes, err);
    }
    return st ? st : session_run(*out, err);
}

/* ---- writing ---- */

static enum status write_array(const struct extraction *x, const char *what, uint32_t i, const struct tensor *t, struct err *err)
{
    char path[EXTRACTION_PATH_SIZE + 64];

    snprintf(path, sizeof path, "%s.%s%u.npy", x->stem, what, i);
    return npy_write(path, t, err);
}

/* Where --input_dir finds it. */
static enum status write_input(const struct extraction *x, uint32_t i, const struct tensor *t, struct err *err)
{
    char path[EXTRACTION_PATH_SIZE + 64];

    snprintf(path, sizeof path, "%s.inputs/input_%u.npy", x->stem, i);
    return npy_write(path, t, err);
}

static enum status write_part(struct extraction *x, const char *path, const struct attempt *a, struct err *err)
{
    enum status st = file_write(path, &(struct file_piece){a->file, a->bytes}, 1, err);
    char inputs[EXTRACTION_PATH_SIZE + 64];

    snprintf(inputs, sizeof inputs, "%s.inputs", x->stem);
    st = st ? st : file_make_dir(inputs, err);

    for (uint32_t i = 0; i < session_n_inputs(a->reference) && !st; i++)
        if (!(st = write_array(x, "input", i, session_input(a->reference, i), err)))
            st = write_input(x, i, session_input(a->reference, i), err);
    for (uint32_t i = 0; i < session_n_outputs(a->reference) && !st; i++)
        if (!(st = write_array(x, "reference", i, session_output(a->reference, i), err)))
            st = write_array(x, "test", i, session_output(a->trial.session, i), err);
    return st;
}

static enum status describe(struct extraction *x, const struct attempt *a, const struct graph *g, const bool *chosen,
                            struct err *err)
{
    const uint32_t worst = worst_output(&a->trial, &x->relative);
    const struct tensor *t = session_output(a->reference, worst);
    char name[64];

    if (!(x->nodes = calloc((size_t)g->n_nodes + 1, sizeof *x->nodes)))
        return err_set(err, ST_NOMEM, "out of memory for %u nodes", g->n_nodes);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        if (chosen[i])
            x->nodes[x->n_nodes++] = g->nodes[i].index;
    snprintf(x->output, sizeof x->output, "'%s'", say_clean(t->name, name, sizeof name));
    x->max_error = diff_max_abs(&a->trial.diff.outputs[worst].raw);
    x->relative = diff_relative(&a->trial.diff.outputs[worst].raw);
    x->n_delegated = a->trial.assignment.n_delegated;
    x->n_inputs = session_n_inputs(a->reference);
    x->n_outputs = session_n_outputs(a->reference);
    return ST_OK;
}

/* Grows the part until it shows the difference. */
static enum status find_part(struct comparison *c, const struct session *whole, bool *chosen, struct arena *scratch,
                             struct err *err)
{
    struct extraction *x = &c->extraction;
    const struct graph *g = session_graph(whole);
    enum status st = ST_OK;

    for (int i = 0; i <= MAX_GROWTH && !st && !interrupted(); i++) {
        struct attempt a = {0};

        if ((st = try_part(&a, c, whole, chosen, err))) {
            /* The delegate may refuse what it takes in company. */
            snprintf(x->nothing, sizeof x->nothing, "%s", err->msg);
            st = st == ST_NOMEM ? st : ST_OK;
        } else if (shows(&a, x->nothing, sizeof x->nothing)) {
            *x->nothing = '\0';
            if (!(st = describe(x, &a, g, chosen, err)))
                st = write_part(x, c->flags.extract, &a, err);
            x->written = !st;
            x->delegates = a.delegates;
            a.delegates = (struct part_delegates){0};
            trial_free(&a.trial);
        }
        attempt_free(&a);
        if (st || x->written || !extract_grow(g, chosen, i == 1, scratch))
            break;
    }
    return st;
}

enum status diff_extract_run(struct comparison *c, struct err *err)
{
    struct extraction *x = &c->extraction;
    const size_t n = strlen(c->flags.extract), ending = n > 7 && !strcmp(c->flags.extract + n - 7, ".tflite") ? 7 : 0;
    struct session *whole = NULL;
    struct arena scratch = {0};
    bool *chosen;
    enum status st;

    if (!n)
        return ST_OK;
    snprintf(x->stem, sizeof x->stem, "%.*s", (int)(n - ending), c->flags.extract);
    snprintf(x->nothing, sizeof x->nothing, "%s", interrupted() ? "interrupted" : "no node was found to be off");
    if (!c->recording.n || (!c->worst_op && !(c->bisect.done && c->bisect.search.n_found)))
        return ST_OK;
    x->run = choose_run(c);
    if (!(st = open_whole(c, x->run, &whole, err))) {
        if (!(chosen = ARENA_ARRAY(&scratch, session_graph(whole)->n_nodes, bool)))
            st = err_set(err, ST_NOMEM, "out of memory");
        else if (choose(c, whole, chosen))
            st = find_part(c, whole, chosen, &scratch, err);
    }
    if (!x->written && interrupted())
        snprintf(x->nothing, sizeof x->nothing, "interrupted");
    session_free(whole);
    arena_free(&scratch);
    return st ? err_prefix(err, st, "--extract") : ST_OK;
}

void diff_extract_free(struct extraction *x)
{
    free(x->nodes);
    part_delegates_free(&x->delegates);
    *x = (struct extraction){0};
}
