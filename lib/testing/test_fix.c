/* SPDX-License-Identifier: Apache-2.0 */
/* test_fix.c - the configurable judge of rewrites, and the checks of a fix. */
#include "lib/testing/test_fix.h"

#include <stdio.h>

/* ---- a judge that takes operators by their names, up to a rank and of version 1 ---- */

int32_t most_rank = 4, most_version = 1;
bool same_ranks, just_four;

static bool fits(const struct node *n, const char *takes, const char **why)
{
    char name[72];

    snprintf(name, sizeof name, " %s ", n->name);
    *why = "not on the list";
    if (!strstr(takes, name))
        return false;
    *why = "version";
    if (n->version > most_version)
        return false;
    *why = "rank";
    for (uint32_t i = 0; i < n->n_in + n->n_out; i++) {
        const struct tensor *t = i < n->n_in ? n->in[i] : n->out[i - n->n_in];

        if (t && t->rank > most_rank)
            return false;
    }
    *why = "ranks";
    if (same_ranks && n->builtin == BUILTIN_ADD && n->in[0]->rank != n->in[1]->rank)
        return false;
    if (just_four && (n->builtin == BUILTIN_CONCATENATION || n->builtin == BUILTIN_PAD) && n->out[0]->rank != 4)
        return false;
    if (just_four && n->builtin == BUILTIN_GATHER && n->in[1]->rank != 1)
        return false;
    *why = "masks";
    return n->builtin != BUILTIN_STRIDED_SLICE || !((const struct opt_strided_slice *)n->opt)->shrink_axis_mask;
}

static enum status ask(void *arg, const struct graph *g, struct reason *out, struct err *ignored)
{
    const char *why;

    (void)ignored;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        out[i] = (struct reason){0};
        if (!fits(&g->nodes[i], arg, &why))
            reason_set(&out[i], REASON_UNSUPPORTED_OPERATOR, "%s", why);
    }
    return ST_OK;
}

/* ---- models ---- */

static struct err err;

/* Names of all operators of the file, with spaces between. */
static void list_ops(const uint8_t *file, size_t bytes, char *out, size_t size)
{
    struct model *m;
    size_t at = 0;

    TEST_OK(model_parse(file, bytes, "fixed", &m, &err), err);
    *out = '\0';
    for (uint32_t i = 0; i < m->subgraphs[0].n_ops; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? " " : "", model_op_name(m, &m->subgraphs[0].ops[i]));
    model_close(m);
}

/* Fixes the builder's model for a set; `after` are its operators then, NULL where nothing is to be done. */
void fix_for(struct builder *b, const char *takes, const char *after, struct fix *out)
{
    struct loaded l = load(b);
    const struct fix_judge judge = {ask, (void *)takes};
    char ops[512];

    TEST_OK(fix_model(l.model, 0, &judge, false, out, &err), err);
    if (after) {
        assert_non_null(out->file);
        list_ops(out->file, out->bytes, ops, sizeof ops);
        assert_string_equal(ops, after);
        assert_int_equal(out->refused_after, 0);
        TEST_OK(fix_verify(l.model, 0, out, NULL, &err), err);
        assert_true(out->runs > 0 && (out->arithmetic || out->max_error == 0));
    } else {
        assert_null(out->file);
    }
    unload(&l);
}
