/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - finding, compiling and linking. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "../file_write.h"

/* Makes room for one more pointer; false without memory. */
static bool grow(struct gl_program ***list, uint32_t n, uint32_t *cap)
{
    uint32_t more = *cap ? 2 * *cap : 32;
    struct gl_program **grown;

    if (n < *cap)
        return true;
    if (!(grown = realloc(*list, more * sizeof *grown)))
        return false;
    *list = grown;
    *cap = more;
    return true;
}

static void free_program(struct gl_program *p)
{
    if (!p)
        return;
    free(p->text);
    free(p->label);
    free(p->refusal);
    free(p);
}

static char *refuse_for_test(const char *label)
{
    struct err err;

    err_set(&err, ST_FAILED, "the driver does not compile shader \"%s\": refused for a test", label);
    return strdup(err.msg);
}

/* The program of that hash, made where there is none; NULL without memory. Without `text`, one that is made has none. */
static struct gl_program *find_or_make(struct gl_programs *ps, const char *hash, const char *text, const char *label)
{
    struct gl_program *p;

    for (uint32_t i = 0; i < ps->n; i++)
        if (!strcmp(ps->list[i]->hash, hash))
            return ps->list[i];
    if (!grow(&ps->list, ps->n, &ps->cap) || !(p = calloc(1, sizeof *p)))
        return NULL;
    memcpy(p->hash, hash, sizeof p->hash);
    p->text = text ? strdup(text) : NULL;
    p->label = strdup(label);
    if (p->text && p->label && ps->refuse && (strstr(text, ps->refuse) || strstr(label, ps->refuse)))
        p->refusal = refuse_for_test(label);
    if (!p->text != !text || !p->label) {
        free_program(p);
        return NULL;
    }
    ps->list[ps->n++] = p;
    return p;
}

static enum status add(struct gl_programs *ps, struct gl_program_set *set, const char *hash, const char *text, const char *label,
                       uint32_t *index, struct err *err)
{
    struct gl_program *p;

    for (*index = 0; *index < set->n; ++*index)
        if (!strcmp(set->list[*index]->hash, hash))
            return ST_OK;
    if (!grow(&set->list, set->n, &set->cap) || !(p = find_or_make(ps, hash, text, label)))
        return err_set(err, ST_NOMEM, "out of memory for GPU program \"%s\"", label);
    set->first += p->users++ == 0;
    set->list[set->n++] = p;
    return ST_OK;
}

enum status gl_programs_add(struct gl_programs *ps, struct gl_program_set *set, const char *text, const char *label,
                            uint32_t *index, struct err *err)
{
    char hash[SHA256_HEX_SIZE];

    for (*index = 0; *index < set->n; ++*index) /* hashing takes longer */
        if (set->list[*index]->text && !strcmp(set->list[*index]->text, text))
            return ST_OK;
    return add(ps, set, sha256_hex(text, strlen(text), hash), text, label, index, err);
}

enum status gl_programs_add_hash(struct gl_programs *ps, struct gl_program_set *set, const char *hash, const char *label,
                                 uint32_t *index, struct err *err)
{
    return add(ps, set, hash, NULL, label, index, err);
}

/* Labels may grow with what was fused; names of files have an end. */
static enum status dump(const struct gl_program *p, const char *dir, struct err *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%.200s-%.12s.comp", dir, p->label, p->hash);
    enum status st;

    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, ST_IO, "%.100s...: the path of a shader is too long", dir);
    for (char *c = path + strlen(dir) + 1; *c; c++)
        if (*c == ' ' || *c == '/')
            *c = '_';
    st = file_write(path, &(struct file_piece){p->text, strlen(p->text)}, 1, err);
    return st == ST_FAILED ? ST_IO : st; /* a full disk is no refusal of the driver's */
}

struct build {
    struct gl_program_set *set;
    bool keep;
};

