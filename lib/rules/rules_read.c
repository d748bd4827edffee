/* SPDX-License-Identifier: Apache-2.0 */
/* rules_read.c - reads a file of rules line by line; schema/rules/README.md is the format.
 *
 * Files come from anywhere: every failure is one message with its line, and memory grows with the file alone. */
#include <stdlib.h>
#include <string.h>

#include "lib/rules/rules_impl.h"

void *rules_fail(struct rules_reader *rd, const char *fmt, ...)
{
    char text[400];
    va_list ap;

    if (rd->st)
        return NULL;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    rd->st = err_set(rd->err, ST_USAGE, "%.80s:%u: %s", rd->file, rd->line, text);
    return NULL;
}

void *rules_room(struct rules_reader *rd, size_t n, size_t size)
{
    void *p = arena_alloc(&rd->rules->arena, n, size);

    if (!p && !rd->st)
        rd->st = err_set(rd->err, ST_NOMEM, "%.80s: out of memory for rules", rd->file);
    return p;
}

static bool is_word(char c, const char *more)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || (c && strchr(more, c));
}

char *rules_word(struct rules_reader *rd, const char *more)
{
    size_t n = 0;
    char *word;

    rd->at += strspn(rd->at, " \t");
    while (is_word(rd->at[n], more))
        n++;
    if (!n || !(word = rules_room(rd, n + 1, 1)))
        return NULL;
    memcpy(word, rd->at, n);
    rd->at += n;
    return word;
}

static int32_t operator_code(const char *name)
{
    for (int32_t code = 0; code < BUILTIN_COUNT; code++) {
        const char *known = builtin_name(code);

        if (known && !strcmp(known, name))
            return code;
    }
    return -1;
}

bool rules_constant(const char *name, double *out)
{
    const int32_t code = operator_code(name);
    const enum tensor_type type = type_from_name(name);

    if (type != TYPE_NONE)
        *out = type;
    else if (code >= 0)
        *out = code;
    return type != TYPE_NONE || code >= 0;
}

/* The rest of the line. */
static const char *rest(struct rules_reader *rd)
{
    const char *text = rd->at + strspn(rd->at, " \t");

    rd->at += strlen(rd->at);
    return text;
}

static bool at_end(struct rules_reader *rd)
{
    rd->at += strspn(rd->at, " \t");
    return !*rd->at || rules_fail(rd, "\"%.20s\" is too much", rd->at);
}

/* ---- rows ---- */

static struct message_piece *add_piece(struct rules_reader *rd, struct message_piece ***tail, const char *text, size_t n)
{
    struct message_piece *piece = rules_room(rd, 1, sizeof *piece);
    char *copy = rules_room(rd, n + 1, 1);

    if (!piece || !copy)
        return NULL;
    memcpy(copy, text, n);
    piece->text = copy;
    **tail = piece;
    *tail = &piece->next;
    return piece;
}

/* "Max version supported: 2. Requested version {version}." */
static struct message_piece *read_message(struct rules_reader *rd)
{
    struct message_piece *first = NULL, **tail = &first;

    rd->at += strspn(rd->at, " \t");
    rd->in_message = true;
    while (!rd->st) {
        const size_t n = strcspn(rd->at, "{");
        struct message_piece *piece = add_piece(rd, &tail, rd->at, n);

        if (!piece)
            break;
        rd->at += n;
        if (!*rd->at)
            break;
        rd->at++;
        piece->fill = rules_expression(rd);
        rd->at += strspn(rd->at, " \t");
        if (piece->fill && *rd->at++ != '}')
            rules_fail(rd, "a { in a message has no } behind its expression");
    }
    rd->in_message = false;
    return first;
}

static int answer_of(const char *word)
{
    static const char *const answers[] = {"yes", "no", "incorrect", "crash", "partial"};

    for (int i = 0; i <= ROW_PARTIAL; i++)
        if (!strcmp(answers[i], word))
            return i;
    return -1;
}

static enum reason_code code_of(struct rules_reader *rd)
{
    const char *name = rules_word(rd, "");

    for (int code = REASON_NONE + 1; name && code < REASON_COUNT; code++)
        if (!strcmp(reason_name((enum reason_code)code), name))
            return (enum reason_code)code;
    rules_fail(rd, "\"%.40s\" is no reason code", name ? name : rd->at);
    return REASON_NONE;
}

