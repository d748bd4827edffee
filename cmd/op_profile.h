/* SPDX-License-Identifier: Apache-2.0 */
/* op_profile.h - where the time goes: every step timed in inferences of their own, CPU ops and the GPU's side by side. */
#ifndef DELEGAUGE_CMD_OP_PROFILE_H
#define DELEGAUGE_CMD_OP_PROFILE_H

#include "../lib/session.h"
#include "../lib/stats.h"

struct op_row {
    const char *type;    /* "CONV_2D" */
    const char *name;    /* "[conv1/Relu6]:0"; for delegates "GPU[0] conv 4x1 +RELU6 [conv1/Relu6]:0" */
    const char *backend; /* "CPU", or the delegate's name */
    uint32_t *nodes;     /* [n_nodes] indices of what it computes */
    uint32_t n_nodes;
    int32_t partition; /* -1: CPU */
    bool timed;        /* false: the driver gave no time */
    double first_us, sum_us;
};

struct op_profile {
    struct op_row *rows; /* in the order of execution */
    size_t n_rows;
    uint32_t runs;
    struct stats total; /* µs of all rows together, per run */
    struct arena arena;
};

/* Profiles a few inferences of a prepared session that has delegate `d` (NULL: none). Free with arena_free(&out->arena), after
 * failures too. */
enum status op_profile_collect(struct session *s, const struct delegate *d, struct op_profile *out, struct err *err);

/* Adds a row to a profile that is made by hand (initialization); ST_NOMEM. */
enum status op_profile_add(struct op_profile *p, const char *name, double us, struct err *err);

/* TFLite's four tables under `title`. Fails only with ST_NOMEM. */
enum status op_profile_say(const struct op_profile *p, const char *title, struct err *err);

/* Rows of one type added up, largest first. */
struct op_sum {
    const char *type;
    double avg_us;
    uint32_t count;
};
enum status op_profile_by_type(const struct op_profile *p, struct op_sum **out, size_t *n, struct err *err);

#endif
