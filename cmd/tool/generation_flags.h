/* SPDX-License-Identifier: Apache-2.0 */
/* generation_flags.h - the flags of tools that run a language model token by token (lib/generate), and its prompt. */
#pragma once

#include "cmd/tool/cli.h"
#include "lib/base/arena.h"

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct generation_flags {
    const char *prefill, *decode;         /* keys of the signatures */
    const char *prompt;                   /* file with the numbers of tokens */
    int32_t prompt_tokens, decode_tokens; /* numbers of tokens that are read, and made */
};

extern const struct flag generation_flag_table[]; /* for struct generation_flags */

/* Return true if tokens are to be generated. */
static inline bool generation_wanted(const struct generation_flags *f)
{
    return *f->prefill || *f->decode;
}

/* Check that both signatures are given, or no flag of the table: ST_USAGE. */
enum status generation_check(const struct generation_flags *f, const struct cli *c, struct err *err);

/* Refuse flags that change nothing where tokens are generated: names[n], and those of inputs but the seed. ST_USAGE. */
enum status generation_refuse(const struct cli *c, const char *const *names, size_t n, struct err *err);

/* Make the prompt: the file's numbers, or prompt_tokens random ones below `vocabulary`. Stores in *out an array of *n in `a`.
 * ST_IO for a file that cannot be read; ST_USAGE for one with anything but whole numbers below `vocabulary`, blanks and commas
 * between them. */
enum status generation_prompt(const struct generation_flags *f, int32_t seed, uint32_t vocabulary, struct arena *a, int32_t **out,
                              uint32_t *n, struct err *err);