/* "if EXPRESSION" or "unless EXPRESSION"; without either the row holds always. */
static void read_when(struct rules_reader *rd, struct rules_row *row)
{
    const char *start, *word;

    rd->at += strspn(rd->at, " \t");
    start = rd->at;
    word = rules_word(rd, "");
    row->unless = word && !strcmp(word, "unless");
    if (row->unless || (word && !strcmp(word, "if")))
        row->when = rules_expression(rd);
    else
        rd->at = start;
}

static void read_row(struct rules_reader *rd, struct rules_section *s, int answer)
{
    struct rules_row *row = rules_room(rd, 1, sizeof *row);

    if (!row)
        return;
    row->answer = answer;
    if (answer != ROW_YES)
        row->code = code_of(rd);
    read_when(rd, row);
    rd->row_steps += row->when ? row->when->steps : 1;
    if (rd->row_steps > RULES_MAX_ROW_STEPS)
        rules_fail(rd, "the rows up to here take more than %d steps", RULES_MAX_ROW_STEPS);
    if (rd->st)
        return;
    rd->at += strspn(rd->at, " \t");
    if (answer == ROW_YES) {
        at_end(rd);
    } else if (*rd->at == ':') {
        rd->at++;
        row->message = read_message(rd);
    } else {
        rules_fail(rd, "\": MESSAGE\" is missing before \"%.20s\"", rd->at);
    }
    *s->tail = row;
    s->tail = &row->next;
}

/* ---- what comes before rows ---- */

static uint32_t count_words(const char *text)
{
    uint32_t n = 0;

    while (*(text += strspn(text, " \t"))) {
        n++;
        text += strcspn(text, " \t");
    }
    return n;
}

static struct rules_section *add_section(struct rules_reader *rd, enum section_kind kind)
{
    struct rules_program *p = rd->rules->program;
    struct rules_section *s = rules_room(rd, 1, sizeof *s);

    if (!s)
        return NULL;
    s->kind = kind;
    s->tail = &s->rows;
    *p->tail = s;
    p->tail = &s->next;
    return s;
}

/* Names that are no operator of the schema are typing errors; those of custom operators anybody makes up. */
static struct rules_section *read_operators(struct rules_reader *rd, bool custom)
{
    const uint32_t n = count_words(rd->at);
    struct rules_section *s = add_section(rd, SECTION_OPS);

    if (!s || (!custom && !(s->ops = rules_room(rd, n, sizeof *s->ops))) ||
        (custom && !(s->customs = rules_room(rd, n, sizeof *s->customs))))
        return NULL;
    for (uint32_t i = 0; i < n; i++) {
        const char *name = rules_word(rd, custom ? ".:/-" : "");

        if (!name)
            return rules_fail(rd, "\"%.20s\" is no name of an operator", rd->at);
        if (custom)
            s->customs[s->n_customs++] = name;
        else if ((s->ops[s->n_ops++] = operator_code(name)) < 0)
            return rules_fail(rd, "there is no operator %.60s", name);
    }
    return n && at_end(rd) ? s : rules_fail(rd, "names of operators are missing");
}

/* A type, an operator, or a whole number. */
static bool read_member(struct rules_reader *rd, double *out)
{
    const char *word = rules_word(rd, "-"), *at;

    if (!word)
        return rules_fail(rd, "\"%.20s\" is no member of a set", rd->at);
    if (rules_constant(word, out))
        return true;
    at = word + (*word == '-');
    if (!*at || at[strspn(at, "0123456789")])
        return rules_fail(rd, "\"%.40s\" is neither a type nor an operator nor a number", word);
    if (!rules_number(rd, &at, out))
        return false;
    *out = *word == '-' ? -*out : *out;
    return true;
}

/* One more that `set` or `let` gives: it must not be given already. */
static bool is_new(struct rules_reader *rd, const char *name, bool given)
{
    if (given)
        return rules_fail(rd, "\"%.40s\" has a meaning already", name);
    return ++rd->names <= RULES_MAX_NAMES || rules_fail(rd, "more than %d names of sets and expressions", RULES_MAX_NAMES);
}

