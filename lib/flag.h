/* SPDX-License-Identifier: Apache-2.0 */
/* flag.h - one row per command-line flag: name, type, default, where the value goes, and its line of --help.
 *
 * Tools and delegates list their flags as tables of these; cmd/cli.c parses them, prints --help from them and echoes them
 * into the JSON. */
#ifndef DELEGAUGE_FLAG_H
#define DELEGAUGE_FLAG_H

#include <stddef.h>

enum flag_type { FLAG_BOOL, FLAG_INT, FLAG_DOUBLE, FLAG_STRING }; /* bool, int32_t, double, const char * */

struct flag {
    const char *name; /* without the dashes; NULL ends a table */
    enum flag_type type;
    size_t offset;     /* offsetof the field in the options struct that goes with the table */
    const char *value; /* the default, as it would be typed; "" for no string */
    const char *label; /* how the parameter echo calls it ("Num threads"); NULL: as `name` */
    const char *help;  /* one sentence; for enums it lists the values */
};

#endif
