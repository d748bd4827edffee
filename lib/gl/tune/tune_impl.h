/* SPDX-License-Identifier: Apache-2.0 */
/* tune_impl.h - what tune.c (what is tried next, and taken), tune_ways.c (what there is to try) and tune_units.c (what it takes)
 * share. */
#ifndef DELEGAUGE_GL_TUNE_IMPL_H
#define DELEGAUGE_GL_TUNE_IMPL_H

#include "lib/gl/tune/trial.h"
#include "lib/gl/tune/tune.h"

/* Of a node's dispatches together, or, at the first of a unit, of those of the unit. */
struct figure {
    double ns;
    uint64_t made; /* a hash of their programs and grids */
};

/* What trials took. */
struct cost {
    double fixed_ns, program_ns; /* of all trials; of a program, the most */
    uint32_t trials, programs;
};

struct tuner {
    struct gl_trial trial;
    struct gl_tuned *out;
    struct gl_tuning *state;  /* out->tuning */
    bool fast, passed;        /* something was not tried as it would take all of the time */
    double inference_ns;      /* FAST: untuned, or as picked before */
    double all_ns;            /* of all units */
    uint64_t start, deadline; /* of gl_trial_clock; of trials, 0: none */
    struct gl_made base;      /* as it is without what is picked now */
    struct cost untuned, cost;
    struct device_peak peak;         /* 0: unknown */
    struct gl_pick *wanted, *before; /* [graph nodes] what is being tried; what an earlier start picked */

    /* [n] of each node, and behind them of what moves inputs and outputs. */
    uint32_t n;
    bool *tried;                /* it is made otherwise than the best so far */
    bool *done;                 /* of what is tried now: it was, or need not be */
    bool *sure;                 /* its best is no guess */
    struct figure *best, *now;  /* of the best so far; of what is being tried */
    uint32_t *unit;             /* what takes picks together leads to the same one: unit_of */
    uint32_t *which, cap_which; /* [dispatches] for list_of, of t->base or of what is tried */
};

/* ---- tune_ways.c ---- */

/* What is tried one after the other, each with the best of those before. MIXED: of OBJECTS for each unit what suits it. */
enum way { WAY_VARIANT, WAY_BLENDS, WAY_OWN, WAY_GROUP, WAY_NUMBERS, WAY_READS, WAY_CONSTANTS, WAY_OBJECTS, WAY_MIXED, WAYS };

void tune_set_way(struct gl_pick *p, enum way way, uint32_t value);

/* Nodes of the unit, or of any where it is t->n, may be made otherwise by it, as far as their operators tell. */
bool tune_concerns(const struct tuner *t, enum way way, uint32_t unit);

/* How many there are, 0 included; 1: there is nothing to try. */
uint32_t tune_count_of(const struct tuner *t, enum way way);

/* The device has it, and it is not as set. */
bool tune_is_there(const struct tuner *t, enum way way, uint32_t value);

/* ---- tune_units.c ---- */

/* Room for t->n nodes; false: out of memory. tune_fini accepts what it leaves, and zeros. */
bool tune_alloc(struct tuner *t);
void tune_fini(struct tuner *t);

/* What takes picks together. */
uint32_t tune_unit_of(const struct tuner *t, uint32_t node);

/* Equal work is one unit. */
void tune_join_alike(const struct tuner *t, const struct gl_compiled *k);

/* Every unit of which `some` holds for a node is marked as a whole. */
void tune_spread(const struct tuner *t, bool *some);

/* Of a unit's time; less is noise. */
#define TUNE_LEAST_GAIN 0.03
static inline bool tune_is_less(double now, double best)
{
    return now > 0 && now < (1 - TUNE_LEAST_GAIN) * best;
}

double tune_ns_of_unit(const struct tuner *t, const struct figure *of, uint32_t node);

/* t->which has room for all dispatches of k. ST_NOMEM. */
enum status tune_make_room(struct tuner *t, const struct gl_compiled *k, struct err *err);

/* The dispatches of the unit that begins with that node, in t->which: how many there are. */
uint32_t tune_list_of(const struct tuner *t, struct gl_compiled *k, uint32_t unit);

/* What nodes are made of goes to t->now; those made as the best so far are not tried. What k computes in one dispatch becomes one
 * unit. ST_NOMEM. */
enum status tune_look(struct tuner *t, const struct gl_compiled *k, struct err *err);

/* What those that are tried take goes to t->now. */
enum status tune_time(struct tuner *t, struct gl_compiled *k, struct err *err);

/* In k[0] all is as set, in k[1] all has objects `value`: what of t->wanted has those where that suits the unit, textures where
 * buffers are no better, buffers where textures are worse. Others are as set; where all suits one of the two, nothing is tried. */
#define TUNE_TURNS 3 /* that units are timed by, for fast tuning */
enum status tune_compare(struct tuner *t, struct gl_compiled *const k[2], uint32_t value, struct err *err);

/* What each unit takes as t->base has it goes to t->best; FAST: a guess, by which those that are worth it are told. */
enum status tune_time_base(struct tuner *t, struct err *err);

/* The device can do no better, as far as t->peak says. */
bool tune_is_at_limit(const struct tuner *t, uint32_t unit);

#endif
