/* SPDX-License-Identifier: Apache-2.0 */
/* flag_meant.c - words that people try, then distances between spellings. */
#include "cmd/tool/flag_meant.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 64

/* A word, without underscores, and a flag with the value that makes it: the first row of a word whose flag the tool has. */
static const struct {
    const char *word, *flag, *value;
} meanings[] = {
    {"fp16", "gpu_precision", "=fp16"},
    {"half", "gpu_precision", "=fp16"},
    {"halfprecision", "gpu_precision", "=fp16"},
    {"float16", "gpu_precision", "=fp16"},
    {"allowfp16", "gpu_precision", "=fp16"},
    {"fp32", "gpu_precision", "=fp32"},
    {"float32", "gpu_precision", "=fp32"},
    {"precision", "gpu_precision", ""},
    {"dtype", "gpu_precision", ""},
    {"int8", "gpu_quant", "=exact"},
    {"quant", "gpu_quant", ""},
    {"quantized", "gpu_quant", ""},
    {"batch", "input_layer_shape", "=4,224,224,3 with --input_layer=NAME"},
    {"batchsize", "input_layer_shape", "=4,224,224,3 with --input_layer=NAME"},
    {"shape", "input_layer_shape", " with --input_layer=NAME"},
    {"inputshape", "input_layer_shape", " with --input_layer=NAME"},
    {"resolution", "input_layer_shape", " with --input_layer=NAME"},
    {"size", "input_layer_shape", " with --input_layer=NAME"},
    {"model", "model_file", ""},
    {"model", "graph", ""},
    {"modelpath", "model_file", ""},
    {"modelpath", "graph", ""},
    {"cpu", "use_gpu", "=false"},
    {"gpus", "list_gpus", ""},
    {"devices", "list_gpus", ""},
    {"device", "gpu_device", ""},
    {"backend", "use_gpu", ""},
    {"delegate", "use_gpu", ""},
    {"opencl", "use_gpu", ""},
    {"opengl", "use_gpu", ""},
    {"threads", "num_threads", ""},
    {"threads", "num_interpreter_threads", ""},
    {"numthreads", "num_interpreter_threads", ""},
    {"j", "num_threads", ""},
    {"runs", "num_runs", ""},
    {"n", "num_runs", ""},
    {"iterations", "num_runs", ""},
    {"iters", "num_runs", ""},
    {"loops", "num_runs", ""},
    {"count", "num_runs", ""},
    {"samples", "num_runs", ""},
    {"warmup", "warmup_runs", ""},
    {"duration", "min_secs", ""},
    {"time", "min_secs", ""},
    {"seconds", "min_secs", ""},
    {"timeout", "max_secs", ""},
    {"profile", "enable_op_profiling", ""},
    {"profile", "per_op", ""},
    {"profiling", "enable_op_profiling", ""},
    {"perop", "enable_op_profiling", ""},
    {"layers", "enable_op_profiling", ""},
    {"layers", "per_op", ""},
    {"trace", "op_profiling_output_mode", "=trace --op_profiling_output_file=FILE"},
    {"csv", "op_profiling_output_mode", "=csv --op_profiling_output_file=FILE"},
    {"memory", "report_peak_memory_footprint", ""},
    {"peakmemory", "report_peak_memory_footprint", ""},
    {"p99", "percentiles", "=99"},
    {"percentile", "percentiles", ""},
    {"accuracy", "with_accuracy", ""},
    {"speedup", "compare_cpu", ""},
    {"baseline", "compare_cpu", ""},
    {"input", "input_dir", ""},
    {"inputs", "input_dir", ""},
    {"inputfile", "input_layer_value_files", "=NAME:FILE"},
    {"inputfiles", "input_layer_value_files", "=NAME:FILE"},
    {"image", "input_layer_value_files", "=NAME:FILE"},
    {"inputnames", "list_inputs", ""},
    {"labels", "model_output_labels", ""},
    {"topk", "num_ranks", ""},
    {"images", "ground_truth_images_path", ""},
    {"imagedir", "ground_truth_images_path", ""},
    {"annotations", "ground_truth", ""},
    {"gt", "ground_truth", ""},
    {"gt", "ground_truth_labels", ""},
    {"predictions", "detections", ""},
    {"results", "detections", ""},
    {"signatures", "list_signatures", ""},
    {"data", "input_dir", ""},
    {"mean", "input_mean", ""},
    {"std", "input_std", ""},
    {"outputs", "output_dir", ""},
    {"output", "output_dir", ""},
    {"output", "save_outputs", ""},
    {"o", "output_dir", ""},
    {"o", "json", ""},
    {"report", "json", ""},
    {"report", "html", ""},
    {"format", "json", ""},
    {"cache", "delegate_serialize_dir", "=DIR --delegate_serialize_token=WORD"},
    {"cachedir", "delegate_serialize_dir", "=DIR --delegate_serialize_token=WORD"},
    {"tune", "gpu_tuning", "=fast"},
    {"tuning", "gpu_tuning", "=fast"},
    {"tol", "atol", ""},
    {"epsilon", "atol", ""},
    {"eps", "atol", ""},
    {"threshold", "atol", ""},
    {"threshold", "fail_if_slower", ""},
    {"threshold", "require", ""},
    {"mincoverage", "require", "=90%"},
    {"reference", "reference_model", ""},
    {"ops", "verbose", ""},
    {"v", "verbose", ""},
    {"vv", "verbose", ""},
    {"rule", "rules", ""},
    {"android", "rules", "=tflite-gpu-cl"},
    {"phone", "rules", "=tflite-gpu-cl"},
    {"target", "rules", ""},
    {"runtime", "rules", ""},
    {"rewrite", "fix", "=OUT.tflite"},
    {"delegatepath", "external_delegate_path", ""},
    {"delegatelib", "external_delegate_path", ""},
};

