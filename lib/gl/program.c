/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - compiling and linking. */
#include "program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint64_t hash_text(const char *s)
{
    uint64_t h = 14695981039346656037u;

    while (*s)
        h = (h ^ (unsigned char)*s++) * 1099511628211u;
    return h;
}

enum status gl_programs_add(struct gl_programs *ps, struct arena *a, const char *text, const char *label, uint32_t *index,
                            struct err *err)
{
    uint64_t hash = hash_text(text);

    for (*index = 0; *index < ps->n; ++*index)
        if (ps->list[*index].hash == hash && !strcmp(ps->list[*index].text, text))
            return ST_OK;
    if (ps->n == ps->cap) {
        uint32_t cap = ps->cap ? 2 * ps->cap : 32;
        struct gl_program *more = ARENA_ARRAY(a, cap, struct gl_program);

        if (!more)
            return err_set(err, ST_NOMEM, "out of memory for %u GPU programs", cap);
        if (ps->n)
            memcpy(more, ps->list, ps->n * sizeof *more);
        ps->list = more;
        ps->cap = cap;
    }
    ps->list[ps->n++] = (struct gl_program){.text = text, .label = label, .hash = hash};
    return ST_OK;
}

static enum status dump(const struct gl_program *p, uint32_t index, const char *dir, struct err *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/%03u_%s.comp", dir, index, p->label);
    FILE *f;

    if (n < 0 || (size_t)n >= sizeof path)
        return err_set(err, ST_IO, "%.100s...: the path of a shader is too long", dir);
    for (char *c = path + strlen(dir) + 1; *c; c++)
        if (*c == ' ' || *c == '/')
            *c = '_';
    if (!(f = fopen(path, "w")))
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    fputs(p->text, f);
    if (fclose(f))
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    return ST_OK;
}

/* Starts the work without waiting for it. */
static void start(struct gl_program *p)
{
    p->shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(p->shader, 1, &p->text, NULL);
    glCompileShader(p->shader);
    p->program = glCreateProgram();
    glAttachShader(p->program, p->shader);
    glLinkProgram(p->program);
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

enum status gl_programs_build(struct gl_programs *ps, struct gl_context *c, const char *dump_dir, struct err *err)
{
    enum status st = ST_OK;
    GLint linked;

    if (c->parallel_compile)
        glMaxShaderCompilerThreadsKHR(0xffffffffu);
    for (uint32_t i = 0; i < ps->n && !st && dump_dir; i++)
        st = dump(&ps->list[i], i, dump_dir, err);
    for (uint32_t i = 0; i < ps->n && !st; i++)
        start(&ps->list[i]);
    for (uint32_t i = 0; i < ps->n && !st; i++) {
        glGetProgramiv(ps->list[i].program, GL_LINK_STATUS, &linked);
        if (!linked)
            return compile_error(&ps->list[i], err);
        /* While attached, a deleted shader stays, source and all. */
        glDetachShader(ps->list[i].program, ps->list[i].shader);
        glDeleteShader(ps->list[i].shader);
        ps->list[i].shader = 0;
    }
    return st ? st : gl_context_check(c, "compiling shaders", err);
}

void gl_programs_free(struct gl_programs *ps)
{
    for (uint32_t i = 0; i < ps->n; i++) {
        glDeleteShader(ps->list[i].shader);
        glDeleteProgram(ps->list[i].program);
    }
    ps->n = 0;
}