/* Starts the work without waiting for it. */
static void start(struct gl_program *p, bool keep)
{
    p->shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(p->shader, 1, (const char *const *)&p->text, NULL);
    glCompileShader(p->shader);
    p->program = glCreateProgram();
    glAttachShader(p->program, p->shader);
    if (keep)
        glProgramParameteri(p->program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glLinkProgram(p->program);
}

static void start_one(void *arg, uint32_t i, uint32_t who)
{
    const struct build *b = arg;
    struct gl_program *p = b->set->list[i];
    const uint64_t clock = clock_ns();

    (void)who;
    if (p->built || p->refusal)
        return;
    start(p, b->keep);
    p->ns = clock_ns() - clock;
    p->builder = b->set;
}

/* Copies line `line` (from 1) of the source. */
static void source_line(const char *text, int line, char *out, size_t size)
{
    for (; line > 1 && text; line--)
        text = (text = strchr(text, '\n')) ? text + 1 : NULL;
    snprintf(out, size, "%.*s", text ? (int)strcspn(text, "\n") : 0, text ? text : "");
}

/* Drivers write "0:12(5): error" or "0(12) : error" or "ERROR: 0:12: ": the second number is the line. */
static int logged_line(const char *log)
{
    int line = 0;

    log += strcspn(log, "0123456789");
    log += strspn(log, "0123456789");
    log += strcspn(log, "0123456789");
    while (*log >= '0' && *log <= '9' && line < 100000)
        line = 10 * line + (*log++ - '0');
    return line;
}

static enum status compile_error(const struct gl_program *p, struct err *err)
{
    char log[240] = "", line[160];
    GLint ok = 0;
    int number;

    glGetShaderiv(p->shader, GL_COMPILE_STATUS, &ok);
    if (ok)
        glGetProgramInfoLog(p->program, sizeof log, NULL, log);
    else
        glGetShaderInfoLog(p->shader, sizeof log, NULL, log);
    for (char *c = log; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    number = logged_line(log);
    source_line(p->text, number, line, sizeof line);
    return err_set(err, ST_FAILED, "the driver does not %s shader \"%s\": %s; line %d is \"%s\"", ok ? "link" : "compile", p->label,
                   log, number, line);
}

static void delete_objects(struct gl_program *p)
{
    glDeleteShader(p->shader);
    glDeleteProgram(p->program);
    p->shader = p->program = 0;
}

/* Waits for the driver. While attached, a deleted shader stays, source and all. */
static enum status finish(struct gl_program *p, struct err *err)
{
    GLint linked;

    glGetProgramiv(p->program, GL_LINK_STATUS, &linked);
    if (!linked) {
        enum status st = compile_error(p, err);

        delete_objects(p);
        free(p->text);
        p->text = NULL;
        return (p->refusal = strdup(err->msg)) ? st : err_set(err, ST_NOMEM, "out of memory");
    }
    glDetachShader(p->program, p->shader);
    glDeleteShader(p->shader);
    p->shader = 0;
    gl_program_done(p);
    return ST_OK;
}

void gl_program_done(struct gl_program *p)
{
    free(p->text);
    p->text = NULL;
    p->built = true;
}

/* Only memory ends it early. */
static enum status finish_all(struct gl_program_set *set, struct err *err)
{
    const char *refusal = NULL;

    for (uint32_t i = 0; i < set->n; i++) {
        struct gl_program *p = set->list[i];

        if (!p->built && !p->refusal) {
            const uint64_t clock = clock_ns();
            enum status st = finish(p, err);

            p->ns += clock_ns() - clock;
            if (st == ST_NOMEM)
                return st;
            set->compiled += st == ST_OK;
        }
        if (!refusal)
            refusal = p->refusal;
    }
    return refusal ? err_set(err, ST_FAILED, "%s", refusal) : ST_OK;
}

static bool lacks_any(const struct gl_program_set *set)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (!set->list[i]->built && !set->list[i]->refusal)
            return true;
    return false;
}

enum status gl_programs_build(struct gl_program_set *set, const struct gl_building *how, struct err *err)
{
    const bool works = lacks_any(set);
    struct build b = {set, how->keep};
    enum status st = ST_OK;
    uint64_t start;

    if (how->parallel)
        glMaxShaderCompilerThreadsKHR(0xffffffffu);
    for (uint32_t i = 0; i < set->n && !st && how->dump_dir; i++)
        if (set->list[i]->text)
            st = dump(set->list[i], how->dump_dir, err);
    if (st)
        return st;
    start = clock_ns();
    gl_helpers_share(how->helpers, set->n, start_one, &b);
    st = finish_all(set, err);
    set->build_ns += works ? clock_ns() - start : 0;
    return st;
}

uint32_t gl_programs_adopt(struct gl_program_set *set)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < set->n; i++)
        if (!set->list[i]->builder) {
            set->list[i]->builder = set;
            n++;
        }
    return n;
}

/* What helpers compiled is nobody's then. */
static void dismiss(struct gl_programs *ps)
{
    gl_helpers_dismiss(&ps->helpers);
    for (uint32_t i = 0; i < ps->n; i++) {
        struct gl_program *p = ps->list[i];

        p->warm = p->warm && !p->who;
        p->who = 0;
    }
}

void gl_programs_release(struct gl_programs *ps, struct gl_program_set *set)
{
    uint32_t kept = 0;
    bool deletes = false;

    for (uint32_t i = 0; ps && i < set->n; i++) {
        set->list[i]->users--;
        if (set->list[i]->builder == set)
            set->list[i]->builder = NULL;
        deletes |= !set->list[i]->users && set->list[i]->program;
    }
    if (deletes && gl_helpers_any(&ps->helpers))
        dismiss(ps);
    for (uint32_t i = 0; ps && i < ps->n; i++)
        if (ps->list[i]->users || ps->list[i]->refusal) {
            ps->list[kept++] = ps->list[i];
        } else {
            delete_objects(ps->list[i]);
            free_program(ps->list[i]);
        }
    if (ps)
        ps->n = kept;
    free(set->list);
    *set = (struct gl_program_set){0};
}

void gl_programs_fini(struct gl_programs *ps)
{
    for (uint32_t i = 0; i < ps->n; i++)
        free_program(ps->list[i]);
    free(ps->list);
    *ps = (struct gl_programs){0};
}
