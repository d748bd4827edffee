/* SPDX-License-Identifier: Apache-2.0 */
/* external_library.c - loading a shared library with a delegate of TFLite's C ABI.
 *
 * What happens inside of it nobody can undo: a crash ends the program, and all that is left to do is to say where. */
#include "lib/delegates/external/external_library.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- crashes ---- */

static const struct {
    int number;
    const char *name, *what;
} crashes[] = {{SIGSEGV, "SIGSEGV", " crashed in "},        {SIGBUS, "SIGBUS", " crashed in "},
               {SIGFPE, "SIGFPE", " crashed in "},          {SIGILL, "SIGILL", " crashed in "},
               {SIGABRT, "SIGABRT", " crashed in "},        {SIGINT, "SIGINT", " was interrupted in "},
               {SIGTERM, "SIGTERM", " was interrupted in "}};
#define N_CRASHES (sizeof crashes / sizeof *crashes)

/* A handler of signals has nothing but what the process has once. */
static struct sigaction before[N_CRASHES];
static unsigned users;

/* A stack that is full has no room for a handler. Of the thread that watches, unless it has one. */
static max_align_t spare_stack[(64 << 10) / sizeof(max_align_t)];
static bool spare_is_set;
static _Atomic(const char *) crash_path;
static atomic_int crash_phase;

const char *external_phase_name(enum external_phase phase)
{
    static const char *const names[] = {
        [EXTERNAL_OUTSIDE] = "no call",
        [EXTERNAL_CREATE] = TFLITE_PLUGIN_CREATE,
        [EXTERNAL_PREPARE] = "the delegate's Prepare",
        [EXTERNAL_KERNEL_INIT] = "a kernel's init",
        [EXTERNAL_KERNEL_PREPARE] = "a kernel's prepare",
        [EXTERNAL_KERNEL_INVOKE] = "a kernel's invoke",
        [EXTERNAL_BUFFERS] = "the delegate's buffer handles",
        [EXTERNAL_KERNEL_FREE] = "a kernel's free",
        [EXTERNAL_DESTROY] = TFLITE_PLUGIN_DESTROY,
    };

    return names[phase];
}

void external_enter(const struct external_library *l, enum external_phase phase)
{
    atomic_store(&crash_path, l->path);
    atomic_store(&crash_phase, phase);
}

void external_leave(void)
{
    atomic_store(&crash_phase, EXTERNAL_OUTSIDE);
}

static void append(char *line, size_t size, size_t *n, const char *text)
{
    while (*text && *n + 1 < size)
        line[(*n)++] = *text++;
}

/* "ERROR: the external delegate X.so crashed in a kernel's init", of what `phase` is not EXTERNAL_OUTSIDE. */
static void append_where(char *line, size_t size, size_t *n, const char *begin, const char *what, enum external_phase phase)
{
    append(line, size, n, begin);
    append(line, size, n, "the external delegate ");
    append(line, size, n, atomic_load(&crash_path));
    append(line, size, n, what);
    append(line, size, n, external_phase_name(phase));
}

void external_tell_interrupt(void)
{
    const enum external_phase phase = (enum external_phase)atomic_load(&crash_phase);
    char line[512];
    size_t n = 0;

    if (phase == EXTERNAL_OUTSIDE)
        return;
    append_where(line, sizeof line, &n, "WARN: interrupted while ", " is in ", phase);
    append(line, sizeof line, &n, ": if that never returns, a second interrupt ends the program at once\n");
    if (write(STDERR_FILENO, line, n) < 0)
        n = 0; /* nobody is left to be told */
}

static void on_crash(int number)
{
    const enum external_phase phase = (enum external_phase)atomic_load(&crash_phase);
    char line[512];
    size_t n = 0, i = 0;

    while (i + 1 < N_CRASHES && crashes[i].number != number)
        i++;
    if (phase != EXTERNAL_OUTSIDE) {
        append_where(line, sizeof line, &n, "ERROR: ", crashes[i].what, phase);
        append(line, sizeof line, &n, ": ");
        append(line, sizeof line, &n, crashes[i].name);
        line[n++] = '\n';
        if (write(STDERR_FILENO, line, n) < 0)
            n = 0; /* nobody is left to be told */
    }
    sigaction(number, &before[i], NULL);
    raise(number);
}

static void lend_stack(void)
{
    const stack_t spare = {.ss_sp = spare_stack, .ss_size = sizeof spare_stack};
    stack_t now;

    spare_is_set = !sigaltstack(NULL, &now) && now.ss_flags & SS_DISABLE && !sigaltstack(&spare, NULL);
}

static void take_stack(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    stack_t now;

    if (spare_is_set && !sigaltstack(NULL, &now) && now.ss_sp == spare_stack)
        sigaltstack(&none, NULL);
    spare_is_set = false;
}

