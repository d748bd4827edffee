/* SPDX-License-Identifier: Apache-2.0 */
/* flag.c - from the text of a flag to its value. */
#include "lib/base/flag.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* strtoll and strtod skip white space and would take "" for 0. */
static bool begins_with_number(const char *text)
{
    return *text && !strchr(" \t\n\v\f\r", *text);
}

bool flag_read_int(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    char *end;
    long long v;

    if (!begins_with_number(text))
        return false;
    errno = 0;
    v = strtoll(text, &end, 10);
    if (errno || *end || v < lo || v > hi)
        return false;
    *out = v;
    return true;
}

bool flag_read_double(const char *text, double *out)
{
    char *end;
    double v;

    if (!begins_with_number(text))
        return false;
    v = strtod(text, &end);
    if (*end || !isfinite(v))
        return false;
    *out = v;
    return true;
}

bool flag_read_percent(const char *text, double *part)
{
    const size_t n = strlen(text) - (*text && text[strlen(text) - 1] == '%');
    char number[32];
    double percent;

    if (!n || n >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)n, text);
    if (!flag_read_double(number, &percent) || percent < 0)
        return false;
    *part = percent / 100;
    return true;
}

bool flag_read_bool(const char *text, bool *out)
{
    bool yes = !strcmp(text, "true") || !strcmp(text, "1");

    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return false;
    *out = yes;
    return true;
}

