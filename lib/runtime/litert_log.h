/* SPDX-License-Identifier: Apache-2.0 */
/* litert_log.h - what LiteRT tells only in its log, which is the host's standard error, a file; and the folder of its programs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return the number that stands before these words in the text; -1: they are not there. */
int32_t litert_number_before(const char *text, const char *words);

/* Return the nodes that an NPU's compiler selected: "Partitioned subgraph<0>, selected 30 ops, from a total of 31 ops". */
int32_t litert_log_selected(void);

/* Return the nodes that a mask kept from the GPU, which would take them: "Excluding node 2", behind
 * "LITERT_GPU_DEBUG_EXCLUDE_NODES set to 7,2"; -1: the library did not read the mask. */
int32_t litert_log_masked(void);

/* Append ": " and the last line that is a warning or an error to text[size], if there is one. */
void litert_log_reason(char *text, size_t size);

/* Write the line about options that LiteRT drops, all that it has under one ID, since it cannot read a value; false: none. */
bool litert_log_dropped(char *out, size_t size);

/* Return the number of files in the folder; 0 if it cannot be read. */
int32_t litert_count_files(const char *folder);
