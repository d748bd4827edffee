/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h - a folder with a folder for each sample: DIR/cat/input_0.png, DIR/dog/input_0.png. */
#pragma once

#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

/* List the folders in `dir` that have a file for input 0, in the order of their names, numbers by value ("2" before "10"), as paths
 * in the arena. None if `dir` has such a file itself, or cannot be read. Fails with ST_USAGE for more than 100,000, and with
 * ST_NOMEM. */
enum status samples_find(const char *dir, struct arena *a, const char ***out, uint32_t *n, struct err *err);
