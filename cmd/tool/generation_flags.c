/* SPDX-License-Identifier: Apache-2.0 */
/* generation_flags.c - see generation_flags.h */
#include "cmd/tool/generation_flags.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"
#include "cmd/input/inputs.h"
#include "lib/tensor/rng.h"

#define FLAG_OPTIONS struct generation_flags
#define ROW          FLAG_ROW

enum { PROMPT_MAX_BYTES = 1 << 24 };

const struct flag generation_flag_table[] = {
    ROW(MODEL, "prefill", FLAG_TAKES_TEXT, prefill, "", "Prefill signature",
        "Generate tokens: read the prompt by this signature of a language model. Needs --decode, whose state (KV cache) it "
        "shares."),
    ROW(MODEL, "decode", FLAG_TAKES_TEXT, decode, "", "Decode signature",
        "Generate tokens: make each by this signature, always the most likely one. Needs --prefill."),
    ROW(MODEL, "prompt_tokens", FLAG_TAKES_INT(1, 1 << 20), prompt_tokens, "32", "Prompt tokens",
        "Read a prompt of this many random tokens."),
    ROW(MODEL, "decode_tokens", FLAG_TAKES_INT(1, 1 << 20), decode_tokens, "32", "Decode tokens", "Make this many tokens."),
    ROW(MODEL, "prompt", FLAG_READS_PATH, prompt, "", "Prompt",
        "Read the prompt from this file: the numbers of its tokens, with blanks or commas between."),
    {0},
};

enum status generation_check(const struct generation_flags *f, const struct cli *c, struct err *err)
{
    if (generation_wanted(f) && (!*f->prefill || !*f->decode))
        return err_set(err, ST_USAGE, "--prefill and --decode name two signatures of one model: both are needed");
    for (const struct flag *flag = generation_flag_table; flag->name && !generation_wanted(f); flag++)
        if (cli_find(c, flag->name)->given)
            return err_set(err, ST_USAGE, "--%s changes nothing without --prefill and --decode", flag->name);
    if (*f->prompt && cli_find(c, "prompt_tokens")->given)
        return err_set(err, ST_USAGE, "--prompt has the tokens that --prompt_tokens would draw at random: one of the two");
    return ST_OK;
}

enum status generation_refuse(const struct cli *c, const char *const *names, size_t n, struct err *err)
{
    static const char where[] = "with --prefill and --decode";
    enum status st = cli_refuse(c, names, n, where, err);

    for (const struct flag *flag = input_flag_table; flag->name && !st; flag++)
        if (strcmp(flag->name, "seed") != 0)
            st = cli_refuse(c, &flag->name, 1, where, err);
    return st;
}

/* Numbers of the text, of which there are at most as many as it has bytes. */
static enum status read_numbers(const char *path, const char *text, uint32_t vocabulary, int32_t *out, uint32_t *n, struct err *err)
{
    for (*n = 0; *(text += strspn(text, " ,\t\r\n"));) {
        char *end;
        long long number;

        errno = 0;
        number = strtoll(text, &end, 10);
        if (end == text || errno || number < 0 || number >= vocabulary || (*end && !strchr(" ,\t\r\n", *end)))
            return err_set(err, ST_USAGE, "%s: \"%.*s\" is no token: expected whole numbers from 0 to %u", path,
                           (int)strcspn(text, " ,\t\r\n") < 40 ? (int)strcspn(text, " ,\t\r\n") : 40, text, vocabulary - 1);
        out[(*n)++] = (int32_t)number;
        text = end;
    }
    return *n ? ST_OK : err_set(err, ST_USAGE, "%s: the prompt has no tokens", path);
}

static enum status read_prompt(const char *path, uint32_t vocabulary, struct arena *a, int32_t **out, uint32_t *n, struct err *err)
{
    void *data = NULL;
    size_t bytes;
    enum status st = file_read_all(path, PROMPT_MAX_BYTES, &data, &bytes, err);
    char *text = st ? NULL : ARENA_ARRAY(a, bytes + 1, char);

    if (!st)
        *out = ARENA_ARRAY(a, bytes + 1, int32_t);
    if (!st && (!text || !*out))
        st = err_set(err, ST_NOMEM, "out of memory for a prompt of %zu bytes", bytes);
    if (!st && bytes)
        memcpy(text, data, bytes);
    if (!st)
        st = strlen(text) == bytes ? read_numbers(path, text, vocabulary, *out, n, err)
                                   : err_set(err, ST_USAGE, "%s: byte %zu is 0, which is no text", path, strlen(text));
    free(data);
    return st;
}

enum status generation_prompt(const struct generation_flags *f, int32_t seed, uint32_t vocabulary, struct arena *a, int32_t **out,
                              uint32_t *n, struct err *err)
{
    struct rng rng = rng_seed((uint64_t)seed, 0);

    if (*f->prompt)
        return read_prompt(f->prompt, vocabulary, a, out, n, err);
    *n = (uint32_t)f->prompt_tokens;
    if (!(*out = ARENA_ARRAY(a, *n, int32_t)))
        return err_set(err, ST_NOMEM, "out of memory for a prompt of %u tokens", *n);
    for (uint32_t i = 0; i < *n; i++)
        (*out)[i] = (int32_t)rng_below(&rng, vocabulary);
    return ST_OK;
}
