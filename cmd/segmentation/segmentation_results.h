/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_results.h - the results of an evaluation as one tree; segmentation_report.c puts it together and renders it. */
#pragma once

#include "cmd/segmentation/eval_segmentation.h"

enum segmentation_part {
    SEGMENTATION_RUNS,
    SEGMENTATION_FIGURES,
    SEGMENTATION_AGREEMENT,
    SEGMENTATION_CLASSES,
    SEGMENTATION_CONFUSIONS,
    SEGMENTATION_WORST,
    SEGMENTATION_VERDICT,
    SEGMENTATION_HEADLINE,
    SEGMENTATION_DATA,
    SEGMENTATION_WHERE,
    SEGMENTATION_MODEL,
    SEGMENTATION_ENVIRONMENT,
    SEGMENTATION_PICTURES, /* of --results_csv */
    SEGMENTATION_PARTS
};

/* Each adds the results of one topic: lines and tables to its section, members to the report. */
void segmentation_figures_results(struct results *r, const struct segmentation *e); /* and the lines of TFLite's tools, the sides */
void segmentation_agreement_results(struct results *r, const struct segmentation *e);
void segmentation_classes_results(struct results *r, const struct segmentation *e); /* and confusions */
void segmentation_worst_results(struct results *r, const struct segmentation *e);
void segmentation_page_results(struct results *r, const struct segmentation *e); /* the pictures of --html */
void segmentation_verdict_results(struct results *r, const struct segmentation *e);

/* Return true if a class is in the truth, or in the answers of a side. */
bool segmentation_occurs(const struct segmentation *e, uint32_t class);
