/* SPDX-License-Identifier: Apache-2.0 */
/* eval_report.h - the parts of reports that the evaluations of all tasks have. */
#pragma once

#include "cmd/evaluation/evaluation.h"
#include "cmd/print/results.h"

/* Put the tool, the model, the environment, "interrupted", "passed" and "delegates"; "preprocessing". */
void eval_put_head(struct report *r, const struct evaluation *e);
void eval_put_preprocessing(struct report *r, const struct evaluation *e);

/* Put "pictures" with how many there are of each kind, and return it, for what the task adds; "bad_pictures". */
struct json *eval_put_pictures(struct report *r, const struct evaluation *e);
void eval_put_bad(struct report *r, const struct evaluation *e);

/* Put a side's "name", "latency_us" and "assignment" into `o`. */
void eval_put_side(struct report *r, struct json *o, const struct evaluation *e, uint32_t side);

/* Add how many pictures ran, and latencies, as TFLite's tools print them; that pictures could not be read, or were clamped. */
void eval_add_runs(struct result_section *to, const struct evaluation *e);
void eval_add_bad(struct result_section *to, const struct evaluation *e);
void eval_add_cut(struct result_section *to, const struct evaluation *e);

/* Add why eval_delegated is false, if it is. */
void eval_add_undelegated(struct result_section *to, const struct evaluation *e);

/* Add that an agreement of the sides is below --min_agreement, if it is. */
void eval_add_disagreement(struct result_section *to, const struct evaluation *e, double agreement);

/* Add sections of a page: what ran where, the model, the environment. Fails as page_add_assignment does. */
enum status eval_add_surroundings(struct result_section *where, struct result_section *model, struct result_section *environment,
                                  const struct evaluation *e, struct err *err);
