/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance.h - error limits of tensors, given by the user for all or some tensors, or taken from a preset.
 *
 * A limit is a list of [WHICH:]VALUE separated by commas: "1e-3,SOFTMAX:1e-2,scores:0,1:1e-5". WHICH is the text before the last
 * colon: an output of the model (tensor name, signature name or number), or a pattern for operator names (* and ? as in file
 * names), which selects the tensors that these operators write. Without WHICH the value is for all tensors. An output's own value
 * precedes an operator's, and that one for all; the later of two equals wins. Each kind of limit is looked up by itself; if no kind
 * has a value for a tensor, the preset applies. */
#pragma once

#include "lib/base/arena.h"
#include "lib/delegate/delegate.h"
#include "lib/tensor/precision.h"

/* Return the precision that delegate `d` reports (delegate_precision.in_force); PRECISION_FP32 if it reports none, and for NULL,
 * the CPU. */
enum precision precision_of(const struct delegate *d);

/* Reasons to fail a tensor: bits. A NaN, an infinity or a shape that is not the reference's always fails it. */
enum {
    FAIL_ON_MAX = 1,  /* an element is beyond the limits */
    FAIL_ON_MEAN = 2, /* the mean absolute error is beyond the limits, taken relative to the mean |reference| */
    FAIL_ON_NAN = 4,  /* NaN or infinite without being the same on both sides, or another shape or type */
    /* In a row (the last dimension) both sides have another largest element, each without a tie. */
    FAIL_ON_TOP1 = 8,
    FAIL_ON_SILENT = 16 /* constant on one side alone, without a limit on distances that would show it; not selectable by name */
};

/* Names of the FAIL_ON_* bits, from the lowest bit. */
#define FAIL_ON_NAMES 5
extern const char *const fail_on_names[FAIL_ON_NAMES];

/* Limits of one tensor. An element passes if |reference - test| <= atol + rtol * |reference|, or if it is at most max_ulp units in
 * the last place off (integers: steps). Zeroed: any distance passes. */
struct tolerance {
    bool limited;       /* some distance is too large; false: any passes */
    bool steps;         /* the tensor holds integers: atol and max_ulp count steps */
    double atol, rtol;  /* of stored values: quantized tensors are compared as integers */
    double max_ulp;     /* negative: not checked */
    double share;       /* presets for floats: largest error <= share * the largest |reference| of all runs; else 0 */
    double floor;       /* presets for floats: no error up to this is too large, whatever the share; else 0 */
    unsigned fail_on;   /* FAIL_ON_* bits */
    const char *preset; /* name of the preset ("fp16"), if no limit was given; else NULL */
};

/* Limits given by the user; zeroed to begin with. */
struct tolerances {
    struct tolerance_rule *rules; /* in `arena` */
    uint32_t n_rules;
    const char *preset; /* "auto", "none", or the name of a precision */
    unsigned fail_on;
    struct arena arena;
};

enum tolerance_kind { TOLERANCE_ATOL, TOLERANCE_RTOL, TOLERANCE_ULP, TOLERANCE_KINDS };

/* Add the rules of one list; `text` must stay valid. "" adds none. Fails with ST_USAGE, naming `flag`, for malformed lists, and
 * values that are negative or not numbers. */
enum status tolerances_add(struct tolerances *ts, enum tolerance_kind kind, const char *flag, const char *text, struct err *err);

/* Set ts->fail_on from words separated by commas: max, mean, nan, top1. Fails with ST_USAGE for other words and for an empty list.
 */
enum status tolerances_fail_on(struct tolerances *ts, const char *text, struct err *err);

/* Check that each rule applies to some tensor. Fails with ST_USAGE if a rule names neither an output nor an operator of this graph,
 * or, if tensors inside the graph are not compared (`inner` is false), an operator that writes no output. */
enum status tolerances_check(const struct tolerances *ts, const struct graph *g, bool inner, struct err *err);

/* Return the floor of presets for floats in precision `p`: the least normal number of the format of stored floats, 2^-126 of
 * float32 and 2^-14 of float16. Below it a format loses bits, and GPUs may write 0: no relative error means anything there. */
double tolerance_floor(enum precision p);

/* Return the limits of tensor `t` of `g` for a test side that computes in precision `p`. */
struct tolerance tolerance_of(const struct tolerances *ts, const struct graph *g, const struct tensor *t, enum precision p);

/* Return the --atol that is for all tensors, or -1 if none was given. */
double tolerances_atol(const struct tolerances *ts);

/* Write "1e-05 + 0.001 * |reference| or 4 ULP", "0.001 of the largest |reference| (preset fp32)", "any distance". Returns `out`. */
const char *tolerance_text(const struct tolerance *t, char *out, size_t size);

void tolerances_free(struct tolerances *ts);
