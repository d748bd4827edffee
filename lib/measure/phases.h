/* SPDX-License-Identifier: Apache-2.0 */
/* phases.h - where the time of a start and of a run goes, in parts that add up.
 *
 * Each part is measured by itself within the whole; what is in none of them is the last part, "other". No part is in another. */
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
    double total_us; /* of the parts */
};

/* Of a start: from opening the model until the session is ready; the total is bench_init_us(t). `times` is that of the session. */
void phases_of_start(const struct bench_times *t, const struct session_times *times, struct phases *out);

/* Of one run, on average over those of a profile that has some; the total is p->wall.avg, which is above what a run takes that is
 * not profiled. A delegate's row counts as upload or download where it transfers a tensor, before and after its other rows. */
void phases_of_run(const struct op_profile *p, struct phases *out);

#endif
