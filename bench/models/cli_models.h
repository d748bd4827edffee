/* SPDX-License-Identifier: Apache-2.0 */
/* cli_models.h - tiny models for the tests of the command lines (testdata/cli). */
#ifndef DELEGAUGE_BENCH_MODELS_CLI_MODELS_H
#define DELEGAUGE_BENCH_MODELS_CLI_MODELS_H

#include "bench/models/builder.h"

struct cli_model {
    const char *name;
    void (*build)(struct builder *b);
};

/* Ends with a NULL name. */
extern const struct cli_model cli_models[];

#endif