static void list_words(const char *const *words, char *out, size_t size)
{
    size_t n = 0;

    for (size_t i = 0; words[i] && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

bool flag_is_fixed(const struct flag *f)
{
    return f->refused && f->type != FLAG_WORD;
}

bool flag_writes(const struct flag *f)
{
    return f->file >= FLAG_WRITES_A_FILE;
}

static const struct {
    const char *name, *text;
} groups[FLAG_GROUPS] = {
    [GROUP_NONE] = {"", ""},
    [GROUP_RUN] = {"run", "runs, warm-up, threads, limits"},
    [GROUP_MODEL] = {"model", "the model and its signatures"},
    [GROUP_INPUT] = {"input", "content and shape of inputs"},
    [GROUP_OUTPUT] = {"output", "reports and printed text"},
    [GROUP_COMPARE] = {"compare", "several settings side by side"},
    [GROUP_PROFILE] = {"profile", "times of operators, memory"},
    [GROUP_JUDGE] = {"judge", "limits for exit status 1"},
    [GROUP_EXPLAIN] = {"explain", "nodes at fault and remedies"},
    [GROUP_DELEGATE] = {"delegate", "who runs which nodes"},
    [GROUP_GPU] = {"gpu", "precision and device of the GPU"},
    [GROUP_START] = {"start", "stored starts, tuning"},
    [GROUP_DEBUG] = {"debug", "shaders, planted errors"},
    [GROUP_TFLITE] = {"tflite", "of TFLite's tools, without effect here"},
};

const char *flag_group_name(enum flag_group group)
{
    return groups[group].name;
}

const char *flag_group_text(enum flag_group group)
{
    return groups[group].text;
}

const char *flag_type_name(const struct flag *f)
{
    static const char *const name[] = {"bool", "int", "number", "text", "word"};

    return name[f->type];
}

const char *flag_bounds(const struct flag *f, char out[FLAG_BOUNDS_SIZE])
{
    *out = '\0';
    if (flag_is_fixed(f))
        snprintf(out, FLAG_BOUNDS_SIZE, "nothing but %s", *f->value ? f->value : "\"\"");
    else if (f->type == FLAG_WORD)
        list_words(f->words, out, FLAG_BOUNDS_SIZE);
    else if (f->type == FLAG_DOUBLE && isinf(f->max))
        snprintf(out, FLAG_BOUNDS_SIZE, "of at least %.10g", f->min);
    else if (f->type == FLAG_INT || f->type == FLAG_DOUBLE)
        snprintf(out, FLAG_BOUNDS_SIZE, "from %.10g to %.10g", f->min, f->max);
    return out;
}

static bool set_word(const struct flag *f, int32_t *field, const char *text)
{
    for (int32_t i = 0; f->words[i]; i++)
        if (!strcmp(f->words[i], text)) {
            *field = i;
            return true;
        }
    return false;
}

static bool set_bool(const struct flag *f, void *options, const char *text)
{
    bool *field = (bool *)((char *)options + f->offset), known = flag_read_bool(text, field);
    const char **name = (const char **)((char *)options + f->name_offset);

    if (!f->name_offset || (!known && !*text))
        return known;
    *name = known ? "" : text;
    *field |= !known;
    return true;
}

const char *flag_name_given(const struct flag *f, const void *options)
{
    return f->type == FLAG_BOOL && f->name_offset ? *(const char *const *)((const char *)options + f->name_offset) : "";
}

/* With `bounded`, only what lies within the bounds of the row. */
static bool set(const struct flag *f, void *options, const char *text, bool bounded)
{
    void *field = (char *)options + f->offset;
    int64_t n;
    double v;

    switch (f->type) {
    case FLAG_BOOL: return set_bool(f, options, text);
    case FLAG_WORD: return set_word(f, field, text);
    case FLAG_STRING: *(const char **)field = text; return true;
    case FLAG_INT:
        if (!flag_read_int(text, bounded ? (int64_t)f->min : INT32_MIN, bounded ? (int64_t)f->max : INT32_MAX, &n))
            return false;
        *(int32_t *)field = (int32_t)n;
        return true;
    case FLAG_DOUBLE:
        if (!flag_read_double(text, &v) || (bounded && (v < f->min || v > f->max)))
            return false;
        *(double *)field = v;
        return true;
    }
    return false;
}

/* Whether `text` is another way to write the default. */
static bool is_default(const struct flag *f, const char *text)
{
    bool yes, wanted;
    double v, d;

    if (f->type == FLAG_BOOL)
        return flag_read_bool(text, &yes) && flag_read_bool(f->value, &wanted) && yes == wanted;
    if (f->type == FLAG_STRING)
        return !strcmp(text, f->value);
    return flag_read_double(text, &v) && flag_read_double(f->value, &d) && v == d;
}

static enum status refuse(const struct flag *f, const char *text, struct err *err)
{
    char bounds[FLAG_BOUNDS_SIZE];

    return err_set(err, ST_USAGE, "--%s=%.100s: %s is taken here, since %s", f->name, text, flag_bounds(f, bounds), f->refused);
}

enum status flag_set(const struct flag *f, void *options, const char *text, struct err *err)
{
    static const char *const kind[] = {
        [FLAG_BOOL] = "true, false, 1 or 0", [FLAG_INT] = "a whole number ", [FLAG_DOUBLE] = "a number ", [FLAG_WORD] = ""};
    char bounds[FLAG_BOUNDS_SIZE];

    if (f->type == FLAG_STRING && !*text && !f->may_be_empty && !flag_is_fixed(f))
        return err_set(err, ST_USAGE, "--%s=: the value is empty; to go without one, leave the flag out", f->name);
    if (flag_is_fixed(f) ? is_default(f, text) : set(f, options, text, true))
        return ST_OK;
    if (f->refused)
        return refuse(f, text, err);
    return err_set(err, ST_USAGE, "--%s=%.100s: expected %s%s%s", f->name, text, kind[f->type], f->name_offset ? " or a name" : "",
                   flag_bounds(f, bounds));
}

void flag_set_defaults(const struct flag *table, void *options)
{
    for (; table->name; table++) {
        bool good = flag_is_fixed(table) ? is_default(table, table->value) : set(table, options, table->value, false);

        assert(good);
        (void)good;
    }
}

const char *flag_skip_blanks(const char *text)
{
    return text + strspn(text, " ");
}
