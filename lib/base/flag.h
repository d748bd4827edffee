/* SPDX-License-Identifier: Apache-2.0 */
/* flag.h - one row per command-line flag: name, type of value and its bounds, default, place of the value, line of --help.
 *
 * Tools and delegates list their flags as tables of these rows. All facts about a flag stand in its row: parsing, the check of the
 * bounds, the message about a bad value, --help, the echo of the parameters and the JSON all read them there. */
#ifndef DELEGAUGE_FLAG_H
#define DELEGAUGE_FLAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* The types of a flag. Their fields are, in this order: a bool, an int32_t, a double, a const char *, and an int32_t or enum, the
 * position among `words`. */
enum flag_type { FLAG_BOOL, FLAG_INT, FLAG_DOUBLE, FLAG_STRING, FLAG_WORD };

/* The use of the file or folder that a FLAG_STRING names: it is read; read, from a text of the form NAME:PATH,NAME:PATH; read, if
 * an entry of the text, a list with commas, names a file and nothing that the program knows by that name; a folder that one run
 * fills and later runs read; written ("-" is standard output to a report, and refused elsewhere). */
enum flag_file {
    FLAG_NO_FILE,
    FLAG_READS_A_PATH,
    FLAG_READS_NAMED_FILES,
    FLAG_READS_LISTED_FILES,
    FLAG_KEEPS_A_DIR,
    FLAG_WRITES_A_FILE,
    FLAG_WRITES_A_REPORT,
    FLAG_WRITES_A_DIR
};

struct flag {
    const char *name; /* without the dashes; NULL ends a table */
    enum flag_type type;
    double min, max;          /* FLAG_INT, FLAG_DOUBLE: bounds of the value, both allowed; max INFINITY: none */
    const char *const *words; /* FLAG_WORD: the possible values, in the order of the enum; ends with NULL */
    size_t offset;            /* offsetof the field in the options struct that goes with the table */
    const char *value;        /* the default, as it would be typed; "" for no text. May lie outside the bounds: "not given" */
    const char *label;        /* name in the parameter echo ("Num threads"); NULL: as `name` */
    const char *help;         /* one line, without the bounds: --help adds them */
    enum flag_file file;      /* before any work, tools try whether they can write it; "" is none */
    bool echoed;              /* the echo names it even if it was not given */
    bool repeats;             /* FLAG_STRING: may stand several times, and the value has a line for each */

    /* The reason why values that the flag refuses mean nothing here; NULL: there is nothing to explain. A FLAG_WORD takes its words
     * all the same; a flag of any other type takes the default alone, and has no field. */
    const char *refused;
};

/* The part of a row that gives the type and bounds of a flag's value: {.name = "num_runs", FLAG_TAKES_INT(0, INT32_MAX), .offset =
 * …}. */
#define FLAG_TAKES_BOOL           .type = FLAG_BOOL
#define FLAG_TAKES_INT(lo, hi)    .type = FLAG_INT, .min = (lo), .max = (hi)
#define FLAG_TAKES_NUMBER(lo, hi) .type = FLAG_DOUBLE, .min = (lo), .max = (hi)
#define FLAG_TAKES_TEXT           .type = FLAG_STRING
#define FLAG_READS_PATH           .type = FLAG_STRING, .file = FLAG_READS_A_PATH
#define FLAG_READS_NAMED          .type = FLAG_STRING, .file = FLAG_READS_NAMED_FILES
#define FLAG_READS_LISTED         .type = FLAG_STRING, .file = FLAG_READS_LISTED_FILES
#define FLAG_KEEPS_DIR            .type = FLAG_STRING, .file = FLAG_KEEPS_A_DIR
#define FLAG_WRITES_FILE          .type = FLAG_STRING, .file = FLAG_WRITES_A_FILE
#define FLAG_WRITES_REPORT        .type = FLAG_STRING, .file = FLAG_WRITES_A_REPORT
#define FLAG_WRITES_DIR           .type = FLAG_STRING, .file = FLAG_WRITES_A_DIR
#define FLAG_TAKES_WORD(...)                                                                                                       \
    .type = FLAG_WORD, .words = (const char *const[])                                                                              \
    {                                                                                                                              \
        __VA_ARGS__, NULL                                                                                                          \
    }
#define FLAG_BOUNDS_SIZE 160

/* Write the value that `text` stands for into the row's field of `options`; text is kept, not copied. ST_USAGE if it is no such
 * value or out of bounds, with a message that gives the expected values and, if the row has one, the reason: the field stays as it
 * was. */
enum status flag_set(const struct flag *f, void *options, const char *text, struct err *err);

/* Write the default of every row. */
void flag_set_defaults(const struct flag *table, void *options);

/* Write the bounds as text: "from 0 to 10", "reference or fast", "nothing but false"; "" if any value of the type may be given.
 * Return `out`. */
const char *flag_bounds(const struct flag *f, char out[FLAG_BOUNDS_SIZE]);

/* True if the flag takes nothing but the default, and stores nothing. */
bool flag_is_fixed(const struct flag *f);

/* True if the flag names a file or folder that is written. */
bool flag_writes(const struct flag *f);

/* Return "bool", "int", "number", "text" or "word". */
const char *flag_type_name(const struct flag *f);

/* Read a number that is the whole text. False on garbage, on a number that is not finite, and outside the bounds; *out then stays
 * as it was. */
bool flag_read_int(const char *text, int64_t lo, int64_t hi, int64_t *out);
bool flag_read_double(const char *text, double *out);

/* Read "true", "1", "false" or "0". */
bool flag_read_bool(const char *text, bool *out);

/* Return the text behind its leading blanks, which count for nothing behind the commas of a list: "1, 224, 224, 3". */
const char *flag_skip_blanks(const char *text);

#endif
