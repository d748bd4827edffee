/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - finding programs, and keeping them as long as somebody has them. */
#include "lib/gl/device/program.h"

#include <stdlib.h>
#include <string.h>

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
    if (text && ps->stall && (strstr(text, ps->stall) || strstr(label, ps->stall)))
        p->stall_ms = ps->stall_ms;
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

void gl_program_delete(struct gl_program *p)
{
    glDeleteShader(p->shader);
    glDeleteProgram(p->program);
    p->shader = p->program = 0;
}

void gl_program_done(struct gl_program *p)
{
    free(p->text);
    p->text = NULL;
    p->built = true;
}

void gl_programs_move(struct gl_program_set *from, struct gl_program_set *to)
{
    for (uint32_t i = 0; i < from->n; i++)
        if (from->list[i]->builder == from)
            from->list[i]->builder = to;
    *to = *from;
    *from = (struct gl_program_set){0};
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

void gl_programs_cool(struct gl_programs *ps)
{
    for (uint32_t i = 0; i < ps->n; i++) {
        ps->list[i]->warm = false;
        ps->list[i]->who = 0;
    }
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
            gl_program_delete(ps->list[i]);
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
