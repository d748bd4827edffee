/* SPDX-License-Identifier: Apache-2.0 */
/* classification_list.c - the pictures of a folder, and the right class of each. */
#include "cmd/classification/eval_classification.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/host/say.h"
#include "lib/eval/json_stream.h"

/* The classes among which answers are chosen, those of one name together. */
static enum status read_valid(struct classification *e, struct err *err)
{
    struct label_lines lines;
    bool *among;
    enum status st;

    if (!*e->flags.valid)
        return ST_OK;
    if ((st = eval_lines(&e->base, "valid_labels", e->flags.valid, true, &lines, err)))
        return st;
    if (!(among = ARENA_ARRAY(&e->base.arena, e->labels.n, bool)))
        return err_set(err, ST_NOMEM, "out of memory for %u classes", e->labels.n);
    for (uint32_t i = 0; i < lines.n; i++) {
        uint32_t class;

        if (!label_find(&e->labels, lines.line[i], &class) &&
            !label_number(&e->labels, lines.line[i], e->flags.label_offset, &class))
            return err_set(err, ST_USAGE, "--valid_labels: '%.60s' is none of the model's %u classes", lines.line[i], e->labels.n);
        among[e->labels.same[class]] = true;
    }
    e->n_among = 0;
    for (uint32_t i = 0; i < e->labels.n; i++) {
        among[i] = among[e->labels.same[i]];
        e->n_among += among[i];
    }
    e->among = among;
    return e->n_among ? ST_OK : err_set(err, ST_USAGE, "--valid_labels: %s has no labels", e->flags.valid);
}

enum status classification_names(struct classification *e, struct err *err)
{
    struct label_lines lines = {0};
    enum status st;
    uint32_t n;

    if ((st = topk_classes(session_output(e->base.sides[0].session, 0), &n, err)) ||
        (st = eval_names(&e->base, e->flags.labels, n, &lines, &e->labels_from, err)))
        return st;
    if ((st = label_space_init(&e->labels, n, e->labels_from ? &lines : NULL, *e->flags.labels ? e->flags.model_labels_offset : 0,
                               e->flags.labels, &e->base.arena, err)))
        return st;
    return read_valid(e, err);
}

/* ---- labels ---- */

/* The label behind the picture's name, if the line begins with one of those; NULL: it does not. *length: of the name. */
static const char *label_behind(const char *line, size_t *length)
{
    *length = strcspn(line, "\t, ");
    if (!line[*length])
        return NULL;
    return line + *length + strspn(line + *length, "\t, ");
}

/* A line for each picture that it names. */
static enum status labels_by_name(struct classification *e, const struct names *names, const struct label_lines *lines,
                                  const char **labels, struct err *err)
{
    for (uint32_t i = 0; i < lines->n; i++) {
        size_t length;
        const char *label = label_behind(lines->line[i], &length),
                   **at = eval_find_name(names, lines->line[i], length, &e->base.arena);

        if (!*lines->line[i])
            continue;
        if (!label || !at)
            return err_set(err, ST_USAGE, "--ground_truth_labels: line %u, '%.80s': %s", i + 1, lines->line[i],
                           at ? "no label stands behind the name" : "the folder has no picture of this name");
        if (labels[at - names->list])
            return err_set(err, ST_USAGE, "--ground_truth_labels: line %u: %.80s has a label already", i + 1, *at);
        labels[at - names->list] = label;
    }
    e->by_name = true;
    return ST_OK;
}

/* A list of lists of numbers: labels "65|970", NULL where a list is empty. */
static enum status real_labels(struct classification *e, const struct names *names, const char **labels, struct err *err)
{
    struct json_stream *s;
    enum status st = json_stream_open(e->flags.real, &s, err);
    uint32_t n = 0;

    if (st)
        return err_prefix(err, st, "--real_labels");
    for (bool more = json_stream_list(s); more; more = json_stream_value(s), n++) {
        char *label = NULL;

        for (bool next = json_stream_list(s); next; next = json_stream_value(s)) {
            const long long number = json_stream_integer(s);

            label = label ? arena_printf(&e->base.arena, "%s|%lld", label, number) : arena_printf(&e->base.arena, "%lld", number);
            if (!label)
                json_stream_no_memory(s, n, "labels");
        }
        if (n < names->n)
            labels[n] = label;
    }
    if ((st = json_stream_close(s, err)))
        return err_prefix(err, st, "--real_labels");
    if (n != names->n)
        return err_set(err, ST_USAGE, "--real_labels: %s has labels of %u pictures, where the folder %s has %u", e->flags.real, n,
                       e->base.pictures.dir, names->n);
    return ST_OK;
}

static enum status find_labels(struct classification *e, const struct names *names, const char **labels, struct err *err)
{
    struct label_lines lines;
    enum status st;
    size_t length;

    if (e->by_folder) {
        for (uint32_t i = 0; i < names->n; i++)
            if (!(labels[i] = arena_printf(&e->base.arena, "%.*s", (int)strcspn(names->list[i], "/"), names->list[i])))
                return err_set(err, ST_NOMEM, "out of memory for %u labels", names->n);
        return ST_OK;
    }
    if (*e->flags.real)
        return real_labels(e, names, labels, err);
    if ((st = eval_lines(&e->base, "ground_truth_labels", e->flags.truth, false, &lines, err)))
        return st;
    if (lines.n && label_behind(lines.line[0], &length) && eval_find_name(names, lines.line[0], length, &e->base.arena))
        return labels_by_name(e, names, &lines, labels, err);
    if (lines.n != names->n)
        return err_set(err, ST_USAGE, "--ground_truth_labels: %s has %u labels, where the folder %s has %u pictures%s%.100s",
                       e->flags.truth, lines.n, e->base.pictures.dir, names->n,
                       e->base.pictures.others ? " beside other files, such as " : "",
                       e->base.pictures.others ? e->base.pictures.other[0] : "");
    memcpy(labels, lines.line, names->n * sizeof *labels);
    return ST_OK;
}

