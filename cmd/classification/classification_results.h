/* SPDX-License-Identifier: Apache-2.0 */
/* classification_results.h - the results of an evaluation as one tree; classification_report.c puts it together and renders it. */
#pragma once

#include "cmd/classification/eval_classification.h"

enum classification_part {
    CLASSIFICATION_RUNS,
    CLASSIFICATION_ACCURACY,
    CLASSIFICATION_AGREEMENT,
    CLASSIFICATION_CLASSES,
    CLASSIFICATION_CONFUSIONS,
    CLASSIFICATION_WRONG,
    CLASSIFICATION_VERDICT,
    CLASSIFICATION_HEADLINE,
    CLASSIFICATION_DATA,
    CLASSIFICATION_WHERE,
    CLASSIFICATION_MODEL,
    CLASSIFICATION_ENVIRONMENT,
    CLASSIFICATION_PARTS
};

/* Each adds the results of one topic: lines and tables to its section, members to the report. */
void classification_accuracy_results(struct results *r,
                                     const struct classification *e); /* and the lines of TFLite's tool, the sides */
void classification_agreement_results(struct results *r, const struct classification *e);
void classification_classes_results(struct results *r, const struct classification *e);  /* and confusions */
void classification_pictures_results(struct results *r, const struct classification *e); /* that went wrong, or could not be read */
void classification_verdict_results(struct results *r, const struct classification *e);
