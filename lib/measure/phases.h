/* SPDX-License-Identifier: Apache-2.0 */
/* phases.h - the time of a start and of a run, in parts that add up.
 *
 * Each part is measured by itself within the whole; time in none of them is the last part, "other". No part is in another. */
#ifndef DELEGAUGE_PHASES_H
#define DELEGAUGE_PHASES_H

#include "lib/measure/bench_figures.h"
#include "lib/measure/op_profile.h"

#define PHASES_MAX 10

struct phase {
    const char *name; /* "shader_compile": the key in reports */
    const char *what; /* "shaders compiled by the driver" */
    double us;
};

struct phases {
    struct phase parts[PHASES_MAX];
    uint32_t n;
    double total_us; /* sum of the parts */
};

/* Give the phases of a start: from opening the model until the session is ready; the total is bench_init_us(t). `times` are the
 * session's. */
void phases_of_start(const struct bench_times *t, const struct session_times *times, struct phases *out);

/* Give the phases of one run, on average over the runs of a profile that has some; the total is p->wall.avg, which is above the
 * time of a run that is not profiled. A delegate's row counts as upload or download if it transfers a tensor, before or after its
 * other rows. */
void phases_of_run(const struct op_profile *p, struct phases *out);

#endif