/* Whether the ground truth has names or numbers. */
static enum label_format label_format_of(const struct classification *e, const char *first)
{
    uint32_t class;

    if (*e->flags.real)
        return LABELS_INDEX;
    if (e->flags.label_format != LABELS_AUTO)
        return e->flags.label_format;
    return label_find(&e->labels, first, &class) || !label_number(&e->labels, first, e->flags.label_offset, &class) ? LABELS_TEXT
                                                                                                                    : LABELS_INDEX;
}

static bool find_class(const struct classification *e, const char *label, uint32_t *class)
{
    return e->format == LABELS_TEXT ? label_find(&e->labels, label, class)
                                    : label_number(&e->labels, label, e->flags.label_offset, class);
}

/* The right classes of a picture; several are "65|970". None if any of them is unknown. */
static enum status find_truths(struct classification *e, struct labelled *p, struct err *err)
{
    uint32_t most = 1, n = 0, class, *truths;
    char *text = arena_strdup(&e->base.arena, p->label), *rest = text;

    for (const char *at = p->label; (at = strchr(at, '|')); at++)
        most++;
    if (!text || !(truths = ARENA_ARRAY(&e->base.arena, most, uint32_t)))
        return err_set(err, ST_NOMEM, "out of memory for the labels of %u pictures", e->base.pictures.files);
    p->truth = NO_CLASS;
    if (find_class(e, text, &class)) {
        truths[n++] = e->labels.same[class];
    } else {
        while (rest) {
            if (!find_class(e, strsep(&rest, "|"), &class))
                return ST_OK;
            truths[n++] = e->labels.same[class];
        }
    }
    p->truth = truths[0];
    p->truths = truths;
    p->n_truths = n;
    return ST_OK;
}

/* ---- pictures ---- */

static enum status fail_unknown(const struct classification *e, const struct names *names, const char *const *labels,
                                uint32_t unknown, uint32_t first, struct err *err)
{
    char range[64] = "";

    if (e->format == LABELS_INDEX)
        snprintf(range, sizeof range, ", with --label_offset=%d", e->flags.label_offset);
    return err_set(err, ST_USAGE,
                   "--ground_truth_labels: %u of %u labels are none of the model's %u classes%s, the first '%.60s' of %.80s "
                   "(--unknown_labels=skip leaves these out)%s",
                   unknown, names->n, e->labels.n, range, labels[first], names->list[first],
                   e->labels.n_named || e->format == LABELS_INDEX ? "" : "; classes have names by --model_output_labels");
}

/* Those that are neither denied nor beyond --num_images. */
static enum status choose(struct classification *e, const struct names *names, const char *const *labels, struct err *err)
{
    struct pictures *p = &e->base.pictures;
    const uint32_t most = e->base.flags.num_images ? (uint32_t)e->base.flags.num_images : UINT32_MAX;
    uint32_t first = names->n;
    bool *denied;
    enum status st;

    p->list = ARENA_ARRAY(&e->base.arena, names->n, struct picture);
    e->labelled = ARENA_ARRAY(&e->base.arena, names->n, struct labelled);
    if (!p->list || !e->labelled)
        return err_set(err, ST_NOMEM, "out of memory for %u pictures", names->n);
    if ((st = eval_deny(&e->base, names, &denied, err)))
        return st;
    for (uint32_t i = 0; i < names->n; i++) {
        struct labelled *one = &e->labelled[i];

        e->unlabelled += !denied[i] && !labels[i];
        if (denied[i] || !labels[i])
            continue;
        one->label = labels[i];
        if ((st = find_truths(e, one, err)))
            return st;
        if (one->truth == NO_CLASS && !e->unknown++)
            first = i;
        if (one->truth == NO_CLASS && e->flags.unknown_labels != UNKNOWN_IS_WRONG)
            continue;
        if (p->n == most)
            p->left++;
        else
            p->list[p->n++] = (struct picture){.name = names->list[i], .number = i + 1};
    }
    if (e->unknown && e->flags.unknown_labels == UNKNOWN_FAILS)
        return fail_unknown(e, names, labels, e->unknown, first, err);
    if (!p->n)
        return err_set(err, ST_USAGE, "no picture is left of the %u in %s: the denylist has %u, and %u labels are unknown",
                       names->n, p->dir, p->denied, e->unknown);
    return ST_OK;
}

enum status classification_list(struct classification *e, struct err *err)
{
    struct names names = {0};
    const char **labels;
    enum status st;

    e->by_folder = !*e->flags.truth && !*e->flags.real;
    if ((st = classification_names(e, err)) || (st = eval_list(&e->base, e->by_folder, &names, err)))
        return st;
    if (!(labels = ARENA_ARRAY(&e->base.arena, names.n, const char *)))
        return err_set(err, ST_NOMEM, "out of memory for %u labels", names.n);
    if ((st = find_labels(e, &names, labels, err)))
        return st;
    for (uint32_t i = 0; i < names.n; i++)
        if (labels[i]) {
            e->format = label_format_of(e, labels[i]);
            break;
        }
    return choose(e, &names, labels, err);
}