static void read_set(struct rules_reader *rd)
{
    struct rules_program *p = rd->rules->program;
    struct rules_set *s = rules_room(rd, 1, sizeof *s);
    bool given = false;
    char *equals;

    if (!s || !(s->name = rules_word(rd, "")) || !(equals = rules_word(rd, "=")) || strcmp(equals, "=") != 0) {
        rules_fail(rd, "a set is written as: set NAME = MEMBER MEMBER");
        return;
    }
    for (const struct rules_set *k = p->sets; k; k = k->next)
        given |= !strcmp(k->name, s->name);
    if (!is_new(rd, s->name, given) || !(s->members = rules_room(rd, count_words(rd->at), sizeof *s->members)))
        return;
    while (*(rd->at += strspn(rd->at, " \t")))
        if (!read_member(rd, &s->members[s->n++]))
            return;
    qsort(s->members, s->n, sizeof *s->members, rules_by_value);
    s->next = p->sets;
    p->sets = s;
}

static void read_let(struct rules_reader *rd)
{
    struct rules_program *p = rd->rules->program;
    struct rules_name *n = rules_room(rd, 1, sizeof *n);
    bool given = false;
    char *equals;

    if (!n || !(n->name = rules_word(rd, "")) || !(equals = rules_word(rd, "=")) || strcmp(equals, "=") != 0) {
        rules_fail(rd, "a name is given as: let NAME = EXPRESSION");
        return;
    }
    for (const struct rules_name *k = p->names; k; k = k->next)
        given |= !strcmp(k->name, n->name);
    if (is_new(rd, n->name, given || rules_word_is_taken(n->name)) && (n->is = rules_expression(rd)) && at_end(rd)) {
        n->next = p->names;
        p->names = n;
    }
}

static void read_log(struct rules_reader *rd)
{
    const char *word = rules_word(rd, "");

    if (word && !strcmp(word, "now"))
        rd->rules->log = RULES_LOG_NOW;
    else if (word && !strcmp(word, "2019"))
        rd->rules->log = RULES_LOG_2019;
    else if (word && !strcmp(word, "drift"))
        rd->rules->log = RULES_LOG_DRIFT;
    else
        rules_fail(rd, "log is now, 2019 or drift");
    at_end(rd);
}

static void read_partitions(struct rules_reader *rd)
{
    const char *word = rules_word(rd, "");
    char *end = NULL;
    const long n = word ? strtol(word, &end, 10) : 0;

    if (!word || *end || n < 1 || n > 1000)
        rules_fail(rd, "partitions takes a number from 1 to 1000");
    rd->rules->max_partitions = (int32_t)n;
    at_end(rd);
}

/* Only built-in sets, so that a file reads no other file. */
static void read_base(struct rules_reader *rd)
{
    struct rules_program *p = rd->rules->program;
    const char *name = rules_word(rd, "-.");
    bool known = false;

    for (const char *const *n = rules_names(); name && *n; n++)
        known |= !strcmp(*n, name);
    if (!known || p->base || p->sections)
        rules_fail(rd, "within takes one built-in rule set, before any section");
    else if (!rd->st && !(rd->st = rules_open(name, &p->base, rd->err)))
        p->sees_through |= p->base->program->sees_through;
    at_end(rd);
}

static void read_see_through(struct rules_reader *rd)
{
    const char *word = rules_word(rd, "");

    if (!word || strcmp(word, "DEQUANTIZE") != 0)
        rules_fail(rd, "see_through knows DEQUANTIZE alone");
    rd->rules->program->sees_through = true;
    at_end(rd);
}

static void read_title(struct rules_reader *rd)
{
    if (!(rd->rules->title = arena_strdup(&rd->rules->arena, rest(rd))))
        rules_room(rd, SIZE_MAX, 2);
}

