/* SPDX-License-Identifier: Apache-2.0 */
/* diff_results.h - the results of a comparison as one tree; diff_results.c puts it together and renders it.
 *
 * Each function adds the results of one topic: lines, tables and charts to its sections, members to the report. Without such
 * results it leaves the sections empty and puts null. */
#pragma once

#include "cmd/diff/inference_diff.h"
#include "cmd/print/results.h"

enum diff_part {
    DIFF_RUNS,
    DIFF_OUTPUTS,
    DIFF_SIDES,
    DIFF_NODES,
    DIFF_ALONG,
    DIFF_CUT,
    DIFF_BISECT,
    DIFF_EXTRACT,
    DIFF_WHY,
    DIFF_REMEDY,
    DIFF_REPAIR,
    DIFF_MATRIX,
    DIFF_VERDICT,
    DIFF_ANSWER,
    DIFF_TABLE, /* for Markdown alone */
    DIFF_HEADLINE,
    DIFF_INTERRUPTED,
    DIFF_OUTPUT_MAP,
    DIFF_NODE_MAP,
    DIFF_HISTOGRAMS,
    DIFF_FIGURES,
    DIFF_WHERE,
    DIFF_TIMES,
    DIFF_MODEL,
    DIFF_PAIRS,
    DIFF_ENVIRONMENT,
    DIFF_PARTS
};

/* Outputs of the test side: distances, tolerances, and doubts that no distance shows. */
void diff_outputs_results(struct results *r, const struct comparison *c);

/* Nodes of --per_op, and the one to blame. */
void diff_ops_results(struct results *r, const struct comparison *c);

void diff_matrix_results(struct results *r, const struct comparison *c);
void diff_bisect_results(struct results *r, const struct comparison *c);
void diff_extract_results(struct results *r, const struct comparison *c);
void diff_why_results(struct results *r, const struct comparison *c); /* and the remedy */
void diff_repair_results(struct results *r, const struct comparison *c);
void diff_models_results(struct results *r, const struct comparison *c);
void diff_tensors_results(struct results *r, const struct comparison *c);
void diff_maps_results(struct results *r, const struct comparison *c);
void diff_verdict_results(struct results *r, const struct comparison *c);
void diff_answer_results(struct results *r, const struct comparison *c); /* the last lines of text, none of a matrix; and the
                                                                          * outputs as a table for Markdown */

/* Add the verdict on all rows of the matrix, in the place of the verdict on the test side; `reference` names the reference of all
 * rows.
 */
void diff_matrix_verdict(struct result_section *to, const struct matrix *m, const char *reference);

/* Tensors that have one name on both sides: the table, whose rows are members of `list`; a line about the first that is off, and
 * the same as members of an object; a line for each reason to leave pairs out. diff_names_turned counts rows in another layout. */
void diff_names_table(struct result_section *to, struct json *list, const struct name_diffs *o);
void diff_names_first_off(struct result_section *to, const struct name_diff *first);
void diff_names_put_off(struct report *r, struct json *in, const struct name_diff *first);
void diff_names_skipped(struct result_section *to, const struct name_diffs *o);
uint32_t diff_names_turned(const struct name_diffs *o);

/* Charts of errors along the graph: of nodes, and of tensors that have one name; with a comparison as argument. */
enum status diff_ops_draw(struct html *h, const void *comparison, struct err *err);
enum status diff_names_draw(struct html *h, const void *comparison, struct err *err);

/* Put a difference with its worst element as member `key`, of tensors such as t; null unless `any`. */
void diff_put(struct report *r, struct json *in, const char *key, const struct tensor *t, const struct diff *d, bool any);

/* Put "failed_on", and an object of "outputs", as the report has them of a trial. */
void diff_put_failed_on(struct report *r, struct json *in, unsigned failed);
void diff_put_output(struct report *r, struct json *list, const struct trial *trial, uint32_t i);
