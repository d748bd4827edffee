/* SPDX-License-Identifier: Apache-2.0 */
/* delegates.h - the delegates that a command line asks for: their flags, and opening them.
 *
 * No delegate is named here: each row of delegate_types (lib/delegate/delegate.c) brings --use_NAME, its own flags and their
 * options.
 */
#pragma once

#include "cmd/tool/cli.h"
#include "lib/delegate/delegate.h"
#include "lib/session/session.h"

#define DELEGATES_MAX 16

/* Greatest number of environment variables that may be set for a delegate. */
#define DELEGATES_MAX_VARIABLES 8

/* One delegate type of this build. */
struct delegate_choice {
    const struct delegate_type *type;
    bool use;                /* asked for by its own flag */
    bool by_name;            /* by --delegate */
    bool also;               /* for delegates_open_as, besides the one of --delegate; its options alone then do not ask for it */
    void *options;           /* options of the type; filled by its flags */
    struct flag use_flag[2]; /* the row of --use_gpu */
    char use_label[32];      /* "Use gpu", as TFLite's tools echo it */
    char use_help[128];      /* help text of use_flag */
};

/* A variable of the environment that was set for the driver. */
struct delegate_variable {
    char name[48], value[4096];
};

struct delegates {
    struct delegate_choice choices[DELEGATES_MAX];
    uint32_t n_choices;
    struct delegate *opened; /* all[0]; NULL: everything runs on the CPU */
    const struct cli *cli;   /* borrowed */
    struct delegate
        *all[MAX_DELEGATES + 1]; /* delegates in the order in which they are asked, the order of their flags; ends with NULL */
    struct delegate_variable variables[DELEGATES_MAX_VARIABLES];
    uint32_t n_variables;
    const struct model *model; /* model for delegate_environment; borrowed */
    int32_t poll_us;           /* microseconds to poll (driver_waits.h), for drivers that are software; 0 if that is not possible */
};

/* Add the flags of these types to `c`; NULL ends the types (delegate_types). */
enum status delegates_init(struct delegates *ds, const struct delegate_type *const *types, struct cli *c, struct err *err);

/* Ask for a delegate by the name in --delegate=NAME; "" and "none" change nothing; a name that this build does not know is ST_USAGE
 * with the names that it knows. */
enum status delegates_choose(struct delegates *ds, const char *name, struct err *err);

/* Find the delegate type of that name; ST_USAGE for others, naming `flag` and the names that this build knows. */
enum status delegates_find(struct delegates *ds, const char *flag, const char *name, struct delegate_choice **out, struct err *err);

/* True if it was asked for: by name, or by an option. */
bool delegates_uses(const struct delegate_choice *choice);

/* Check the flags: ST_USAGE if a flag of a delegate was given another value than its default, but the delegate was not asked for:
 * the value would change nothing. If the delegate was turned off by name (--use_gpu=false), only warn: a script may do so to
 * compare. */
enum status delegates_check(const struct delegates *ds, const struct cli *c, struct err *err);

/* A delegate that was asked for. */
struct delegate_wanted {
    const struct delegate_choice *choice;
    uint32_t i; /* its number among the delegates that its options ask for */
};

/* List all delegates that were asked for, in the order of their flags, the first MAX_DELEGATES of them in `out`. Returns how many
 * there are. */
uint32_t delegates_list(const struct delegates *ds, struct delegate_wanted out[MAX_DELEGATES]);

/* Open that delegate, with its device or without. The caller closes it. Fails as opening does. */
enum status delegates_open_wanted(struct delegates *ds, const struct delegate_wanted *w, bool is_static, struct delegate **out,
                                  struct err *err);

/* Open that delegate for the device that it knows by this name, without it. The caller closes it. ST_USAGE if there is no such
 * name, and if the delegate knows no device by name. */
enum status delegates_open_known(struct delegates *ds, const struct delegate_wanted *w, const char *name, struct delegate **out,
                                 struct err *err);

/* Return the type that was asked for by the flag that stands first, or NULL. */
const struct delegate_type *delegates_wanted(const struct delegates *ds);

/* Check the number: ST_USAGE if more than MAX_DELEGATES were asked for. */
enum status delegates_check_number(const struct delegates *ds, struct err *err);

/* Check the number: ST_USAGE if more than one was asked for; `what` names the flag that needs a single one: "--auto_fp32". */
enum status delegates_check_one(const struct delegates *ds, const char *what, struct err *err);

/* Open the delegates that were asked for, if any; ST_USAGE for more than MAX_DELEGATES, and for several if an option of one is for
 * a delegate that runs alone (io_in_buffers, submission, loops). Before, it sets the environment variables that the driver is to
 * find (delegate_type.environment) and keeps them in ds->variables: the process has one thread. Does nothing if they are open
 * already. */
enum status delegates_open(struct delegates *ds, struct err *err);

/* Open one more delegate, or the first, with the options of its flags, but with this value of `flag` (NULL: none). The caller
 * closes it. Fails as opening and flag_set do. */
enum status delegates_open_as(struct delegates *ds, const struct delegate_choice *choice, const struct flag *flag,
                              const char *value, struct delegate **out, struct err *err);

/* Do the same with these options, a struct of the type's options_size. */
enum status delegates_open_with(struct delegates *ds, const struct delegate_choice *choice, const void *options,
                                struct delegate **out, struct err *err);

/* Print that each delegate was opened, its device, and the variables that were set for it. */
void delegates_say(const struct delegates *ds);

/* Print the accelerators that ran a model in a delegate's library, and the mean times of its parts; nothing for other delegates,
 * for NULL, and before any run. */
void delegates_say_runs(const struct delegate *d);

/* Write in which arithmetic `d` runs its nodes of the session: "fp16", "exact integers", "fp32, exact integers"; "" if the delegate
 * reports none. Returns `out`. */
#define DELEGATES_PRECISION_SIZE 64
const char *delegates_precision(const struct session *s, const struct delegate *d, char out[DELEGATES_PRECISION_SIZE]);

/* Write the labels of all[], up to the first NULL, as in "GPU and dummy". Returns `out`. */
const char *delegates_label(struct delegate *const *all, char out[64]);

/* Close and free everything; accepts a zeroed struct. */
void delegates_fini(struct delegates *ds);
