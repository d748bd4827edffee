/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_agree.c - see gpu_agree.h */
#include "bench/opcheck/gpu_agree.h"

#include <stdio.h>
#include <string.h>

#include "lib/gl/gpu/gpu.h"
#include "lib/session/delegation.h"

/* A node's fate in a few words. */
static const char *fate(int32_t part, const struct reason *why)
{
    return part >= 0 ? "covered" : why->code == REASON_NONE ? "folded" : why->text;
}

static enum status compare(const struct coverage *c, const struct partitioning *p, struct err *err)
{
    for (uint32_t i = 0; i < c->n_verdicts; i++) {
        const struct verdict *v = &c->verdicts[i];
        const struct reason *why = &p->reasons[i];

        if (v->covered == (p->part_of[i] >= 0) && v->partition == p->part_of[i] && v->why.code == why->code &&
            !strcmp(fate(v->partition, &v->why), fate(p->part_of[i], why)))
            continue;
        return err_set(err, ST_FAILED, "node %u %s: op_coverage says partition %d, %s; the session partition %d, %s",
                       v->node->index, v->node->name, v->partition, fate(v->partition, &v->why), p->part_of[i],
                       fate(p->part_of[i], why));
    }
    return ST_OK;
}

static enum status compare_graph(struct graph *g, struct delegate *judge, const struct partition_options *opt,
                                 const struct partitioning *p, struct err *err)
{
    struct coverage c = {0};
    enum status st = coverage_of_graph(g, judge, opt, &c, err);

    st = st ? st : compare(&c, p, err);
    coverage_free(&c);
    return st;
}

enum status agree_on_graph(struct graph *g, struct delegate *judge, struct delegate *d, const struct partition_options *opt,
                           struct err *err)
{
    struct delegation own = {0};
    enum status st = delegation_partition(&own, g, (struct delegate *const[]){d, NULL}, NULL, opt, false, err);

    st = st ? st : gpu_dry_compile(d, g, own.parts.parts, own.parts.n_parts, NULL, NULL, err);
    st = st ? st : compare_graph(g, judge, opt, &own.parts, err);
    delegation_free(&own);
    return st;
}

enum status agree_with_session(const struct session *s, struct graph *g, struct delegate *judge,
                               const struct partition_options *opt, struct err *err)
{
    return compare_graph(g, judge, opt, session_partitioning(s), err);
}

/* Compare op_coverage's answer for a model with a session prepared for `d`, shaders compiled. If op_coverage says that the model
 * cannot run, no session may be prepared. If none can be for another reason, such as a missing CPU kernel, that is in `missing`
 * (else ""), and agree_on_graph is used instead. *nodes: number of covered nodes. */
static enum status agree_on_model(const struct model *m, struct delegate *judge, struct delegate *d, uint32_t *nodes,
                                  struct err *missing, struct err *err)
{
    const struct session_options opt = {.mode = CPU_FAST, .num_threads = 1, .delegates = {d}};
    struct coverage c = {0};
    struct session *s = NULL;
    enum status st = coverage_of_delegate(m, 0, judge, &opt.partition, &c, err), prepared;

    missing->msg[0] = 0;
    *nodes = c.covered;
    if (!st) {
        prepared = session_new(m, &opt, &s, missing);
        prepared = prepared ? prepared : session_prepare(s, missing);
        if (!prepared && !c.cannot_run)
            st = compare(&c, session_partitioning(s), err);
        else if (!prepared)
            st = err_set(err, ST_FAILED, "op_coverage says that it cannot run: %s; but the session is prepared", c.cannot_run);
        else if (!c.cannot_run)
            st = agree_on_graph(c.graphs[0], judge, d, &opt.partition, err);
    }
    session_free(s);
    coverage_free(&c);
    return st;
}

void agree_on_file(struct agree_files *f, const char *path)
{
    struct err err = {""}, missing = {""};
    struct model *m = NULL;
    uint32_t nodes = 0;
    enum status st = ST_OK;

    st = model_open(path, &m, &err);
    if (st == ST_IO || st == ST_NOMEM) {
        printf("FAIL %s: %s\n", path, err.msg);
        f->models++;
        f->failed++;
        return;
    }
    if (st || !m->n_subgraphs) {
        model_close(m);
        f->invalid++;
        return;
    }
    f->models++;
    for (size_t i = 0; i < sizeof f->pairs / sizeof *f->pairs && !st; i++) {
        st = agree_on_model(m, f->pairs[i][0], f->pairs[i][1], &nodes, &missing, &err);
        f->sessions += !st && !*missing.msg;
        if (st || f->verbose)
            printf("%s %s: %u nodes covered%s%s%s%s\n", st ? "FAIL" : "ok  ", path, nodes, st ? "; " : "", err.msg,
                   *missing.msg ? "; no session: " : "", missing.msg);
    }
    f->failed += st != ST_OK;
    model_close(m);
}
