/* SPDX-License-Identifier: Apache-2.0 */
/* signatures.c - signatures by name, and their list. */
#include "cmd/tool/signatures.h"

#include <string.h>

#include "cmd/host/say.h"

static void say_side(void (*say)(const char *fmt, ...), const struct model *m, const struct model_signature *s, const char *side,
                     const char *const *names, const uint32_t *tensors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        char name[256];

        say("   %s '%s': %s\n", side, say_clean(names[i], name, sizeof name),
            TENSOR_TEXT(&m->subgraphs[s->subgraph].tensors[tensors[i]]));
    }
}

/* `mark` begins the line of each key. */
static void say_all(void (*say)(const char *fmt, ...), const struct model *m, const char *mark)
{
    for (uint32_t i = 0; i < m->n_signatures; i++) {
        const struct model_signature *s = &m->signatures[i];
        char key[256];

        say("%s %s\n", mark, say_clean(s->key, key, sizeof key));
        say_side(say, m, s, "input", s->input_names, s->input_tensors, s->n_inputs);
        say_side(say, m, s, "output", s->output_names, s->output_tensors, s->n_outputs);
    }
}

static void to_stderr(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static void to_stderr(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    vfprintf(stderr, fmt, ap);
    va_end(ap);
}

void signatures_say(const struct model *m)
{
    say_info("The Model contains %u signature key(s).", m->n_signatures);
    if (m->n_signatures)
        say_info("They are listed below: ");
    say_all(say_text, m, "-> Signature Key:");
}

enum status signatures_choose(const struct model *m, const char *flag, const char *key, uint32_t *subgraph, struct err *err)
{
    *subgraph = 0;
    if (!*key && m->n_signatures < 2)
        return ST_OK;
    if (!m->n_signatures)
        return err_set(err, ST_USAGE, "Signature key is specified, but the model does not have any signatures.");
    for (uint32_t i = 0; i < m->n_signatures; i++)
        if (!strcmp(m->signatures[i].key, key)) {
            *subgraph = m->signatures[i].subgraph;
            return ST_OK;
        }
    fflush(stdout);
    to_stderr("Signature not specified or incorrect. Pass one of the following to the flag \"--%s\"\n", flag);
    say_all(to_stderr, m, " #> Signature key:");
    if (!*key)
        return err_set(err, ST_USAGE, "--%s=KEY is needed: the model has %u signatures", flag, m->n_signatures);
    return err_set(err, ST_USAGE, "--%s=%.100s: the model has no signature of that name", flag, key);
}
