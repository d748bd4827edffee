/* SPDX-License-Identifier: Apache-2.0 */
/* delegates.h - the delegate that a command line asks for: their flags, and opening them.
 *
 * Nothing here names one: each row of delegate_types (lib/delegate/delegate.c) brings --use_NAME, its own flags and their options.
 */
#ifndef DELEGAUGE_CMD_DELEGATES_H
#define DELEGAUGE_CMD_DELEGATES_H

#include "cmd/tool/cli.h"
#include "lib/delegate/delegate.h"

#define DELEGATES_MAX 16

/* Variables of the environment that may be set for a delegate. */
#define DELEGATES_MAX_VARIABLES 8

/* One delegate type of this build. */
struct delegate_choice {
    const struct delegate_type *type;
    bool use;                /* asked for by its own flag */
    bool by_name;            /* by --delegate */
    bool also;               /* asked for besides that one: for delegates_open_as */
    void *options;           /* of the type; filled by its flags */
    struct flag use_flag[2]; /* the row of --use_gpu */
    char use_label[32];      /* "Use gpu", as TFLite's tools echo it */
};

/* A variable of the environment that was set for the driver. */
struct delegate_variable {
    char name[48], value[4096];
};

struct delegates {
    struct delegate_choice choices[DELEGATES_MAX];
    uint32_t n_choices;
    struct delegate *opened;                 /* all[0]; NULL: everything runs on the CPU */
    const struct cli *cli;                   /* borrowed */
    struct delegate *all[MAX_DELEGATES + 1]; /* in the order in which they are asked: that of their flags; ends with NULL */
    struct delegate_variable variables[DELEGATES_MAX_VARIABLES];
    uint32_t n_variables;
    const struct model *model; /* of delegate_environment; borrowed */
    int32_t poll_us;           /* of driver_waits.h, for drivers that are software; 0 where that is not possible */
};

/* Adds the flags of these types to `c`; NULL ends them (delegate_types). */
enum status delegates_init(struct delegates *ds, const struct delegate_type *const *types, struct cli *c, struct err *err);

/* Asks for one by the name in --delegate=NAME; "" and "none" leave all as they are; a name that this build does not know is
 * ST_USAGE with those that it knows. */
enum status delegates_choose(struct delegates *ds, const char *name, struct err *err);

/* The delegate type of that name; ST_USAGE for others, naming `flag` and those that this build knows. */
enum status delegates_find(struct delegates *ds, const char *flag, const char *name, struct delegate_choice **out, struct err *err);

/* Whether it was asked for: by name, or by an option that does so. */
bool delegates_uses(const struct delegate_choice *choice);

/* ST_USAGE where a flag of a delegate was given another value than its default, but the delegate was not asked for: the value would
 * change nothing. Where it was turned off by name (--use_gpu=false), that is a warning: a script may do so to compare. */
enum status delegates_check(const struct delegates *ds, const struct cli *c, struct err *err);

/* One that was asked for. */
struct delegate_wanted {
    const struct delegate_choice *choice;
    uint32_t i; /* which of those that its options ask for */
};

/* All that were asked for, in the order of their flags, the first MAX_DELEGATES of them in `out`. Returns how many there are. */
uint32_t delegates_list(const struct delegates *ds, struct delegate_wanted out[MAX_DELEGATES]);

/* Opens that one, with its device or without. The caller closes it. Fails as opening does. */
enum status delegates_open_wanted(struct delegates *ds, const struct delegate_wanted *w, bool is_static, struct delegate **out,
                                  struct err *err);

/* The one that was asked for, by the flag that stands first, or NULL. */
const struct delegate_type *delegates_wanted(const struct delegates *ds);

/* ST_USAGE where more than MAX_DELEGATES were asked for. */
enum status delegates_check_number(const struct delegates *ds, struct err *err);

/* ST_USAGE where more than one was asked for; `what` does not go with that: "--auto_fp32". */
enum status delegates_check_one(const struct delegates *ds, const char *what, struct err *err);

/* Opens those that were asked for, if any; more than MAX_DELEGATES are ST_USAGE, and several where an option of one is for a
 * delegate that runs alone (io_in_buffers, submission, loops). Before, it sets the
 * variables of the environment that the driver is to find (delegate_type.environment) and keeps them in ds->variables: the process
 * has one thread. Does nothing where they are open already. */
enum status delegates_open(struct delegates *ds, struct err *err);

/* Opens one more, or the first, with the options of its flags, of which `flag` (NULL: none) has this value instead. The caller
 * closes it. Fails as opening and flag_set do. */
enum status delegates_open_as(struct delegates *ds, const struct delegate_choice *choice, const struct flag *flag,
                              const char *value, struct delegate **out, struct err *err);

/* Prints that it was opened, what it runs on, and what was set for it. */
void delegates_say(const struct delegates *ds);

/* The labels of all[], up to the first NULL, as in "GPU and dummy". Returns `out`. */
const char *delegates_label(struct delegate *const *all, char out[64]);

/* Closes and frees everything; accepts a zeroed struct. */
void delegates_fini(struct delegates *ds);

#endif
