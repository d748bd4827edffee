/* SPDX-License-Identifier: Apache-2.0 */
/* test_files.h - helpers of tests that work on files: a temporary folder, reading and writing whole files.
 *
 * An error of the operating system fails the test. A failed test leaves its files in /tmp. */
#pragma once

#include "lib/testing/test.h"

/* Make a new, empty folder below /tmp and store its path. The test empties and removes it. */
void make_temp_dir(char path[64]);

/* Read a whole file into data[size]. Returns its length in bytes, which must be below `size`, else the test fails. */
size_t read_file(const char *path, void *data, size_t size);

/* Write data[bytes] as a new file, removing an old one first: some file systems flush a file that is truncated and rewritten at
 * once, which takes long. */
void write_file(const char *path, const void *data, size_t bytes);

/* Write a text as root/path, with the folders that it needs. */
void write_below(const char *root, const char *path, const char *text);

/* Remove a folder that make_temp_dir made, with all in it. */
void remove_tree(const char *root);
