/* SPDX-License-Identifier: Apache-2.0 */
/* tune_impl.h - the state and functions that tune.c (picks the next trial, and its winners), tune_ways.c (the choices to try) and
 * tune_units.c (the times of units) share. */
#pragma once

#include "lib/gl/tune/trial.h"
#include "lib/gl/tune/tune.h"

/* Figures of a node's dispatches together, or, at the first node of a unit, of the unit's dispatches. */
struct figure {
    double ns;
    uint64_t made; /* a hash of their programs and grids */
};

/* The time that trials took. */
struct cost {
    double fixed_ns, program_ns; /* fixed time of all trials; the most that a program took */
    uint32_t trials, programs;
};

struct tuner {
    struct gl_trial trial;
    struct gl_tuned *out;
    struct gl_tuning *state;  /* out->tuning */
    bool fast, passed;        /* passed: something was not tried as it would take all of the time */
    double inference_ns;      /* FAST: time of an inference untuned, or as picked before */
    double all_ns;            /* time of all units */
    uint64_t start, deadline; /* times of gl_trial_clock; deadline of trials, 0: none */
    struct gl_made base;      /* the partition without the picks being tried */
    struct cost untuned, cost;
    struct device_peak peak;         /* 0: unknown */
    struct gl_pick *wanted, *before; /* [graph nodes] the picks being tried; the picks of an earlier start */

    /* [n] one for each node, and behind them for the dispatches that move inputs and outputs. */
    uint32_t n;
    bool *tried;                /* the node is made otherwise than the best so far */
    bool *done;                 /* the node has had its turn in the present trials, or need not have it */
    bool *sure;                 /* the node's best is no guess */
    struct figure *best, *now;  /* figures of the best so far; of the picks being tried */
    uint32_t *unit;             /* nodes that take picks together lead to the same one: unit_of */
    uint32_t *which, cap_which; /* [dispatches] for list_of, of t->base or of the partition being tried */
};

/* ---- tune_ways.c ---- */

/* The ways, which are tried one after the other, each with the best of the ones before. MIXED: of OBJECTS for each unit the value
 * that suits it. */
enum way { WAY_VARIANT, WAY_BLENDS, WAY_OWN, WAY_GROUP, WAY_NUMBERS, WAY_READS, WAY_CONSTANTS, WAY_OBJECTS, WAY_MIXED, WAYS };

void tune_set_way(struct gl_pick *p, enum way way, uint32_t value);

/* Return true if nodes of the unit, or of any unit if it is t->n, may be made otherwise by the way, as far as their operators tell.
 */
bool tune_concerns(const struct tuner *t, enum way way, uint32_t unit);

/* Return the number of values of the way, 0 included; 1: there is nothing to try. */
uint32_t tune_count_of(const struct tuner *t, enum way way);

/* Return true if the device has the value, and it is not as set. */
bool tune_is_there(const struct tuner *t, enum way way, uint32_t value);

/* ---- tune_units.c ---- */

/* Make room for t->n nodes; false if memory runs out. tune_fini frees it, whole or in part, and accepts zeros. */
bool tune_alloc(struct tuner *t);
void tune_fini(struct tuner *t);

/* Return the unit of a node: the nodes of a unit take picks together. */
uint32_t tune_unit_of(const struct tuner *t, uint32_t node);

/* Make nodes of equal work one unit. */
void tune_join_alike(const struct tuner *t, const struct gl_executable *x);

/* Mark as a whole every unit that has a node marked in `some`. */
void tune_spread(const struct tuner *t, bool *some);

/* Least gain, as a part of a unit's time; less is noise. */
#define TUNE_LEAST_GAIN 0.03
static inline bool tune_is_less(double now, double best)
{
    return now > 0 && now < (1 - TUNE_LEAST_GAIN) * best;
}

double tune_ns_of_unit(const struct tuner *t, const struct figure *of, uint32_t node);

/* Make room in t->which for all dispatches of x. ST_NOMEM. */
enum status tune_make_room(struct tuner *t, const struct gl_executable *x, struct err *err);

/* List the dispatches of the unit that begins with that node in t->which, and return their number. */
uint32_t tune_list_of(const struct tuner *t, struct gl_executable *x, uint32_t unit);

/* Store the makeup of nodes in t->now; nodes made as the best so far are not tried. Nodes that x computes in one dispatch become
 * one unit. ST_NOMEM. */
enum status tune_look(struct tuner *t, const struct gl_executable *x, struct err *err);

/* Store the times of the nodes being tried in t->now. */
enum status tune_time(struct tuner *t, struct gl_executable *x, struct err *err);

/* Compare units of x[0], in which all is as set, and x[1], in which all has objects `value`, and give t->wanted these objects for
 * each unit that they suit: textures if buffers are no better, buffers if textures are worse. Other units are as set; if all units
 * suit one of the two, nothing is tried. */
#define TUNE_TURNS 3 /* turns by which units are timed, for fast tuning */
enum status tune_compare(struct tuner *t, struct gl_executable *const x[2], uint32_t value, struct err *err);

/* Store the time of each unit in t->base in t->best; FAST: a guess, which tells the units that are worth tuning. */
enum status tune_time_base(struct tuner *t, struct err *err);

/* Return true if the device can do no better, as far as t->peak says. */
bool tune_is_at_limit(const struct tuner *t, uint32_t unit);