/* A line that is no row and begins no section. */
static bool read_setting(struct rules_reader *rd, const char *word)
{
    static const struct {
        const char *word;
        void (*read)(struct rules_reader *rd);
        bool often;
    } settings[] = {{"set", read_set, true},
                    {"let", read_let, true},
                    {"title", read_title, false},
                    {"log", read_log, false},
                    {"within", read_base, false},
                    {"partitions", read_partitions, false},
                    {"see_through", read_see_through, false}};

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (!strcmp(settings[i].word, word)) {
            if (!settings[i].often && (rd->settings >> i & 1))
                rules_fail(rd, "\"%s\" stands here a second time", word);
            rd->settings |= UINT32_C(1) << i;
            settings[i].read(rd);
            return true;
        }
    return false;
}

static struct rules_section *read_section(struct rules_reader *rd, const char *word)
{
    static const char *const kinds[] = {"first", NULL, "other", "every"};

    if (!strcmp(word, "op") || !strcmp(word, "custom"))
        return read_operators(rd, *word == 'c');
    for (int kind = SECTION_FIRST; kind <= SECTION_EVERY; kind++)
        if (kinds[kind] && !strcmp(kinds[kind], word))
            return at_end(rd) ? add_section(rd, (enum section_kind)kind) : NULL;
    return rules_fail(rd, "\"%.40s\" begins no line of a rule set", word);
}

static void read_line(struct rules_reader *rd, struct rules_section **section)
{
    const char *word;
    int answer;

    rd->at += strspn(rd->at, " \t");
    if (!*rd->at || *rd->at == '#')
        return;
    if (!(word = rules_word(rd, ""))) {
        rules_fail(rd, "\"%.20s\" begins no line of a rule set", rd->at);
        return;
    }
    answer = answer_of(word);
    if (!rd->rules->name) {
        if (strcmp(word, "rules") != 0 || !(rd->rules->name = rules_word(rd, "-.")) || !at_end(rd))
            rules_fail(rd, "a file of rules begins with: rules NAME");
    } else if (answer >= 0 && !*section) {
        rules_fail(rd, "a row stands before any section");
    } else if (answer >= 0) {
        read_row(rd, *section, answer);
    } else if (!read_setting(rd, word)) {
        *section = read_section(rd, word);
    }
}

static enum status begin(struct rules_reader *rd)
{
    struct rules *r = calloc(1, sizeof *r);

    if (r && (r->program = ARENA_NEW(&r->arena, struct rules_program)))
        r->program->tail = &r->program->sections;
    rd->rules = r;
    return r && r->program ? ST_OK : err_set(rd->err, ST_NOMEM, "%.80s: out of memory for rules", rd->file);
}

/* Each line in a buffer of its own, which the next one overwrites: what stays is copied. */
static void read_lines(struct rules_reader *rd, const char *text, size_t bytes)
{
    struct rules_section *section = NULL;
    char *line = malloc(bytes + 1);

    if (!line)
        rd->st = err_set(rd->err, ST_NOMEM, "%.80s: out of memory for rules", rd->file);
    for (size_t from = 0; from < bytes && !rd->st;) {
        const char *end = memchr(text + from, '\n', bytes - from);
        size_t n = end ? (size_t)(end - text) - from : bytes - from;

        memcpy(line, text + from, n);
        from += n + 1;
        n -= n && line[n - 1] == '\r';
        line[n] = '\0';
        rd->line++;
        rd->at = line;
        if (strlen(line) != n)
            rules_fail(rd, "a byte of 0");
        else
            read_line(rd, &section);
    }
    free(line);
}

enum status rules_parse(const char *text, size_t bytes, const char *name, struct rules **out, struct err *err)
{
    struct rules_reader rd = {.file = name, .err = err};

    *out = NULL;
    if (bytes > RULES_MAX_BYTES)
        return err_set(err, ST_UNSUPPORTED, "%.80s: a rule set of %zu bytes or more, the limit is %d", name, bytes,
                       RULES_MAX_BYTES);
    if (!(rd.st = begin(&rd)))
        read_lines(&rd, text, bytes);
    if (!rd.st && !rd.rules->name)
        rules_fail(&rd, "nothing in it: a file of rules begins with: rules NAME");
    if (!rd.st && !rd.rules->title)
        rd.rules->title = rd.rules->name;
    if (rd.st) {
        rules_free(rd.rules);
        return rd.st;
    }
    rd.rules->type = (struct delegate_type){.name = rd.rules->name, .label = "GPU", .kernel = rd.rules->title};
    *out = rd.rules;
    return ST_OK;
}
