/* SPDX-License-Identifier: Apache-2.0 */
/* litert_options.c - which options LiteRT 2.1.3 to 2.3.0 reads, by litert_gpu_options.cc, litert_cpu_options.cc and
 * litert_runtime_options.cc of its sources. */
#include "lib/runtime/litert_options.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Keys by what their values are; each has a space before and behind. */
struct section {
    const char *id, *accelerator; /* it is for that one; NULL: for all */
    const char *flags, *numbers, *texts;
};

/* The flags of compilers of vendors are many, and change: they are not listed. */
static const struct section sections[] = {
    {"gpu_options", "gpu",
     " enable_constant_tensors_sharing enable_infinite_float_capping benchmark_mode allow_src_quantized_fc_conv_ops "
     "prefer_texture_weights serialize_program_cache serialize_external_tensors external_tensors_mode "
     "madvise_original_shared_tensors use_metal_argument_buffers hint_fully_delegated_to_single_delegate convert_weights_on_gpu "
     "wait_for_weights_conversion_complete disable_shader_optimization cache_only_compiled_programs ",
     " precision buffer_storage_type backend priority num_steps_of_command_buffer_preparations wait_type num_threads_to_upload "
     "num_threads_to_compile program_cache_fd ",
     " serialization_dir model_cache_key external_tensor_patterns preferred_device_substr buffer_storage_tensor_patterns "},
    {"xnnpack", NULL, " hint_fully_delegated_to_single_delegate ", " num_threads flags weight_cache_file_descriptor ",
     " kernel_mode weight_cache_file_path "},
    {"cpu_delegate", NULL, " hint_fully_delegated_to_single_delegate ", " num_threads flags weight_cache_file_descriptor ",
     " kernel_mode weight_cache_file_path "},
    {"runtime_options_string", NULL, " enable_profiling compress_quantization_zero_points ", " error_reporter_mode ", " "},
    {"intel_openvino", "npu", NULL, NULL, NULL},
    {"qualcomm", "npu", NULL, NULL, NULL},
    {"mediatek", "npu", NULL, NULL, NULL},
    {"google_tensor", "npu", NULL, NULL, NULL},
    {"samsung", "npu", NULL, NULL, NULL},
    {"compiler_options_string", "npu", NULL, NULL, NULL},
};

/* A line ID.KEY=VALUE in pieces. */
struct line {
    char id[64], key[128], value[128];
    const struct section *section;
};

/* The line that begins at `at`; false if it is no such line. */
static bool read_line(const char *at, struct line *out)
{
    const size_t id = strcspn(at, ".=\n"), key = strcspn(at, "=\n");

    if (at[id] != '.' || at[key] != '=')
        return false;
    *out = (struct line){.section = NULL};
    snprintf(out->id, sizeof out->id, "%.*s", (int)id, at);
    snprintf(out->key, sizeof out->key, "%.*s", (int)(key - id - 1), at + id + 1);
    snprintf(out->value, sizeof out->value, "%.*s", (int)strcspn(at + key + 1, "\n"), at + key + 1);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (!strcmp(sections[i].id, out->id))
            out->section = &sections[i];
    return true;
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

static bool is_among(const char *keys, const char *key)
{
    const size_t n = strlen(key);

    for (const char *at = keys; at && n && (at = strstr(at, key)); at++)
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

static bool is_number(const char *text)
{
    char *end;

    strtol(text, &end, 10);
    return end != text && !*end;
}

enum status litert_options_check(const char *lines, struct err *err)
{
    struct line l;

    for (const char *at = lines; *at; at = next_line(at)) {
        if (!read_line(at, &l) || !l.section)
            continue;
        if (is_among(l.section->numbers, l.key) && !is_number(l.value))
            return err_set(err, ST_USAGE, "--litert_options: %s.%s=%.60s: a whole number is needed", l.id, l.key, l.value);
        if (is_among(l.section->flags, l.key) && strcmp(l.value, "true") != 0 && strcmp(l.value, "false") != 0)
            return err_set(err, ST_USAGE, "--litert_options: %s.%s=%.60s: true or false is needed", l.id, l.key, l.value);
    }
    return ST_OK;
}

void litert_options_add(char *out, size_t size, const char *format, ...)
{
    const size_t at = strlen(out);
    va_list list;
    int n;

    va_start(list, format);
    n = vsnprintf(out + at, size - at, format, list);
    va_end(list);
    if (n < 0 || at + (size_t)n + 2 > size)
        out[at] = '\0';
    else
        snprintf(out + at + n, size - at - (size_t)n, "\n");
}

/* ---- whether this version has a word ---- */

static bool is_within(const char *data, size_t bytes, const char *part, size_t n)
{
    const char *end = data + bytes, *at = data;

    for (; (size_t)(end - at) >= n && (at = memchr(at, *part, (size_t)(end - at) - n + 1)); at++)
        if (!memcmp(at, part, n))
            return true;
    return false;
}

/* Compilers for x86-64 compare a word by its first eight bytes and its last eight, which lie in the code. */
static bool file_has(const char *path, const char *word)
{
    const size_t n = strlen(word), part = n < 8 ? n : 8;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat s;
    void *map = MAP_FAILED;
    bool has = true; /* unless the file can be read */

    if (fd >= 0 && !fstat(fd, &s) && s.st_size > 0)
        map = mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (map != MAP_FAILED) {
        has = is_within(map, (size_t)s.st_size, word, part) && is_within(map, (size_t)s.st_size, word + n - part, part);
        munmap(map, (size_t)s.st_size);
    }
    if (fd >= 0)
        close(fd);
    return has;
}

#ifdef __x86_64__
enum { WORDS_IN_CODE = true };
#else
enum { WORDS_IN_CODE = false }; /* a word may be in pieces of two bytes: all count as there */
#endif

/* In the library or a neighbour that it loads. */
static bool library_has(const char *library, const char *word)
{
    const char *slash = strrchr(library, '/');
    char folder[4096], path[4400];
    bool has = !WORDS_IN_CODE || file_has(library, word);
    DIR *d;

    if (has)
        return true;
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - library) : 1, slash ? library : ".");
    d = opendir(folder);
    for (const struct dirent *e; !has && d && (e = readdir(d));)
        if (!strncmp(e->d_name, "libLiteRt", strlen("libLiteRt"))) {
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            has = file_has(path, word);
        }
    if (d)
        closedir(d);
    return has;
}

/* ---- options that do nothing ---- */

void litert_options_useless(const char *lines, const char *accelerators, const char *library, char *out, size_t size)
{
    struct line l;

    for (const char *at = lines; *at; at = next_line(at)) {
        const struct section *s;

        if (!read_line(at, &l))
            continue;
        s = l.section;
        if (!s)
            litert_options_add(out, size,
                               "--litert_options: no part of LiteRT is known to read '%s.%s', and it drops what it does not know",
                               l.id, l.key);
        else if (s->accelerator && !strstr(accelerators, s->accelerator))
            litert_options_add(out, size, "--litert_options: '%s.%s' does nothing without %s in --litert_accelerator", l.id, l.key,
                               s->accelerator);
        else if (s->numbers && !is_among(s->flags, l.key) && !is_among(s->numbers, l.key) && !is_among(s->texts, l.key))
            litert_options_add(out, size,
                               "--litert_options: '%s.%s' is none of LiteRT's known options, and it drops what it does not know",
                               l.id, l.key);
        else if (s->numbers && (!library_has(library, l.id) || !library_has(library, l.key)))
            litert_options_add(out, size, "--litert_options: this version of LiteRT has no '%s.%s', and drops it", l.id, l.key);
    }
}
