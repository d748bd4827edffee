/* SPDX-License-Identifier: Apache-2.0 */
/* stored_sides.h - sides of a comparison that were run before, perhaps on another machine.
 *
 *   --save_inputs=DIR     each run's inputs
 *   --load_inputs=DIR     takes them from there
 *   --save_outputs=DIR    both sides' outputs, to DIR/reference and DIR/test: folders as stored.h has them
 *   --load_outputs=DIR    both sides from such a folder: nothing runs
 *   --load_reference_outputs=DIR, --load_test_outputs=DIR
 *                         one side from a folder of one; the other one runs here, on inputs that must equal the stored ones
 *
 * So --load_reference_outputs=A/test holds this machine's delegate against that of the machine that wrote A. */
#pragma once

#include <limits.h>

#include "cmd/tool/stored.h"

/* Paths of the folders; texts point into argv, "" if not given. */
struct stored_flags {
    const char *save_inputs, *load_inputs, *save_outputs, *load_outputs, *load_reference, *load_test;
};

extern const struct flag stored_flag_table[]; /* for struct stored_flags */

/* Zeroed to begin with, but for flags. A reader with runs is in use. */
struct stored_sides {
    struct stored_flags flags;
    struct stored_reader inputs, reference, test;
    struct stored_writer save_inputs, save_reference, save_test;
    char reference_dir[PATH_MAX], test_dir[PATH_MAX], save_reference_dir[PATH_MAX], save_test_dir[PATH_MAX];
    char hash[SHA256_HEX_SIZE]; /* hash of this run's inputs */
};
