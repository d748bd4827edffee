/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.c - the two functions of libdelegauge_gpu.so: options become a delegate that TensorFlow Lite can call. */
#include "lib/tflite/plugin.h"

#include <stdlib.h>
#include <string.h>

/* The library's interface; plugin.map exports these two and nothing else. */
__attribute__((visibility("default"))) struct tflite_delegate *tflite_plugin_create_delegate(const char *const *keys,
                                                                                             const char *const *values, size_t n,
                                                                                             void (*report_error)(const char *));
__attribute__((visibility("default"))) void tflite_plugin_destroy_delegate(struct tflite_delegate *d);

/* Opening and closing touch what a process has once (EGL's list of displays). */
static pthread_mutex_t process_lock = PTHREAD_MUTEX_INITIALIZER;

#define FLAG_OPTIONS struct plugin

static const struct flag own_flags[] = {
    FLAG_ROW(OUTPUT, "log", FLAG_TAKES_WORD("errors", "summary", "nodes"), log, "summary", NULL,
             "Report: errors (failures), summary (also a line for each graph) or nodes (also why nodes "
             "stay with the host)."),
    FLAG_ROW(OUTPUT, "log_to", FLAG_TAKES_WORD("host", "stderr"), log_to, "host", NULL,
             "Write what log asks for to the host's error reporter (host) or to standard error (stderr), for hosts that keep it to "
             "themselves, as Python's interpreter does."),
    FLAG_ROW(GPU, "outputs", FLAG_TAKES_WORD("host", "buffer"), outputs, "host", NULL,
             "Keep outputs after a run in the host's memory (host), or in GL buffers until the host asks for them (buffer)."),
    {0},
};

/* ---- between the host and us ---- */

void plugin_enter(struct plugin *p, struct tflite_context *c)
{
    pthread_mutex_lock(&p->lock);
    p->now = c;
    if (p->gpu->ops->move)
        p->gpu->ops->move(p->gpu);
}

void plugin_leave(struct plugin *p)
{
    pthread_mutex_unlock(&p->lock);
}

enum tflite_status plugin_fail(struct tflite_context *c, enum status st, const struct err *err)
{
    if (!st)
        return TFLITE_OK;
    if (c && c->report_error)
        c->report_error(c, "Delegauge GPU delegate: %s", err->msg);
    return TFLITE_DELEGATE_ERROR;
}

static void warn(void *arg, const char *text)
{
    const struct plugin *p = arg;

    if (p->now && p->now->report_error)
        p->now->report_error(p->now, "Delegauge GPU delegate: %s", text);
}

static enum tflite_status prepare(struct tflite_context *c, struct tflite_delegate *d)
{
    struct plugin *p = d->data_;
    struct err err;
    enum status st;

    plugin_enter(p, c);
    st = plugin_take(p, c, &err);
    plugin_leave(p);
    return plugin_fail(c, st, &err);
}

/* ---- options ---- */

static enum status set_option(struct plugin *p, const char *key, const char *value, struct err *err)
{
    const struct delegate_type *type = delegate_find("gpu");
    const struct {
        const struct flag *flags;
        void *options;
    } tables[] = {{type->flags, p->gpu_options},
                  {type->embedded_flags, p->gpu_options},
                  {partition_flag_table, &p->partition},
                  {own_flags, p}};

    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct flag *f = tables[i].flags; f && f->name; f++)
            if (!strcmp(f->name, key)) {
                enum status st = flag_set(f, tables[i].options, value, err);

                return st ? err_prefix(err, st, "option %s", key) : ST_OK;
            }
    return err_set(err, ST_USAGE, "there is no option '%.60s': they are called as benchmark_model --help=all has them", key);
}

/* What only tools can do: they run sessions, and own the process's environment. */
static enum status check_option(const char *key, const char *value, struct err *err)
{
    if (!strcmp(key, "gpu_io") && strcmp(value, "host") != 0)
        return err_set(err, ST_UNSUPPORTED, "option gpu_io=%.40s: inputs and outputs are where the host has them", value);
    if (!strcmp(key, "gpu_wait_type") && !strcmp(value, "none"))
        return err_set(err, ST_UNSUPPORTED, "option gpu_wait_type=none: the host reads the results of each run");
    return ST_OK;
}

