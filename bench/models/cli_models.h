/* SPDX-License-Identifier: Apache-2.0 */
/* cli_models.h - the tiny models that testdata/cli runs the tools on. */
#ifndef DELEGAUGE_BENCH_MODELS_CLI_MODELS_H
#define DELEGAUGE_BENCH_MODELS_CLI_MODELS_H

#include "bench/models/builder.h"

struct cli_model {
    const char *name;
    void (*build)(struct builder *b);
};

/* Ends with a row without a name. */
extern const struct cli_model cli_models[];

#endif
