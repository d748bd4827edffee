/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_markdown.c - --markdown: the answer as a comment on a change: what is covered, what is not and why, what would help.
 *
 * Whatever a model may have named stands as code, where nothing is markup, a link or somebody's name: behind more backticks than it
 * has in a row, and with | escaped, which would end a cell. */

#include "cmd/coverage/coverage_outputs.h"
#include "cmd/coverage/coverage_results.h"
#include "cmd/coverage/coverage_words.h"
#include "cmd/host/text_file.h"
#include "cmd/print/markdown.h"

static void put_head(FILE *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char words[COVERAGE_WORDS_SIZE];

    fputs("### ", to);
    markdown_code(to, r->path);
    fprintf(to, ": %u of %u nodes are covered (%.1f%%)\n\nDelegate: ", c->covered, c->to_run, c->covered_percent);
    markdown_code(to, coverage_asked(r, words));
    fputs("\n", to);
    if (*r->signature) {
        fputs("\nSignature: ", to);
        markdown_code(to, r->signature);
        fputs("\n", to);
    }
    if (c->cannot_run) {
        fputs("\nThis model runs nowhere, so operators are known by their names alone: ", to);
        markdown_code(to, c->cannot_run);
        fputs("\n", to);
    }
}

static void put_requirements(FILE *to, const struct requirements *q)
{
    if (q->n)
        fputs("\n", to);
    for (uint32_t i = 0; i < q->n; i++) {
        fprintf(to, "- **%s**: ", q->list[i].met ? "met" : "not met");
        markdown_code(to, q->list[i].text);
        fprintf(to, ", %s\n", q->list[i].found);
    }
}

static void put_figures(FILE *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char words[COVERAGE_WORDS_SIZE];

    fprintf(to, "\n| figure | value |\n|---|---:|\n");
    fprintf(to, "| nodes covered | %u of %u |\n| folded into constants | %u |\n", c->covered, c->to_run, c->folded);
    if (c->macs)
        fprintf(to, "| multiply-accumulates covered | %.1f %% of %.3f million |\n", c->macs_percent, (double)c->macs / 1e6);
    if (!r->type)
        return;
    fprintf(to, "| partitions on the %s | %u (%u before limits) |\n", coverage_backend(r), c->parts.n_parts,
            c->parts.n_before_limits);
    fprintf(to, "| bytes that cross per run | %llu in, %llu out |\n", (unsigned long long)c->bytes_in,
            (unsigned long long)c->bytes_out);
    if (c->outlined)
        fprintf(to, "| dispatches per run | %u and %u transfers |\n", c->dispatches, c->transfers);
    if (*coverage_called_words(r, words))
        fprintf(to, "| called subgraphs | %s |\n", words);
}

static enum status put_table(FILE *to, const struct result_section *s, bool any, struct err *err)
{
    if (!any)
        return ST_OK;
    fputs("\n", to);
    return results_print(s, RESULT_MARKDOWN, to, err);
}

static void put_gains(FILE *to, const struct coverage_run *r)
{
    const struct coverage *c = &r->coverage;
    char words[COVERAGE_WORDS_SIZE];

    if (c->n_gains)
        fprintf(to, "\nWhat would help:\n\n");
    for (uint32_t i = 0; i < c->n_gains; i++) {
        fputs("- ", to);
        markdown_code(to, coverage_gain_words(r, &c->gains[i], words));
        fprintf(to, ": %s\n", coverage_gain_counts(&c->gains[i], words));
    }
    if (c->n_untried)
        fprintf(to, "\n%s.\n", coverage_untried_words(c, words));
}

enum status coverage_write_markdown(const struct coverage_run *r, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    put_head(f.to, r);
    put_requirements(f.to, &r->requirements);
    put_figures(f.to, r);
    if ((st = put_table(f.to, r->results.parts[COVERAGE_RULES], r->n_columns, err)) ||
        (st = put_table(f.to, r->results.parts[COVERAGE_REFUSALS], r->n_refusals, err))) {
        text_file_drop(&f);
        return st;
    }
    put_gains(f.to, r);
    return text_file_end(&f, r->flags.markdown, err);
}