static enum status set_options(struct plugin *p, const char *const *keys, const char *const *values, size_t n, struct err *err)
{
    const struct delegate_type *type = delegate_find("gpu");
    enum status st = ST_OK;

    if (n > TFLITE_MAX_OPTIONS)
        return err_set(err, ST_USAGE, "%zu options, at most %d are taken", n, TFLITE_MAX_OPTIONS);
    p->gpu_options = calloc(1, type->options_size);
    p->texts = calloc(n + 1, sizeof *p->texts);
    if (!p->gpu_options || !p->texts)
        return err_set(err, ST_NOMEM, "out of memory for %zu options", n);
    flag_set_defaults(type->flags, p->gpu_options);
    flag_set_defaults(type->embedded_flags, p->gpu_options);
    flag_set_defaults(partition_flag_table, &p->partition);
    flag_set_defaults(own_flags, p);
    for (size_t i = 0; i < n && !st; i++) {
        if (!keys || !values || !keys[i] || !values[i])
            return err_set(err, ST_USAGE, "option %zu has no %s", i, keys && keys[i] ? "value" : "name");
        if (!(p->texts[i] = strdup(values[i])))
            return err_set(err, ST_NOMEM, "out of memory for option %zu", i);
        if (!(st = set_option(p, keys[i], p->texts[i], err)))
            st = check_option(keys[i], p->texts[i], err);
        if (!strcmp(keys[i], "gpu_context"))
            p->knows_others = strcmp(p->texts[i], "own") != 0;
        p->stores |= !strcmp(keys[i], "delegate_serialize_dir") && *p->texts[i];
    }
    return st;
}

/* ---- life ---- */

static void free_plugin(struct plugin *p)
{
    pthread_mutex_lock(&process_lock);
    if (p->gpu && p->gpu->ops->move)
        p->gpu->ops->move(p->gpu);
    delegate_close(p->gpu);
    pthread_mutex_unlock(&process_lock);
    pthread_mutex_destroy(&p->lock);
    for (size_t i = 0; p->texts && p->texts[i]; i++)
        free(p->texts[i]);
    free(p->texts);
    free(p->made);
    free(p->gpu_options);
    free(p);
}

void plugin_unref(struct plugin *p)
{
    uint32_t left;

    pthread_mutex_lock(&p->lock);
    left = --p->users;
    pthread_mutex_unlock(&p->lock);
    if (!left)
        free_plugin(p);
}

static struct plugin *new_plugin(void)
{
    struct plugin *p = calloc(1, sizeof *p);
    pthread_mutexattr_t recursive;

    if (!p || pthread_mutexattr_init(&recursive)) {
        free(p);
        return NULL;
    }
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&p->lock, &recursive);
    pthread_mutexattr_destroy(&recursive);
    p->users = 1;
    p->head = (struct tflite_delegate){.data_ = p,
                                       .prepare = prepare,
                                       .copy_from_buffer_handle = plugin_copy_from_buffer,
                                       .copy_to_buffer_handle = plugin_copy_to_buffer,
                                       .free_buffer_handle = plugin_free_buffer,
                                       .flags = TFLITE_ALLOW_DYNAMIC_TENSORS};
    return p;
}

struct tflite_delegate *tflite_plugin_create_delegate(const char *const *keys, const char *const *values, size_t n,
                                                      void (*report_error)(const char *))
{
    struct plugin *p = new_plugin();
    struct err err;
    enum status st = p ? set_options(p, keys, values, n, &err) : err_set(&err, ST_NOMEM, "out of memory");

    if (!st) {
        pthread_mutex_lock(&process_lock);
        st = delegate_find("gpu")->open(p->gpu_options, &p->gpu, &err);
        pthread_mutex_unlock(&process_lock);
    }
    if (!st) {
        p->gpu->warn = warn;
        p->gpu->warn_arg = p;
        return &p->head;
    }
    if (report_error)
        report_error(err.msg);
    if (p)
        free_plugin(p);
    return NULL;
}

void tflite_plugin_destroy_delegate(struct tflite_delegate *d)
{
    if (d)
        plugin_unref(d->data_);
}
