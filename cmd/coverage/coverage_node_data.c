/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_node_data.c - --node_data_dir: verdicts, partitions and multiply-accumulates by node for Model Explorer. */
#include "cmd/coverage/coverage_outputs.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/print/node_data.h"

/* What is asked node by node: words have to last until the next. */
struct source {
    const struct coverage_run *run;
    char *words; /* char [COVERAGE_WORDS_SIZE] */
};

static const char *name_of(const struct verdict *v)
{
    const struct tensor *t = node_out(v->node, 0);

    return t && *t->name ? t->name : NULL;
}

static bool verdict(const void *arg, size_t i, struct node_value *out)
{
    const struct source *s = arg;
    const struct verdict *v = &s->run->coverage.verdicts[i];

    *out = (struct node_value){
        .name = name_of(v), .word = coverage_words(s->run, v, s->words), .color = coverage_kind_color(coverage_kind(v))};
    return out->name;
}

static bool partition(const void *arg, size_t i, struct node_value *out)
{
    const struct verdict *v = &((const struct source *)arg)->run->coverage.verdicts[i];

    *out = (struct node_value){.name = name_of(v), .value = v->partition};
    return out->name && v->partition >= 0;
}

static bool macs(const void *arg, size_t i, struct node_value *out)
{
    const struct verdict *v = &((const struct source *)arg)->run->coverage.verdicts[i];

    *out = (struct node_value){.name = name_of(v), .value = (double)v->macs};
    return out->name && v->macs_known && !v->node->folded;
}

enum status coverage_write_node_data(const struct coverage_run *run, struct err *err)
{
    static bool (*const get[])(const void *arg, size_t i, struct node_value *out) = {verdict, partition, macs};
    static const char *const files[] = COVERAGE_NODE_DATA_FILES;
    char words[COVERAGE_WORDS_SIZE], path[4096];
    const struct source s = {run, words};
    enum status st = ST_OK;

    for (size_t k = 0; k < sizeof files / sizeof *files && !st; k++) {
        struct report *r = report_new();

        snprintf(path, sizeof path, "%s/%s", run->flags.node_data, files[k]); /* it fits: coverage_check_outputs */
        node_data_put(r, &(struct node_values){run->coverage.n_verdicts, get[k], &s, false});
        st = report_write(r, path, err);
        report_free(r);
    }
    return st;
}
