/* SPDX-License-Identifier: Apache-2.0 */
/* phases.h - the time of a start or of a run, in phases that add up.
 *
 * Each phase is measured; the last one, "other", is the rest of the total. Phases do not overlap. */
#pragma once

#include "lib/measure/bench_figures.h"
#include "lib/measure/op_profile.h"

#define PHASES_MAX 10

struct phase {
    const char *name; /* key in reports: "shader_compile" */
    const char *what; /* text for users: "shaders compiled by the driver" */
    double us;
};

struct phases {
    struct phase parts[PHASES_MAX];
    uint32_t n;
    double total_us; /* sum of the phases */
};

/* Compute the phases from opening the model until the session is ready; the total is bench_init_us(t). `times` are the
 * session's. */
void phases_of_start(const struct bench_times *t, const struct session_times *times, struct phases *out);

/* Compute the phases of one run, averaged over the runs of a profile with at least one; the total is p->wall.avg, more than a run
 * takes without profiling. A delegate's transfers count as upload before its other rows, and as download after them. */
void phases_of_run(const struct op_profile *p, struct phases *out);
