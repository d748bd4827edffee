/* SPDX-License-Identifier: Apache-2.0 */
/* test_files.h - for tests that work on files: a folder of their own, and whole files in and out.
 *
 * A refusal of the operating system fails the test. Nothing is removed when a test fails: /tmp keeps its files. */
#ifndef DELEGAUGE_TEST_FILES_H
#define DELEGAUGE_TEST_FILES_H

#include "lib/testing/test.h"

/* Make a new, empty folder below /tmp, its path in path[64]. The test empties and removes it. */
void make_temp_dir(char path[64]);

/* Read the whole file into data[size]; return its length in bytes, which must be below `size`: the test fails for a longer one. */
size_t read_file(const char *path, void *data, size_t size);

/* Write a new file of data[bytes], in the place of one that may be there: one cut to nothing and written again is brought to the
 * disk by some file systems at once, which takes long. */
void write_file(const char *path, const void *data, size_t bytes);

#endif
