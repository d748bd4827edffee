/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_delegate.c - flags of TensorFlow Lite's C library, for every tool.
 *
 *   --tflite_lib=libtensorflowlite_c.so --tflite_xnnpack
 *   --tflite_lib=libtensorflowlite_jni.so --tflite_gpu_lib=libtensorflowlite_gpu_jni.so */
#include "lib/runtime/runtime_delegate.h"

struct tflite_options {
    const char *library, *gpu_library, *gpu_options, *delegate, *delegate_options;
    bool xnnpack;
    double timeout;
};

extern const struct delegate_type delegate_tflite;

static enum status tflite_open(const void *options, struct delegate **out, struct err *err)
{
    const struct tflite_options *o = options;
    char text[4096] = "";
    struct runtime_delegate_options how = {.type = &delegate_tflite,
                                           .runtime = &runtime_tflite,
                                           .flag = "tflite_lib",
                                           .library = o->library,
                                           .asked = o->xnnpack        ? "xnnpack"
                                                    : *o->gpu_library ? "gpu"
                                                    : *o->delegate    ? "delegate"
                                                                      : "cpu",
                                           .precision = "",
                                           .options = text,
                                           .deadline_s = o->timeout};
    enum status st = ST_OK;

    *out = NULL;
    if (o->xnnpack + !!*o->gpu_library + !!*o->delegate > 1)
        return err_set(err, ST_USAGE, "--tflite_xnnpack, --tflite_gpu_lib and --tflite_delegate: one of them at a time");
    if ((*o->gpu_options && !*o->gpu_library) || (*o->delegate_options && !*o->delegate))
        return err_set(err, ST_USAGE, "--tflite_%s_options is of no use without --tflite_%s",
                       *o->delegate_options ? "delegate" : "gpu", *o->delegate_options ? "delegate" : "gpu_lib");
    if ((size_t)snprintf(text, sizeof text, "%s%s%s%s%s%s%s", o->xnnpack ? "xnnpack=1\n" : "",
                         *o->gpu_library ? "gpu_library=" : "", o->gpu_library, *o->gpu_library ? "\n" : "",
                         *o->delegate ? "delegate=" : "", o->delegate, *o->delegate ? "\n" : "") >= sizeof text)
        return err_set(err, ST_USAGE, "--tflite_gpu_lib or --tflite_delegate is too long");
    st = runtime_add_options("tflite_gpu_options", "gpu.", o->gpu_options, text, sizeof text, err);
    st = st ? st : runtime_add_options("tflite_delegate_options", "delegate.", o->delegate_options, text, sizeof text, err);
    return st ? st : runtime_delegate_open(&how, out, err);
}

static bool tflite_asked(const void *options)
{
    return *((const struct tflite_options *)options)->library;
}

#define FLAG_OPTIONS struct tflite_options
#define ROW          FLAG_ROW

static const struct flag tflite_flags[] = {
    ROW(DELEGATE, "tflite_lib", FLAG_READS_LIBRARY, library, "", NULL,
        "Run the whole model in TensorFlow Lite: the path of a library with its C interface, libtensorflowlite_c.so or "
        "libtensorflowlite_jni.so."),
    ROW(DELEGATE, "tflite_xnnpack", FLAG_TAKES_BOOL, xnnpack, "false", NULL, "Give the model to the library's XNNPACK delegate."),
    ROW(DELEGATE, "tflite_gpu_lib", FLAG_READS_LIBRARY, gpu_library, "", NULL,
        "Give the model to the GPU delegate of this library, libtensorflowlite_gpu_delegate.so or libtensorflowlite_gpu_jni.so."),
    ROW(DELEGATE, "tflite_gpu_options", FLAG_TAKES_TEXT, gpu_options, "", NULL,
        "Set fields of TfLiteGpuDelegateOptionsV2: inference_priority1=2;inference_preference=1, or a file with a line for each."),
    ROW(DELEGATE, "tflite_delegate", FLAG_READS_LIBRARY, delegate, "", NULL,
        "Give the model to the external delegate of this library."),
    ROW(DELEGATE, "tflite_delegate_options", FLAG_TAKES_TEXT, delegate_options, "", NULL,
        "Pass these options to it: key=value;key=value, or a file with a line for each."),
    ROW(DELEGATE, "tflite_timeout", FLAG_TAKES_NUMBER(0.1, 1e6), timeout, "300", NULL,
        "Wait at most this many seconds for TensorFlow Lite to compile or to run, then end it."),
    {0},
};

static void serve(int argc, char **argv)
{
    host_serve(argc, argv, &runtime_tflite);
}

const struct delegate_type delegate_tflite = {
    .name = "tflite",
    .label = "TFLite",
    .use_flag = "use_tflite",
    .kernel = "TFLite",
    .options_size = sizeof(struct tflite_options),
    .flags = tflite_flags,
    .asked = tflite_asked,
    .open = tflite_open,
    .open_static = tflite_open,
    .serve = serve,
};
