/* SPDX-License-Identifier: Apache-2.0 */
/* detection_results.h - the results of an evaluation as one tree. */
#pragma once

#include "cmd/detection/eval_detection.h"

enum detection_part {
    DETECTION_DOUBTS,
    DETECTION_RUNS,
    DETECTION_SUMMARY,
    DETECTION_SIDES,
    DETECTION_CATEGORIES,
    DETECTION_PICTURES,
    DETECTION_AGREEMENT,
    DETECTION_VERDICT,
    DETECTION_HEADLINE,
    DETECTION_DATA,
    DETECTION_WHERE,
    DETECTION_MODEL,
    DETECTION_ENVIRONMENT,
    DETECTION_PARTS
};

/* Each adds the results of one topic: lines and tables to its section, members to the report. */
void detection_summary_results(struct results *r, const struct eval_detection *e); /* and of the second side */
void detection_categories_results(struct results *r, const struct eval_detection *e);
void detection_doubts_results(struct results *r, const struct eval_detection *e);
void detection_pictures_results(struct results *r, const struct eval_detection *e);
void detection_page_results(struct results *r, const struct eval_detection *e, const struct detection_record *const *worst,
                            uint32_t n); /* the pictures of --html */
void detection_agreement_results(struct results *r, const struct eval_detection *e);
void detection_verdict_results(struct results *r, const struct eval_detection *e);
