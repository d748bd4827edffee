/* SPDX-License-Identifier: Apache-2.0 */
/* flag.h - command-line flags as table rows: name, type and bounds, default, field of the options struct, help line.
 *
 * Tools and delegates list their flags as tables of these rows. Parsing, checks, error messages, --help, the echo of the parameters
 * and the JSON take all facts about a flag from its row. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* The type of a flag's value. The option field is, in this order: a bool; an int32_t; a double; a const char *; an int32_t or enum,
 * the index in `words`. */
enum flag_type { FLAG_BOOL, FLAG_INT, FLAG_DOUBLE, FLAG_STRING, FLAG_WORD };

/* The use of the file or folder that a FLAG_STRING names. */
enum flag_file {
    FLAG_NO_FILE,
    FLAG_READS_A_PATH,       /* the value is the path of an input */
    FLAG_READS_NAMED_FILES,  /* the value is a list of inputs: NAME:PATH,NAME:PATH */
    FLAG_READS_LISTED_FILES, /* the value is a list with commas, of files or of names that the program knows */
    FLAG_READS_A_LIBRARY,    /* the value is the path of a shared library, which finds others beside it */
    FLAG_KEEPS_A_DIR,        /* a folder that one run fills and later runs read */
    FLAG_WRITES_A_FILE,      /* an output file; "-" is refused */
    FLAG_WRITES_A_REPORT,    /* an output file, or "-" for standard output */
    FLAG_WRITES_A_DIR        /* an output folder; "-" is refused */
};

/* The subject of a flag, under which --help lists it. GROUP_TFLITE: flags of TensorFlow Lite's tools that change nothing here. */
enum flag_group {
    GROUP_NONE,
    GROUP_RUN,
    GROUP_MODEL,
    GROUP_INPUT,
    GROUP_OUTPUT,
    GROUP_COMPARE,
    GROUP_PROFILE,
    GROUP_JUDGE,
    GROUP_EXPLAIN,
    GROUP_DELEGATE,
    GROUP_GPU,
    GROUP_START,
    GROUP_DEBUG,
    GROUP_TFLITE,
    FLAG_GROUPS
};

struct flag {
    const char *name; /* without the dashes; NULL ends a table */
    enum flag_group group;
    enum flag_type type;
    double min, max;          /* FLAG_INT, FLAG_DOUBLE: bounds of the value, both inclusive; max INFINITY: no bound */
    const char *const *words; /* FLAG_WORD: the possible values, in the order of the enum; ends with NULL */
    size_t offset;            /* offsetof the field in the table's options struct */
    size_t name_offset;       /* FLAG_BOOL: offsetof a const char * that takes any other text, with which the field is true; "" for
                               * true and false. 0: no other text is allowed */
    const char *value;        /* the default, as text; "" for no text. May lie outside the bounds, to mean "not given" */
    const char *label;        /* name in the parameter echo ("Num threads"); NULL: `name` */
    const char *help;         /* one line, without the bounds, which --help adds */
    enum flag_file file;      /* tools check before any work that outputs can be written; the default "" names no file */
    bool echoed;              /* the echo includes the flag even if it was not given */
    bool repeats;             /* FLAG_STRING: may be given several times; the value has one line for each */
    bool may_be_empty;        /* FLAG_STRING: "" may be given; else it is refused, as the place of a value that got lost */
    const char *bare;         /* FLAG_STRING, FLAG_WORD: the value of --name alone; NULL: a value is needed */

    /* The reason why other values are not supported here; NULL: none. A FLAG_WORD still takes its words; a flag of any other type
     * takes its default only, and has no field. */
    const char *refused;
};

