/* SPDX-License-Identifier: Apache-2.0 */
/* program_build.c - compiling and linking. */
#include "lib/gl/device/program_build.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/clock.h"
#include "lib/base/file_write.h"
#include "lib/gl/device/context.h"
#include "lib/gl/device/watch.h"

/* ---- lend a GL context to a watched thread (watch.h), and replace the context if that thread hangs ---- */

static bool make_current(struct gl_context *c)
{
    return eglMakeCurrent(c->display, c->surface, c->surface, c->context);
}

/* In memory of its own, which a thread that is left behind keeps. */
struct aside {
    EGLDisplay display;
    EGLContext context;
    EGLSurface surface;
    struct gl_job job;
    EGLint refused; /* what EGL said where it did not make the context current, there or here; or 0 */
};

static void run_aside(void *arg, struct gl_watch *w)
{
    struct aside *a = arg;

    if (!eglBindAPI(EGL_OPENGL_ES_API) || !eglMakeCurrent(a->display, a->surface, a->surface, a->context)) {
        a->refused = eglGetError();
        return;
    }
    a->job.run(a->job.arg, w);
    if (!gl_watch_is_left(w) && !eglMakeCurrent(a->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT))
        a->refused = eglGetError();
}

static void drop_aside(void *arg)
{
    struct aside *a = arg;

    a->job.drop(a->job.arg);
    free(a);
}

/* A context that shares with the one that hangs; made by a thread as well, for a driver may hang there, too. */
struct spare {
    struct gl_context context; /* display and policy alone to begin with */
    EGLContext share;
    bool made;
};