/* What a program may have a handler of its own for, or ignore, is not. */
static bool ends_all(int number)
{
    return number != SIGINT && number != SIGTERM;
}

static void watch(struct external_library *l)
{
    struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};

    l->watched = true;
    if (users++)
        return;
    lend_stack();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_CRASHES; i++)
        if (!sigaction(crashes[i].number, NULL, &before[i]) && (ends_all(crashes[i].number) || before[i].sa_handler == SIG_DFL))
            sigaction(crashes[i].number, &action, NULL);
}

static void unwatch(struct external_library *l)
{
    struct sigaction now;

    if (!l->watched || --users)
        return;
    take_stack();
    for (size_t i = 0; i < N_CRASHES; i++)
        if (!sigaction(crashes[i].number, NULL, &now) && now.sa_handler == on_crash)
            sigaction(crashes[i].number, &before[i], NULL);
}

/* ---- options ---- */

struct pairs {
    char *text; /* holds all of them */
    const char *keys[TFLITE_MAX_OPTIONS], *values[TFLITE_MAX_OPTIONS];
    size_t n;
};

static enum status read_pairs(const char *options, struct pairs *p, struct err *err)
{
    char *rest = p->text = strdup(options), *item;

    p->n = 0;
    if (!p->text)
        return err_set(err, ST_NOMEM, "out of memory for the options");
    while ((item = strtok_r(rest, ";", &rest))) {
        char *value = item + strcspn(item, ":=");

        if (!*value || value == item)
            return err_set(err, ST_USAGE, "--external_delegate_options: '%.60s' is no key:value", item);
        if (p->n == TFLITE_MAX_OPTIONS)
            return err_set(err, ST_USAGE, "--external_delegate_options: more than %d options", TFLITE_MAX_OPTIONS);
        *value = '\0';
        p->keys[p->n] = item;
        p->values[p->n++] = value + 1;
    }
    return ST_OK;
}

/* ---- making the delegate ---- */

/* The function has no argument of ours. */
static _Thread_local struct external_library *now;

static void on_report(const char *text)
{
    if (now && text)
        snprintf(now->said, sizeof now->said, "%s", text);
}

static enum status check_delegate(const struct external_library *l, struct err *err)
{
    const struct tflite_delegate *d = l->delegate;

    if (!d)
        return err_set(err, ST_FAILED, "it makes no delegate%s%s", *l->said ? ": " : "", l->said);
    if (!d->prepare)
        return err_set(err, ST_FAILED, "its delegate has no Prepare%s",
                       d->opaque_delegate_builder ? ": it is of the opaque kind, which cannot be loaded" : "");
    return ST_OK;
}

static enum status create(struct external_library *l, const char *options, struct err *err)
{
    const tflite_create_fn make = (tflite_create_fn)dlsym(l->handle, TFLITE_PLUGIN_CREATE);
    const tflite_destroy_fn destroy = (tflite_destroy_fn)dlsym(l->handle, TFLITE_PLUGIN_DESTROY);
    struct pairs p = {0};
    enum status st;

    if (!make || !destroy)
        return err_set(err, ST_FAILED, "it has no function %s", make ? TFLITE_PLUGIN_DESTROY : TFLITE_PLUGIN_CREATE);
    l->destroy = destroy;
    if (!(st = read_pairs(options, &p, err))) {
        watch(l);
        now = l;
        external_enter(l, EXTERNAL_CREATE);
        l->delegate = make(p.keys, p.values, p.n, on_report);
        external_leave();
        now = NULL;
        st = check_delegate(l, err);
    }
    free(p.text);
    return st;
}

enum status external_library_open(const char *path, const char *options, struct external_library **out, struct err *err)
{
    struct external_library *l = calloc(1, sizeof *l);
    enum status st = ST_OK;

    *out = NULL;
    if (!l || !(l->path = strdup(path)))
        st = err_set(err, ST_NOMEM, "out of memory");
    else if (!*path)
        st = err_set(err, ST_USAGE, "--external_delegate_path names no library");
    else if (!(l->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE)))
        st = err_set(err, ST_FAILED, "external delegate %.80s cannot be loaded: %s", path, dlerror());
    else if ((st = create(l, options, err)) && st != ST_USAGE)
        st = err_prefix(err, st, "external delegate %.80s", path);
    if (st)
        external_library_close(l);
    else
        *out = l;
    return st;
}

void external_library_close(struct external_library *l)
{
    if (!l)
        return;
    if (l->delegate) {
        external_enter(l, EXTERNAL_DESTROY);
        l->destroy(l->delegate);
        external_leave();
    }
    unwatch(l);
    if (l->handle)
        dlclose(l->handle);
    free(l->path);
    free(l);
}
