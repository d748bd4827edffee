/* SPDX-License-Identifier: Apache-2.0 */
/* flag_list.h - the flags of a tool for scripts (--list_flags): the source of completions and manual pages, and of the names of
 * flags with files for a script that carries files to another machine. */
#ifndef DELEGAUGE_CMD_FLAG_LIST_H
#define DELEGAUGE_CMD_FLAG_LIST_H

#include <stdio.h>

#include "cmd/tool/cli.h"

/* A line of names, then one for each flag (of one that is given several times, for each time) and each operand, a tab between
 * fields; in a field \t, \n and \\ stand for tab, new line and backslash:
 *   name     empty for an operand
 *   type     bool, int, number, text, word; operand
 *   file     what is done with the path that it names: read, read-named (NAME:PATH,NAME:PATH), read-listed (NAME,PATH), keep (a
 * folder that one run fills and later ones read), write, write-report (- is standard output), write-dir; empty where it names none
 *   bounds   what may be given, as --help says it; the words of a word, with | between them; of a flag that takes its default alone
 *            "fixed"
 *   default
 *   given    where it stands among those that the command line or --config give, from 1 on; 0: nowhere; operands count for
 *            themselves
 *   value    as it stands; of bool true or false
 *   help */
void flag_list_print(const struct cli *c, FILE *to);

#endif
