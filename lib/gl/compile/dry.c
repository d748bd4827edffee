/* SPDX-License-Identifier: Apache-2.0 */
/* dry.c - a partition of one node, generated for nobody. */
#include "lib/gl/compile/dry.h"

#include <stdio.h>
#include <string.h>

#include "lib/gl/lower/exact.h"

/* The partition that `n` alone would be, but for what readers of its outputs would take of it. */
static bool partition_of(const struct node *n, struct arena *a, struct partition *p)
{
    *p = (struct partition){.inputs = ARENA_ARRAY(a, n->n_in, struct tensor *),
                            .outputs = ARENA_ARRAY(a, n->n_in + n->n_out, struct tensor *)};
    if (!p->inputs || !p->outputs)
        return false;
    for (uint32_t i = 0; i < n->n_in; i++) {
        uint32_t k = 0;

        while (k < p->n_inputs && p->inputs[k] != n->in[i])
            k++;
        if (k < p->n_inputs || !n->in[i] || n->in[i]->is_const)
            continue;
        p->inputs[p->n_inputs++] = n->in[i];
        if (n->in[i]->is_variable)
            p->outputs[p->n_outputs++] = n->in[i];
    }
    if (node_reads_variable(n))
        p->inputs[p->n_inputs++] = n->variable;
    if (node_assigns_variable(n))
        p->outputs[p->n_outputs++] = n->variable;
    for (uint32_t i = 0; i < n->n_out; i++)
        if (n->out[i])
            p->outputs[p->n_outputs++] = n->out[i];
    return true;
}

static enum status dry_run(const struct gl_recipe *how, const struct graph *g, const struct node *n, struct gl_tried *tried,
                           struct gl_draft *draft, struct err *err)
{
    struct node *node = &g->nodes[n - g->nodes];
    struct gl_recipe judged = *how;
    const struct node *stuck;
    struct partition part;

    if (!partition_of(node, &tried->arena, &part))
        return ir_nomem(err);
    part.nodes = &node;
    part.n_nodes = 1;
    judged.textless = true;
    return gl_generate(&judged, g, &part, tried, draft, &stuck, err);
}

static enum status judge_once(const struct gl_recipe *how, const struct graph *g, const struct node *n, struct reason *why,
                              struct err *err)
{
    struct gl_tried tried = {0};
    struct gl_draft draft = {0};
    enum status st;

    why->code = REASON_NONE;
    if (!gl_accept(how->limits, how->quant, g, n, why))
        return ST_OK;
    st = dry_run(how, g, n, &tried, &draft, err);
    arena_free(&draft.arena);
    arena_free(&tried.arena);
    if (st != ST_UNSUPPORTED)
        return st;
    reason_set(why, REASON_DEVICE_LIMIT, "%s", err->msg);
    return ST_OK;
}

/* Modes are as wide as a reason's text: what has no room is cut from the reason proper. */
static void add_modes(struct reason *why, const char *modes)
{
    char more[64];
    size_t n = strlen(why->text), m = (size_t)snprintf(more, sizeof more, "; --gpu_quant=%s takes it", modes);

    if (n + m >= sizeof why->text)
        n = sizeof why->text - 1 - m;
    memcpy(why->text + n, more, m + 1);
}

/* The other ways to compute with quantized tensors that take the node. */
static enum status ask_other_modes(const struct gl_recipe *how, const struct graph *g, const struct node *n, struct reason *why,
                                   struct err *err)
{
    bool takes[] = {[GPU_QUANT_NONE] = false, [GPU_QUANT_SIMULATE] = false, [GPU_QUANT_EXACT] = false};

    for (int q = GPU_QUANT_SIMULATE; q <= GPU_QUANT_EXACT; q++) {
        struct gl_recipe other = *how;
        struct reason no;
        enum status st;

        if (q == (int)how->quant)
            continue;
        other.quant = (enum gpu_quant)q;
        other.dump_ir = NULL;
        if ((st = judge_once(&other, g, n, &no, err)))
            return st;
        takes[q] = no.code == REASON_NONE;
    }
    if (takes[GPU_QUANT_SIMULATE] || takes[GPU_QUANT_EXACT])
        add_modes(why, !takes[GPU_QUANT_EXACT] ? "simulate" : takes[GPU_QUANT_SIMULATE] ? "simulate or exact" : "exact");
    return ST_OK;
}

enum status gl_judge(const struct gl_recipe *how, const struct graph *g, const struct node *n, struct reason *why, struct err *err)
{
    enum status st = judge_once(how, g, n, why, err);

    if (st || why->code == REASON_NONE || !gl_exact_concerns(n))
        return st;
    return ask_other_modes(how, g, n, why, err);
}
