/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.h - how far a tensor may be off: limits that somebody gave, for all tensors or for some, else the limits of a preset.
 *
 * A limit is given as a list of [WHICH:]VALUE with commas between: "1e-3,SOFTMAX:1e-2,scores:0,1:1e-5". WHICH is the text before
 * the last colon: an output of the model, by its tensor's or its signature's name or by its number, or else a pattern for the names
 * of operators (* and ? as in file names), which is for the tensors that they make. Without one, the value is for all tensors. If
 * several are for a tensor, an output's own comes before an operator's and that before one for all; the later of two equals wins.
 * Each kind of limit is looked up by itself; if none of the three is for a tensor, the preset is. */
#ifndef DELEGAUGE_TOLERANCE_H
#define DELEGAUGE_TOLERANCE_H

#include "lib/base/arena.h"
#include "lib/delegate/delegate.h"
#include "lib/tensor/precision.h"

/* Return the precision that delegate `d` says is in force (delegate_precision.in_force); PRECISION_FP32 if it says nothing, and for
 * NULL, the CPU. */
enum precision precision_of(const struct delegate *d);

/* Reasons to fail a tensor: bits. A NaN, an infinity or a shape that is not the reference's always fails it. */
enum {
    FAIL_ON_MAX = 1,  /* an element is beyond the limits */
    FAIL_ON_MEAN = 2, /* the mean absolute error is beyond them, held against the mean |reference| */
    FAIL_ON_NAN = 4,  /* NaN or infinite unless the other side is the same, or another shape or type */
    FAIL_ON_TOP1 =
        8, /* in a row (the last dimension) another element than in the reference is the largest, on both sides clearly */
    FAIL_ON_SILENT = 16 /* constant on one side alone, and no limit on distances would show it; not asked for by name */
};

/* The name of one such bit; bits from the lowest: FAIL_ON_NAMES of them. */
#define FAIL_ON_NAMES 5
extern const char *const fail_on_names[FAIL_ON_NAMES];

/* Limits of one tensor. An element is within them if |reference - test| <= atol + rtol * |reference|, or if it is no more than
 * max_ulp units in the last place off; integers count steps. Zeros: any distance passes. */
struct tolerance {
    bool limited;       /* some distance is too large */
    bool steps;         /* the tensor holds integers: atol and max_ulp count steps */
    double atol, rtol;  /* of stored values: quantized ones are integers */
    double max_ulp;     /* negative: not looked at */
    double share;       /* presets of floats: max_error <= share * the largest |reference| of all runs; else 0 */
    unsigned fail_on;   /* bits */
    const char *preset; /* the preset's name ("fp16"), if no limit was given; else NULL */
};

/* The limits given by the user; zeroed to begin with. */
struct tolerances {
    struct tolerance_rule *rules; /* in `arena` */
    uint32_t n_rules;
    const char *preset; /* "auto", "none", or the name of a precision */
    unsigned fail_on;
    struct arena arena;
};

enum tolerance_kind { TOLERANCE_ATOL, TOLERANCE_RTOL, TOLERANCE_ULP, TOLERANCE_KINDS };

/* Add the rules of one list; `text` is kept. "" adds none. ST_USAGE, naming `flag`, if it is no such list or a value is negative or
 * no number. */
enum status tolerances_add(struct tolerances *ts, enum tolerance_kind kind, const char *flag, const char *text, struct err *err);

/* Set ts->fail_on from words with commas between: max, mean, nan, top1. ST_USAGE for others, and if there is none. */
enum status tolerances_fail_on(struct tolerances *ts, const char *text, struct err *err);

/* Check that each rule can change something. ST_USAGE if one names neither an output nor an operator of this graph, or, if tensors
 * within the graph are not compared (`inner` is false), an operator that makes no output. */
enum status tolerances_check(const struct tolerances *ts, const struct graph *g, bool inner, struct err *err);

/* Return the limits of tensor `t` of `g` if the test side computes in precision `p`. */
struct tolerance tolerance_of(const struct tolerances *ts, const struct graph *g, const struct tensor *t, enum precision p);

/* Return the --atol for all tensors, or -1 if none was given. */
double tolerances_atol(const struct tolerances *ts);

/* Write "1e-05 + 0.001 * |reference| or 4 ULP", "0.001 of the largest |reference| (preset fp32)", "any distance". Returns `out`. */
const char *tolerance_text(const struct tolerance *t, char *out, size_t size);

void tolerances_free(struct tolerances *ts);

#endif
