/* SPDX-License-Identifier: Apache-2.0 */
/* settings.h - the options of a delegate "gpu" as its rooms take them. */
#ifndef DELEGAUGE_GL_SETTINGS_H
#define DELEGAUGE_GL_SETTINGS_H

#include "lib/gl/cache/serialization_cache.h"
#include "lib/gl/compile/generate.h"
#include "lib/gl/run/executable.h"

struct gl_settings {
    struct gl_run_settings run;
    struct gl_precision precision;
    enum gpu_quant quant; /* see gl_recipe */
    enum gpu_tuning tuning;
    bool is_trial;       /* a trial of gl_tune: variants that a node cannot use are no news to a user */
    bool any_reads;      /* tuning may try gl_pick.reads and .constants, */
    bool any_objects;    /* and .objects */
    struct gl_pick pick; /* see gl_choice */
    const struct gl_pick *picks;
    double (*trial_ns)(const char *label); /* see gpu_options */
    const struct device_peak *trial_peak;  /* likewise */
    struct gl_forced *forced;              /* likewise; the delegate's */
    bool *met;                             /* likewise */
    const char *dump_dir;                  /* folder to which shaders are written, or NULL */
    const char *dump_ir;                   /* folder to which the operations are written after each pass, or NULL */
    struct gl_cache *stored;
};

/* The recipe for gl_generate that these settings describe. */
static inline struct gl_recipe gl_recipe_of(const struct gl_settings *set)
{
    return (struct gl_recipe){.limits = &set->run.context->limits,
                              .precision = set->precision,
                              .pick = set->pick,
                              .picks = set->picks,
                              .forced = set->forced,
                              .met = set->met,
                              .dump_ir = set->dump_ir,
                              .quant = set->quant};
}

#endif