/* Initializers for type and bounds in a row: {.name = "num_runs", FLAG_TAKES_INT(0, INT32_MAX), .offset = …}. */
#define FLAG_TAKES_BOOL             .type = FLAG_BOOL
#define FLAG_TAKES_BOOL_OR_NAME(at) .type = FLAG_BOOL, .name_offset = (at)
#define FLAG_TAKES_INT(lo, hi)      .type = FLAG_INT, .min = (lo), .max = (hi)
#define FLAG_TAKES_NUMBER(lo, hi)   .type = FLAG_DOUBLE, .min = (lo), .max = (hi)
#define FLAG_TAKES_TEXT             .type = FLAG_STRING
#define FLAG_READS_PATH             .type = FLAG_STRING, .file = FLAG_READS_A_PATH
#define FLAG_READS_LIBRARY          .type = FLAG_STRING, .file = FLAG_READS_A_LIBRARY
#define FLAG_READS_NAMED            .type = FLAG_STRING, .file = FLAG_READS_NAMED_FILES
#define FLAG_READS_LISTED           .type = FLAG_STRING, .file = FLAG_READS_LISTED_FILES
#define FLAG_KEEPS_DIR              .type = FLAG_STRING, .file = FLAG_KEEPS_A_DIR
#define FLAG_WRITES_FILE            .type = FLAG_STRING, .file = FLAG_WRITES_A_FILE
#define FLAG_WRITES_REPORT          .type = FLAG_STRING, .file = FLAG_WRITES_A_REPORT
#define FLAG_WRITES_DIR             .type = FLAG_STRING, .file = FLAG_WRITES_A_DIR
#define FLAG_TAKES_WORD(...)                                                                                                       \
    .type = FLAG_WORD, .words = (const char *const[])                                                                              \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }

/* A row for field `field` of FLAG_OPTIONS, the table's options struct, which each file of rows defines. Initializers of further
 * members may follow the help line: .echoed = true. */
#define FLAG_ROW(of_group, flag_name, takes, field, def, echo, ...)                                                                \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_##of_group, takes, .offset = offsetof(FLAG_OPTIONS, field), .value = def, .label = echo, \
        .help = __VA_ARGS__                                                                                                        \
    }

#define FLAG_BOUNDS_SIZE 160

/* Parse `text` and store the value in the row's field of `options`; a string value is borrowed. Fails with ST_USAGE, naming the
 * expected values and flag.refused, if text is no value of the type or out of bounds, or if it is empty and the row does not allow
 * that; the field then stays unchanged. */
enum status flag_set(const struct flag *f, void *options, const char *text, struct err *err);

/* Store the default of every row in its field. */
void flag_set_defaults(const struct flag *table, void *options);

/* Write the allowed values as text and return `out`: "from 0 to 10", "reference or fast", "nothing but false"; "" if all values of
 * the type are allowed. */
const char *flag_bounds(const struct flag *f, char out[FLAG_BOUNDS_SIZE]);

/* Return true if the flag takes only its default and has no field. */
bool flag_is_fixed(const struct flag *f);

/* Return true if the flag names an output file or folder. */
bool flag_writes(const struct flag *f);

/* Return the name of a group ("run"), and its contents in a few words; "" for GROUP_NONE. */
const char *flag_group_name(enum flag_group group);
const char *flag_group_text(enum flag_group group);

/* Return the other text of a FLAG_BOOL with name_offset; "" for true, false and all other flags. */
const char *flag_name_given(const struct flag *f, const void *options);

/* Return "bool", "int", "number", "text" or "word". */
const char *flag_type_name(const struct flag *f);

/* Parse the whole text as a number. Return false, with *out unchanged, if it is no number, not finite, or out of bounds. */
bool flag_read_int(const char *text, int64_t lo, int64_t hi, int64_t *out);
bool flag_read_double(const char *text, double *out);

/* Parse "5%" or "5", a number from 0 on, as a part: 0.05. Return false, with *out unchanged, for other text. */
bool flag_read_percent(const char *text, double *part);

/* Parse "true", "1", "false" or "0"; return false for other text. */
bool flag_read_bool(const char *text, bool *out);

/* Return the text after its leading blanks, which lists allow after commas: "1, 224, 224, 3". */
const char *flag_skip_blanks(const char *text);
