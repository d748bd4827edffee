/* SPDX-License-Identifier: Apache-2.0 */
/* flag_list.h - the flags of a tool for scripts (--list_flags): the source of completions and manual pages, and of the names of
 * flags with files for a script that carries files to another machine. */
#pragma once

#include <stdio.h>

#include "cmd/tool/cli.h"

/* Print a line of names, then one for each flag (for each value of a flag that is given several times) and each operand, a tab
 * between fields; in a field \t, \n and \\ stand for tab, new line and backslash:
 *   name     empty for an operand
 *   type     bool, int, number, text, word; operand
 *   file     use of the path that it names: read, read-named (NAME:PATH,NAME:PATH), read-listed (NAME,PATH), read-library, keep (a
 *            folder that one run fills and later ones read), write, write-report (- is standard output), write-dir; empty if it
 *            names none
 *   bounds   the values allowed, as --help says it; the words of a word, with | between them; "fixed" for a flag that takes its
 *            default alone
 *   default
 *   given    its rank among the flags of the command line and --config, from 1 on; 0: not given; operands count apart
 *   value    its present value; true or false for bool
 *   help
 *   group    the word of --help=GROUP; empty for an operand */
void flag_list_print(const struct cli *c, FILE *to);
