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

bool signatures_are_all(const char *key)
{
    return !strcmp(key, "all");
}

void signatures_say(const struct model *m)
{
    say_info("The Model contains %u signature key(s).", m->n_signatures);
    if (m->n_signatures)
        say_info("They are listed below: ");
    say_all(say_text, m, "-> Signature Key:");
}

/* The shape that the file leaves open: " or [-1,224,224,3]". */
static void say_open(const struct tensor *t)
{
    bool open = false;

    for (uint32_t i = 0; i < t->n_signature; i++)
        open |= t->signature[i] == -1;
    for (uint32_t i = 0; open && i < t->n_signature; i++)
        say_text("%s%d", i ? "," : " or [", (int)t->signature[i]);
    say_text(open ? "]" : "");
}

static void say_names(const struct model *m, uint32_t subgraph, int32_t tensor, bool inputs)
{
    char name[256];

    for (uint32_t i = 0; i < m->n_signatures; i++) {
        const struct model_signature *s = &m->signatures[i];
        const uint32_t *tensors = inputs ? s->input_tensors : s->output_tensors;

        for (uint32_t k = 0; s->subgraph == subgraph && k < (inputs ? s->n_inputs : s->n_outputs); k++)
            if ((int32_t)tensors[k] == tensor)
                say_text(", '%s' of signature %.63s", say_clean(inputs ? s->input_names[k] : s->output_names[k], name, sizeof name),
                         s->key);
    }
}

static void say_tensors(const struct model *m, uint32_t subgraph, const int32_t *list, uint32_t n, bool inputs)
{
    const struct model_subgraph *s = &m->subgraphs[subgraph];
    char name[256];

    say_text("%s: %u\n", inputs ? "Inputs" : "Outputs", n);
    for (uint32_t i = 0; i < n; i++) {
        const struct tensor *t = &s->tensors[list[i]];

        say_text("  %u '%s' %s", i, say_clean(t->name, name, sizeof name), TENSOR_TEXT(t));
        say_open(t);
        say_names(m, subgraph, list[i], inputs);
        say_text("\n");
    }
}

void signatures_say_inputs(const struct model *m, uint32_t subgraph)
{
    const struct model_subgraph *s = &m->subgraphs[subgraph];

    say_tensors(m, subgraph, s->inputs, s->n_inputs, true);
    say_tensors(m, subgraph, s->outputs, s->n_outputs, false);
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
