/* SPDX-License-Identifier: Apache-2.0 */
/* skip_gram.c - SKIP_GRAM: word groups of a sentence, with up to max_skip_size words left out between neighbours. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernels_cpu/common/strings.h"

#define MAX_WORDS 1000 /* of a group: the search goes one call deeper for each */

static enum status skip_gram_shape(struct node *n, struct err *err)
{
    if (tensor_elems(n->in[0]) < 1)
        return err_set(err, ST_BAD_MODEL, "there is no sentence");
    return ST_LATER;
}

static enum status skip_gram_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_skip_gram *opt = c->node->opt;

    if (opt->ngram_size < 1 || opt->ngram_size > MAX_WORDS || opt->max_skip_size < 0)
        return err_set(err, ST_BAD_MODEL, "groups of %d words with %d left out", opt->ngram_size, opt->max_skip_size);
    return ST_OK;
}

struct words {
    const char **at;
    size_t *length;
    int32_t n;
};

static void add_word(struct words *w, const char *s, size_t begin, size_t end)
{
    w->at[w->n] = s + begin;
    w->length[w->n++] = end - begin;
}

/* Splits at white space as TFLite does: a first character is never a separator, and what follows the last one is a word. */
static void split_words(const char *s, size_t n, struct words *w)
{
    size_t begin = 0;

    for (size_t i = 1; i < n; i++)
        if (isspace((unsigned char)s[i])) {
            if (i > begin && !isspace((unsigned char)s[begin]))
                add_word(w, s, begin, i);
            begin = i + 1;
        }
    if (n > begin)
        add_word(w, s, begin, n);
}

/* Grams counted and measured on a first pass, written on a second. */
struct grams {
    const struct words *words;
    const struct opt_skip_gram *opt;
    int32_t *stack;      /* [ngram_size] the words chosen so far */
    struct tensor *y;    /* NULL on the first pass */
    size_t count, bytes; /* of all grams so far */
};

static void write_gram(const struct grams *g, int32_t size)
{
    uint8_t *head = (uint8_t *)g->y->data;
    int32_t at;
    char *to;

    memcpy(&at, head + (g->count + 1) * sizeof at, sizeof at);
    to = (char *)head + at;
    for (int32_t i = 0; i < size; i++) {
        size_t length = g->words->length[g->stack[i]];

        if (i)
            *to++ = ' ';
        memcpy(to, g->words->at[g->stack[i]], length);
        to += length;
    }
    at = (int32_t)(to - (char *)head);
    memcpy(head + (g->count + 2) * sizeof at, &at, sizeof at);
}

static void add_gram(struct grams *g, int32_t size)
{
    if (g->y)
        write_gram(g, size);
    g->count++;
    g->bytes += (size_t)size - 1;
    for (int32_t i = 0; i < size; i++)
        g->bytes += g->words->length[g->stack[i]];
}

/* Grams that begin with the `size` words on the stack, longer ones first. False when they are too many. */
static bool extend(struct grams *g, int32_t size)
{
    int32_t last = g->stack[size - 1];
    int64_t end = (int64_t)last + 1 + g->opt->max_skip_size;

    for (int32_t next = last + 1; size < g->opt->ngram_size && next <= end && next < g->words->n; next++) {
        g->stack[size] = next;
        if (!extend(g, size + 1))
            return false;
    }
    if (g->opt->include_all_ngrams || size == g->opt->ngram_size)
        add_gram(g, size);
    return g->bytes < INT32_MAX / 2 && g->count < INT32_MAX / 16;
}

static bool all_grams(struct grams *g)
{
    g->count = g->bytes = 0;
    for (int32_t first = 0; first < g->words->n; first++) {
        g->stack[0] = first;
        if (!extend(g, 1))
            return false;
    }
    return true;
}

static enum status put_grams(struct cpu_call *c, const struct words *w, int32_t *stack, struct err *err)
{
    const struct opt_skip_gram *opt = c->node->opt;
    struct grams g = {.words = w, .opt = opt, .stack = stack};
    int32_t count, at;
    enum status st;

    if (w->n >= opt->ngram_size && !all_grams(&g))
        return err_set(err, ST_NOMEM, "%d words make more than %zu groups", w->n, g.count);
    count = (int32_t)g.count;
    at = (int32_t)((g.count + 2) * sizeof at);
    if ((st = cpu_resize_output(c, 0, &count, 1, (size_t)at + g.bytes, err)))
        return st;
    g.y = c->node->out[0];
    memcpy(g.y->data, &count, sizeof count);
    memcpy((uint8_t *)g.y->data + sizeof count, &at, sizeof at);
    if (count)
        all_grams(&g);
    return ST_OK;
}

static enum status skip_gram_run(struct cpu_call *c, struct err *err)
{
    const struct opt_skip_gram *opt = c->node->opt;
    struct words w = {0};
    const char *s;
    size_t n, most;
    int32_t *stack;
    enum status st = strings_check(c->node->in[0], err);

    if (st)
        return st;
    s = strings_get(c->node->in[0], 0, &n);
    most = n / 2 + 2;
    w.at = calloc(most, sizeof *w.at);
    w.length = calloc(most, sizeof *w.length);
    stack = calloc((size_t)opt->ngram_size, sizeof *stack);
    if (!w.at || !w.length || !stack) {
        st = err_set(err, ST_NOMEM, "out of memory for %zu words", most);
    } else {
        split_words(s, n, &w);
        st = put_grams(c, &w, stack, err);
    }
    free(w.at);
    free(w.length);
    free(stack);
    return st;
}

const struct cpu_kernel cpu_skip_gram = {.arity = {1, 1, 1},
                                         .shape = skip_gram_shape,
                                         .in = {1u << TYPE_STRING},
                                         .out = {1u << TYPE_STRING},
                                         .prepare = skip_gram_prepare,
                                         .run = skip_gram_run};