/* Lower case, without dashes and underscores: useGPU and use-gpu are use_gpu. */
static void plain(const char *name, char out[NAME_SIZE])
{
    size_t n = 0;

    for (; *name && n + 1 < NAME_SIZE; name++)
        if (*name != '_' && *name != '-')
            out[n++] = (char)tolower((unsigned char)*name);
    out[n] = '\0';
}

static bool has(const struct flag *const *flags, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        if (!strcmp(flags[i]->name, name))
            return !flag_is_fixed(flags[i]);
    return false;
}

static bool by_meaning(const struct flag *const *flags, uint32_t n, const char *word, char out[FLAG_MEANT_SIZE])
{
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (strcmp(meanings[i].word, word) != 0 || !has(flags, n, meanings[i].flag))
            continue;
        snprintf(out, FLAG_MEANT_SIZE, "%s%s", meanings[i].flag, meanings[i].value);
        return true;
    }
    return false;
}

/* Number of single-character edits from a to b, at most `limit`. Names longer than the table are never near. */
static uint32_t edit_distance(const char *a, const char *b, uint32_t limit)
{
    uint32_t row[64], n = (uint32_t)strlen(b);

    if (n >= 64)
        return limit;
    for (uint32_t j = 0; j <= n; j++)
        row[j] = j;
    for (uint32_t i = 1; *a; a++, i++) {
        uint32_t diagonal = row[0];

        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t change = diagonal + (*a != b[j - 1]), up = row[j] + 1, left = row[j - 1] + 1;

            diagonal = row[j];
            row[j] = change < up ? change : up;
            if (left < row[j])
                row[j] = left;
        }
    }
    return row[n] < limit ? row[n] : limit;
}

/* The flag of that spelling but for case, dashes and underscores; else the one that uses a thing of that name (--gpu); NULL: none.
 */
static const char *same_word(const struct flag *const *flags, uint32_t n, const char *word)
{
    for (int use = 0; use < 2; use++)
        for (uint32_t i = 0; i < n; i++) {
            const char *have = flags[i]->name;
            char other[NAME_SIZE];

            plain(have, other);
            if (!use ? !strcmp(other, word) : !strncmp(other, "use", 3) && !strcmp(other + 3, word))
                return have;
        }
    return NULL;
}

/* The nearest by edits. The beginning of a name counts as one edit: people abbreviate so. */
static const char *by_spelling(const struct flag *const *flags, uint32_t n, const char *name)
{
    size_t len = strlen(name);
    uint32_t best = (uint32_t)(len < 6 ? 2 : len / 3) + 1;
    const char *found = NULL;

    for (uint32_t i = 0; i < n; i++) {
        const char *have = flags[i]->name;
        uint32_t d = len >= 3 && !strncmp(have, name, len) ? 1 : edit_distance(name, have, best);

        if (d < best) {
            best = d;
            found = have;
        }
    }
    return found;
}

bool flag_meant(const struct flag *const *flags, uint32_t n, const char *name, char out[FLAG_MEANT_SIZE])
{
    char word[NAME_SIZE];
    const char *found;

    plain(name, word);
    if (!(found = same_word(flags, n, word)) && by_meaning(flags, n, word, out))
        return true;
    if (!found && !(found = by_spelling(flags, n, name)))
        return false;
    snprintf(out, FLAG_MEANT_SIZE, "%s", found);
    return true;
}
