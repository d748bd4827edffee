/* SPDX-License-Identifier: Apache-2.0 */
/* litert_delegate.c - flags of LiteRT, for every tool.
 *
 *   --litert_lib=libLiteRt.so --litert_accelerator=gpu,cpu --litert_precision=fp32 --litert_options='gpu_options.priority=2' */
#include <stdlib.h>

#include "lib/runtime/litert_options.h"
#include "lib/runtime/runtime_delegate.h"

struct litert_options {
    const char *library, *accelerator, *options, *plugin_dir, *dispatch_dir, *cache_dir;
    int32_t precision;
    double timeout;
};

static const char *const precisions[] = {"fp32", "fp16", "fp16_sum32", NULL};

extern const struct delegate_type delegate_litert;

static enum status check_accelerators(const char *list, struct err *err)
{
    for (const char *word = list; *word || word == list; word += strcspn(word, ","), word += *word == ',') {
        const size_t n = strcspn(word, ",");

        if (n != 3 || (strncmp(word, "cpu", 3) != 0 && strncmp(word, "gpu", 3) != 0 && strncmp(word, "npu", 3) != 0))
            return err_set(err, ST_USAGE, "--litert_accelerator=%.60s: cpu, gpu, npu, or some of them with commas between", list);
    }
    return ST_OK;
}

/* Flags for an accelerator that is not asked for. */
static void add_useless_flags(const struct litert_options *o, char *out, size_t size)
{
    const struct {
        const char *flag, *accelerator;
        bool useless;
    } flags[] = {{"litert_precision", "gpu", o->precision && !strstr(o->accelerator, "gpu")},
                 {"litert_plugin_dir", "npu", *o->plugin_dir && !strstr(o->accelerator, "npu")},
                 {"litert_dispatch_dir", "npu", *o->dispatch_dir && !strstr(o->accelerator, "npu")},
                 {"litert_cache_dir", "gpu or npu", *o->cache_dir && !strcmp(o->accelerator, "cpu")}};

    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].useless)
            litert_options_add(out, size, "--%s does nothing without %s in --litert_accelerator", flags[i].flag,
                               flags[i].accelerator);
}

/* Return the precision that the accelerators are asked for. LiteRT takes --litert_precision for its GPU only; its CPU has a bit in
 * XNNPACK's flags. "": there is no choice, or LiteRT's own. */
static const char *asked_precision(const struct litert_options *o, const char *text)
{
    enum { FORCE_FP16 = 4 };
    static const char *const numbered[] = {"", "fp16", "fp32", "fp16_sum32"};
    const bool gpu = strstr(o->accelerator, "gpu");
    char word[24];
    long number;

    if (!*runtime_option(text, gpu ? "gpu_options.precision" : "xnnpack.flags", word, sizeof word))
        return gpu ? precisions[o->precision] : "";
    number = strtol(word, NULL, 10);
    if (gpu)
        return number >= 0 && number < (long)(sizeof numbered / sizeof *numbered) ? numbered[number] : "";
    return number & FORCE_FP16 && strstr(o->accelerator, "cpu") ? numbered[1] : "";
}

static enum status litert_open(const void *options, struct delegate **out, struct err *err)
{
    const struct litert_options *o = options;
    char text[4096] = "", useless[2048] = "", precision[32];
    struct runtime_delegate_options how = {.type = &delegate_litert,
                                           .runtime = &runtime_litert,
                                           .flag = "litert_lib",
                                           .library = o->library,
                                           .asked = o->accelerator,
                                           .options = text,
                                           .useless = useless,
                                           .deadline_s = o->timeout,
                                           .takes_signatures = true};
    const struct {
        const char *flag, *prefix, *value;
    } lines[] = {{"litert_accelerator", "accelerator=", o->accelerator},
                 {"litert_plugin_dir", "plugin_dir=", o->plugin_dir},
                 {"litert_dispatch_dir", "dispatch_dir=", o->dispatch_dir},
                 {"litert_cache_dir", "cache_dir=", o->cache_dir}};
    enum status st = check_accelerators(o->accelerator, err);

    *out = NULL;
    for (size_t i = 0, n = 0; i < sizeof lines / sizeof *lines && !st; i++) {
        if (!*lines[i].value)
            continue;
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s\n", lines[i].prefix, lines[i].value);
        if (n >= sizeof text)
            st = err_set(err, ST_USAGE, "--%s is too long", lines[i].flag);
    }
    st = st ? st : runtime_add_options("litert_options", "", o->options, text, sizeof text, err);
    how.precision = asked_precision(o, text);
    snprintf(precision, sizeof precision, "precision=%s", how.precision);
    if (!st && *how.precision)
        st = runtime_add_options("litert_options", "", precision, text, sizeof text, err);
    st = st ? st : litert_options_check(text, err);
    add_useless_flags(o, useless, sizeof useless);
    litert_options_useless(text, o->accelerator, o->library, useless, sizeof useless);
    return st ? st : runtime_delegate_open(&how, out, err);
}

static bool litert_asked(const void *options)
{
    return *((const struct litert_options *)options)->library;
}

#define FLAG_OPTIONS struct litert_options
#define ROW          FLAG_ROW

static const struct flag litert_flags[] = {
    ROW(DELEGATE, "litert_lib", FLAG_READS_LIBRARY, library, "", NULL,
        "Run the whole model in LiteRT: the path of its libLiteRt.so, 2.1.3 or later."),
    ROW(DELEGATE, "litert_accelerator", FLAG_TAKES_TEXT, accelerator, "cpu", NULL,
        "Let LiteRT run the model on these: cpu, gpu, npu, or some of them with commas between. Without cpu nothing may be left to "
        "it."),
    ROW(DELEGATE, "litert_precision", FLAG_TAKES_WORD("fp32", "fp16", "fp16_sum32"), precision, "fp32", NULL,
        "Compute on LiteRT's GPU with these floats; fp16_sum32: half precision with sums in float32."),
    ROW(DELEGATE, "litert_options", FLAG_TAKES_TEXT, options, "", NULL,
        "Pass on further options, ID.KEY=VALUE;ID.KEY=VALUE with LiteRT's names (gpu_options.priority=2, "
        "xnnpack.kernel_mode=\"reference\"), or a file with a line for each."),
    ROW(DELEGATE, "litert_plugin_dir", FLAG_READS_PATH, plugin_dir, "", NULL, "Find LiteRT's compiler plugins in this folder."),
    ROW(DELEGATE, "litert_dispatch_dir", FLAG_READS_PATH, dispatch_dir, "", NULL,
        "Find LiteRT's dispatch libraries in this folder."),
    ROW(DELEGATE, "litert_cache_dir", FLAG_KEEPS_DIR, cache_dir, "", NULL,
        "Let LiteRT keep what it compiles in this folder: programs of the GPU, models for an NPU."),
    ROW(DELEGATE, "litert_timeout", FLAG_TAKES_NUMBER(0.1, 1e6), timeout, "300", NULL,
        "Wait at most this many seconds for LiteRT to compile or to run, then end it."),
    {0},
};

static void serve(int argc, char **argv)
{
    host_serve(argc, argv, &runtime_litert);
}

const struct delegate_type delegate_litert = {
    .name = "litert",
    .label = "LiteRT",
    .use_flag = "use_litert",
    .kernel = "LiteRT",
    .options_size = sizeof(struct litert_options),
    .flags = litert_flags,
    .asked = litert_asked,
    .open = litert_open,
    .open_static = litert_open,
    .serve = serve,
};