static void make_spare(void *arg, struct gl_watch *w)
{
    struct spare *s = arg;

    (void)w;
    s->made = eglBindAPI(EGL_OPENGL_ES_API) && gl_context_make(&s->context, s->share);
    if (s->made)
        s->made = eglMakeCurrent(s->context.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

/* The first context of its helpers is gone, theirs with it, and what they compiled. */
static void begin_anew(struct gl_context *c)
{
    const uint32_t dismissals = c->programs.helpers.dismissals;

    if (gl_helpers_any(&c->programs.helpers))
        gl_context_call_helpers(c);
    c->programs.helpers.dismissals = dismissals + 1;
    gl_programs_cool(&c->programs);
    gl_context_forget(c);
}

static enum status take_spare(struct gl_context *c, const struct spare *s, struct err *err)
{
    c->lost[c->n_lost++] = c->context;
    c->context = s->context.context;
    c->surface = s->context.surface;
    if (!make_current(c)) {
        c->stuck = true;
        return err_set(err, ST_FAILED, "the GPU context that took the place of one that hangs cannot be made current");
    }
    begin_anew(c);
    return ST_OK;
}

/* A function of our own: Android's linker has no relocation for the address of free itself here. */
static void drop_spare(void *s)
{
    free(s);
}

static enum status replace(struct gl_context *c, struct err *err)
{
    struct spare *s = calloc(1, sizeof *s);
    bool done;
    enum status st;

    c->watch = s ? gl_watch_new() : NULL;
    if (!c->watch) {
        free(s);
        c->stuck = true;
        return err_set(err, ST_NOMEM, "out of memory");
    }
    s->context.display = c->display;
    s->context.limits.policy = c->limits.policy;
    s->share = c->context;
    if ((done = gl_watch_run(c->watch, (struct gl_job){make_spare, drop_spare, s}, c->compile_timeout_ms)) && s->made) {
        st = take_spare(c, s, err);
        free(s);
        return st;
    }
    if (done)
        free(s);
    else
        c->watch = NULL;
    c->stuck = true;
    return err_set(err, ST_FAILED,
                   "the driver's compiler did not end within %u ms (--gpu_compile_timeout_ms), and the driver makes no second "
                   "context that could go on",
                   c->compile_timeout_ms);
}

static bool is_watched(struct gl_context *c)
{
    if (!c->compile_timeout_ms || c->adopted || c->n_lost == GL_MAX_LOST)
        return false;
    if (!c->watch)
        c->watch = gl_watch_new();
    return c->watch != NULL;
}

/* Runs a job that compiles on the watched thread, with the context current there, and waits for it. *left becomes true if the job
 * made no progress for compile_timeout_ms: the thread is left behind (gl_watch_run), and c has a new context that shares the
 * objects. The calling thread runs the job itself if c has no time limit, if no thread can be started, and if c was adopted from a
 * host. ST_FAILED: EGL refuses, or the driver makes no second context; c must not be used any more. */
static enum status gl_aside(struct gl_context *c, struct gl_job job, bool *left, struct err *err)
{
    struct aside *a = is_watched(c) ? malloc(sizeof *a) : NULL;
    EGLint refused;

    *left = false;
    if (!a) {
        job.run(job.arg, NULL);
        return ST_OK;
    }
    *a = (struct aside){.display = c->display, .context = c->context, .surface = c->surface, .job = job};
    if (!eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT))
        a->refused = eglGetError();
    else if ((*left = !gl_watch_run(c->watch, (struct gl_job){run_aside, drop_aside, a}, c->compile_timeout_ms)))
        return replace(c, err);
    refused = !make_current(c) ? eglGetError() : a->refused;
    free(a);
    if (refused)
        return err_set(err, ST_FAILED, "EGL does not hand the context to another thread (EGL error 0x%x)", refused);
    return ST_OK;
}

/* ---- compiling and linking ---- */

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

/* ---- what a thread of the context does, in memory that it keeps where it is left behind ---- */

/* How far a program is. Who changes the state of one that WAITS or is STARTED has it from then on. */
enum progress { WAITS, STARTS, STARTED, ENDS, DONE, TAKEN_BACK };

struct making {
    struct gl_program *of; /* for the calling thread alone */
    const char *text;
    char *owned; /* the same where the program has it no more */
    uint32_t stall_ms;
    _Atomic int progress;
    GLuint shader, program;
    GLint linked;
    uint64_t ns;
};

struct compilation {
    _Atomic int users; /* the calling thread, and the one that compiles */
    bool keep;
    struct gl_helpers helpers; /* of the context, meanwhile */
    struct gl_watch *watch;
    uint32_t n;
    struct making list[];
};

static void let_go(void *arg)
{
    struct compilation *c = arg;

    if (atomic_fetch_sub(&c->users, 1) > 1)
        return;
    for (uint32_t i = 0; i < c->n; i++)
        free(c->list[i].owned);
    free(c);
}

static bool claim(struct making *m, enum progress from, enum progress to)
{
    int is = from;

    return atomic_compare_exchange_strong(&m->progress, &is, to);
}

static void stall(uint32_t ms)
{
    const struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

    if (ms)
        nanosleep(&t, NULL);
}

/* Starts the work without waiting for it. */
static void start(struct making *m, bool keep)
{
    m->shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(m->shader, 1, &m->text, NULL);
    glCompileShader(m->shader);
    m->program = glCreateProgram();
    glAttachShader(m->program, m->shader);
    if (keep)
        glProgramParameteri(m->program, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    glLinkProgram(m->program);
    stall(m->stall_ms);
}

static void start_one(void *arg, uint32_t i, uint32_t who)
{
    struct compilation *c = arg;
    struct making *m = &c->list[i];
    const uint64_t clock = clock_ns();

    (void)who;
    if (gl_watch_is_left(c->watch) || !claim(m, WAITS, STARTS))
        return;
    start(m, c->keep);
    m->ns = clock_ns() - clock;
    atomic_store(&m->progress, STARTED);
    gl_watch_tick(c->watch);
}

/* Waits for the driver. */
static void end_one(struct compilation *c, struct making *m)
{
    const uint64_t clock = clock_ns();

    if (gl_watch_is_left(c->watch) || !claim(m, STARTED, ENDS))
        return;
    glGetProgramiv(m->program, GL_LINK_STATUS, &m->linked);
    m->ns += clock_ns() - clock;
    atomic_store(&m->progress, DONE);
    gl_watch_tick(c->watch);
}

static void compile(void *arg, struct gl_watch *w)
{
    struct compilation *c = arg;

    c->watch = w;
    gl_helpers_share(&c->helpers, c->n, start_one, c);
    for (uint32_t i = 0; i < c->n; i++)
        end_one(c, &c->list[i]);
}

/* ---- what the driver says ---- */

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

/* While attached, a deleted shader stays, source and all. */
static enum status finish(struct gl_program *p, bool linked, struct err *err)
{
    if (!linked) {
        enum status st = compile_error(p, err);

        gl_program_delete(p);
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

/* ---- building ---- */

static bool is_missing(const struct gl_program *p)
{
    return !p->built && !p->refusal;
}

static uint32_t count_missing(const struct gl_program_set *set)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < set->n; i++)
        n += is_missing(set->list[i]);
    return n;
}

static struct compilation *gather(struct gl_program_set *set, uint32_t n, const struct gl_building *how)
{
    struct compilation *c = calloc(1, sizeof *c + n * sizeof *c->list);

    if (!c)
        return NULL;
    atomic_init(&c->users, 2);
    c->keep = how->keep;
    if (how->helpers)
        c->helpers = *how->helpers;
    for (uint32_t i = 0; i < set->n; i++)
        if (is_missing(set->list[i]))
            c->list[c->n++] = (struct making){.of = set->list[i], .text = set->list[i]->text, .stall_ms = set->list[i]->stall_ms};
    return c;
}

/* Only memory ends it early. */
static enum status take_done(struct gl_program_set *set, struct making *m, struct err *err)
{
    struct gl_program *p = m->of;
    const uint64_t clock = clock_ns();
    enum status st;

    p->shader = m->shader;
    p->program = m->program;
    p->builder = set;
    st = finish(p, m->linked, err);
    p->ns = m->ns + (clock_ns() - clock);
    set->compiled += st == ST_OK;
    return st == ST_NOMEM ? st : ST_OK;
}

/* The thread may still read the text, and the driver have the objects. */
static enum status give_up(struct making *m, const struct gl_context *c, struct err *err)
{
    struct gl_program *p = m->of;

    err_set(err, ST_FAILED, "the driver's compiler did not end within %u ms (--gpu_compile_timeout_ms) with shader \"%s\"%s",
            c->compile_timeout_ms, p->label,
            c->n_lost == GL_MAX_LOST ? "; it is asked for no more shaders, after the third of these" : "");
    m->owned = p->text;
    p->text = NULL;
    return (p->refusal = strdup(err->msg)) ? ST_OK : err_set(err, ST_NOMEM, "out of memory");
}

/* Of a compilation that was left behind, what was not begun, or not waited for, is left to another. */
static enum status take(struct gl_program_set *set, struct compilation *c, const struct gl_context *context, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n && !st; i++) {
        struct making *m = &c->list[i];

        if (claim(m, WAITS, TAKEN_BACK) || claim(m, STARTED, TAKEN_BACK))
            continue;
        st = atomic_load(&m->progress) == DONE ? take_done(set, m, err) : give_up(m, context, err);
    }
    return st;
}

/* What the compiler did not end is refused; nobody is told of what it was not asked for. */
static enum status refuse_missing(struct gl_program_set *set, struct err *err)
{
    for (uint32_t i = 0; i < set->n; i++) {
        struct gl_program *p = set->list[i];

        if (!is_missing(p))
            continue;
        err_set(err, ST_FAILED, "the driver's compiler is not asked for shader \"%s\", as it did not end with %d others", p->label,
                GL_MAX_LOST);
        if (!(p->refusal = strdup(err->msg)))
            return err_set(err, ST_NOMEM, "out of memory");
        p->told = true;
    }
    return ST_OK;
}

/* One round; *left: the compiler did not end, and another context is current. */
static enum status build_missing(struct gl_program_set *set, const struct gl_building *how, bool *left, struct err *err)
{
    struct compilation *c = gather(set, count_missing(set), how);
    enum status st = ST_OK;

    *left = false;
    if (!c)
        return err_set(err, ST_NOMEM, "out of memory");
    if (how->context)
        st = gl_aside(how->context, (struct gl_job){compile, let_go, c}, left, err);
    else
        compile(c, NULL);
    if (how->helpers && !*left)
        *how->helpers = c->helpers;
    if (!st)
        st = take(set, c, how->context, err);
    if (!*left)
        let_go(c);
    let_go(c);
    return st;
}

static enum status build_all(struct gl_program_set *set, const struct gl_building *how, struct err *err)
{
    bool left = true;
    enum status st = ST_OK;

    while (left && !st && count_missing(set) && !(how->context && how->context->n_lost == GL_MAX_LOST))
        st = build_missing(set, how, &left, err);
    return st ? st : how->context && how->context->n_lost == GL_MAX_LOST ? refuse_missing(set, err) : ST_OK;
}

static enum status first_refusal(const struct gl_program_set *set, struct err *err)
{
    for (uint32_t i = 0; i < set->n; i++)
        if (set->list[i]->refusal)
            return err_set(err, ST_FAILED, "%s", set->list[i]->refusal);
    return ST_OK;
}

enum status gl_programs_build(struct gl_program_set *set, const struct gl_building *how, struct err *err)
{
    const bool works = count_missing(set) > 0;
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
    st = build_all(set, how, err);
    set->build_ns += works ? clock_ns() - start : 0;
    return st ? st : first_refusal(set, err);
}
