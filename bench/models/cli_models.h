/* SPDX-License-Identifier: Apache-2.0 */
/* cli_models.h - tiny models for the tests of the command lines (testdata/cli). */
#pragma once

#include "bench/models/builder.h"

struct cli_model {
    const char *name;
    void (*build)(struct builder *b);
};

/* Ends with a NULL name. */
extern const struct cli_model cli_models[];
