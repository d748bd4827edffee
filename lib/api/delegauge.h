/* SPDX-License-Identifier: Apache-2.0 */
/* delegauge.h - the library for other programs: load a .tflite model, run it on the CPU or through a delegate, see what ran where.
 *
 *   dg_model_open("m.tflite", &model, &err)           a verified file
 *   dg_delegate_open("gpu", NULL, &gpu, &err)          a device (optional)
 *   dg_session_new(model, &options, &s, &err)          its graph
 *   dg_session_prepare(s, &err)                        shapes, who runs what, memory, shaders
 *   dg_session_set_input(s, 0, data, bytes, &err)
 *   dg_session_run(s, &err)
 *   dg_session_output(s, 0, &tensor)
 *
 * Errors: what can fail returns an enum dg_status (DG_OK is 0) and takes a struct dg_error, or NULL, last; on success the message
 * is "". On failure *out of a function that makes something is NULL. Nothing here prints, exits, or reads the environment; the GL
 * driver may.
 *
 * Ownership: what dg_X_open or dg_X_new made, dg_X_close or dg_X_free ends; both accept NULL. A session borrows its model and its
 * delegate: end it before them. Pointers that a struct is filled with belong to the object that was asked.
 *
 * Threads: models are immutable and may serve sessions in several threads at once. A session, and a delegate with all its sessions,
 * is used by one thread at a time; a GPU delegate and its sessions stay on the thread that opened it, since GL contexts do.
 * Different objects do not disturb each other.
 *
 * Shapes are row-major, last dimension fastest; images are [batch, height, width, channels]. Sizes are in bytes.
 *
 * Versions: while DG_VERSION_MAJOR is 0, a new minor version may change this interface; a patch never does. Structs that the caller
 * fills may get fields at their end, whose zero means what was so before: begin with `= {0}`. */
#ifndef DELEGAUGE_H
#define DELEGAUGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DG_VERSION_MAJOR  0
#define DG_VERSION_MINOR  1
#define DG_VERSION_PATCH  0
#define DG_VERSION_STRING "0.1.0"
#define DG_VERSION        (DG_VERSION_MAJOR * 10000 + DG_VERSION_MINOR * 100 + DG_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

#ifndef DG_API
#define DG_API __attribute__((visibility("default")))
#endif

/* DG_VERSION of the library that runs, which may be another than that of this header. */
DG_API int dg_version(void);

enum dg_status {
    DG_OK = 0,
    DG_USAGE = 2,       /* a wrong argument, or a call out of order */
    DG_BAD_MODEL = 3,   /* the file, or what it says, is broken or contradicts itself */
    DG_UNSUPPORTED = 4, /* sound, but this build or device cannot run it */
    DG_NO_MEMORY = 5,   /* memory, or a size above the limit */
    DG_IO = 6,          /* a file could not be read */
    DG_NO_GPU = 7,      /* no usable device or driver: the message says what was tried */
    DG_FAILED = 8       /* a run, a GL call or a driver failed */
};

struct dg_error {
    char message[512]; /* one line without newline, with the numbers: "m.tflite: …", "node 17 CONV_2D(…): …" */
};

/* ---- models ---- */

/* A verified file: immutable, and shared by all sessions on it. */
struct dg_model;

/* Maps the file `path` and verifies all of it. The file must not change while the model is open. DG_IO, DG_BAD_MODEL,
 * DG_NO_MEMORY. */
DG_API enum dg_status dg_model_open(const char *path, struct dg_model **out, struct dg_error *err);

/* The same from memory, which stays the caller's and valid as long as the model. `name` begins the messages. */
DG_API enum dg_status dg_model_parse(const void *data, size_t bytes, const char *name, struct dg_model **out, struct dg_error *err);

DG_API void dg_model_close(struct dg_model *m);

/* ---- delegates: what runs parts of a model in place of the CPU kernels ---- */

/* An open device with its programs and its memory, for one session or several. */
struct dg_delegate;

/* The name of delegate type i of this build ("gpu"), or NULL beyond the last. */
DG_API const char *dg_delegate_name(size_t i);

/* What a delegate type can be told; texts are static. */
struct dg_option {
    const char *name;
    const char *value; /* the default, as it would be typed; "" for none */
    const char *help;  /* one line */
};

/* Option i of a delegate type; false beyond the last, and for an unknown type. */
DG_API bool dg_delegate_option(const char *delegate, size_t i, struct dg_option *out);

/* Opens a device. `options` are "name=value" texts, ended by NULL, or NULL for the defaults; they are copied. Later ones win.
 * DG_USAGE for an unknown delegate, option or value; DG_NO_GPU.
 * "gpu_context=adopt" works in the EGL context that the calling thread has current, whenever it is called, and "gpu_context=share"
 * in one of its own that shares objects with that; else buffers of the caller's are not known (dg_session_bind_input).
 * The environment is the program's own: with the GPU's delegate_serialize_dir=DIR it may set, before it has a second thread,
 * MESA_SHADER_CACHE_DIR=DIR/mesa and MESA_SHADER_CACHE_DISABLE=false. Then Mesa keeps there what it compiles when a program first
 * runs, which no stored start holds (llvmpipe's machine code: seconds). For models of short dispatches LP_NUM_THREADS=0 has
 * llvmpipe compute in the calling thread, faster than by waking others. The tools do both. */
DG_API enum dg_status dg_delegate_open(const char *name, const char *const *options, struct dg_delegate **out,
                                       struct dg_error *err);

/* What it runs on, as the driver calls it; never NULL. */
DG_API const char *dg_delegate_device(const struct dg_delegate *d);

/* True where the device is the CPU in disguise (llvmpipe): right results, times that say nothing about a GPU. */
DG_API bool dg_delegate_is_software(const struct dg_delegate *d);

DG_API void dg_delegate_close(struct dg_delegate *d);

/* ---- sessions: one model, ready to run again and again ---- */

struct dg_session;

/* Both compute the same integers; floats differ by rounding. */
enum dg_kernels {
    DG_KERNELS_FAST,     /* packed, threaded, chosen for this CPU */
    DG_KERNELS_REFERENCE /* plain loops with the numbers of TensorFlow Lite's reference kernels, the same on every machine */
};

struct dg_session_options {
    int num_threads; /* of the CPU kernels; below 1: 1 */
    enum dg_kernels kernels;
    struct dg_delegate *delegate; /* NULL: all on the CPU */
    int max_delegated_partitions; /* only the largest ones; below 1: all */
    int min_nodes_per_partition;  /* smaller ones stay on the CPU; below 1: none do */
};

/* A session on the model's primary subgraph. options NULL: the defaults, which are all zeros. */
DG_API enum dg_status dg_session_new(const struct dg_model *m, const struct dg_session_options *options, struct dg_session **out,
                                     struct dg_error *err);

DG_API void dg_session_free(struct dg_session *s);

/* Numbers are those of TensorFlow Lite's C API. */
enum dg_type {
    DG_TYPE_NONE = 0,
    DG_FLOAT32 = 1,
    DG_INT32 = 2,
    DG_UINT8 = 3,
    DG_INT64 = 4,
    DG_STRING = 5,
    DG_BOOL = 6,
    DG_INT16 = 7,
    DG_COMPLEX64 = 8,
    DG_INT8 = 9,
    DG_FLOAT16 = 10,
    DG_FLOAT64 = 11,
    DG_COMPLEX128 = 12,
    DG_UINT64 = 13,
    DG_RESOURCE = 14,
    DG_VARIANT = 15,
    DG_UINT32 = 16,
    DG_UINT16 = 17,
    DG_INT4 = 18,
    DG_BFLOAT16 = 19,
    DG_INT2 = 20,
    DG_UINT4 = 21,
    DG_FLOAT8_E4M3FN = 22,
    DG_FLOAT8_E5M2 = 23
};

/* "FLOAT32"; "?" for a number beyond the known ones. */
DG_API const char *dg_type_name(enum dg_type type);

/* An input or output. `data` is NULL unless the session is prepared. Elements below 8 bits are packed, the first in the low bits; a
 * STRING's content is: int32 count, count + 1 int32 offsets from the start, the characters. */
struct dg_tensor {
    const char *name; /* never NULL; may be "" */
    enum dg_type type;
    int32_t rank;        /* 0 for a scalar */
    const int32_t *dims; /* [rank] */
    size_t bytes;
    const void *data;
    /* real = scales[i] * (q - zero_points[i]); i is 0, or the index along quantized_dim where n_scales > 1. */
    uint32_t n_scales; /* 0: not quantized this way */
    const float *scales;
    const int64_t *zero_points;
    int32_t quantized_dim;
};

/* How many inputs and outputs the model's primary subgraph has; they count from 0, in the file's order. */
DG_API uint32_t dg_session_n_inputs(const struct dg_session *s);
DG_API uint32_t dg_session_n_outputs(const struct dg_session *s);

/* Fills *out; false where there is no such input or output. An output's shape is right after dg_session_prepare, one that depends
 * on data after dg_session_run; *out is valid until the next call that takes the session to be changed. */
DG_API bool dg_session_input(const struct dg_session *s, uint32_t i, struct dg_tensor *out);
DG_API bool dg_session_output(const struct dg_session *s, uint32_t i, struct dg_tensor *out);

/* Another shape [rank] for input i; prepare the session (again) before it runs. DG_USAGE where there is no such input. */
DG_API enum dg_status dg_session_resize_input(struct dg_session *s, uint32_t i, const int32_t *dims, int32_t rank,
                                              struct dg_error *err);

/* Infers shapes, asks the delegate about every node, places memory, compiles shaders. Variables are set to their first value and
 * the content of inputs is lost. What this accepts, dg_session_run can run. */
DG_API enum dg_status dg_session_prepare(struct dg_session *s, struct dg_error *err);

/* Copies `bytes` bytes, which must be the tensor's (a STRING's may be any), into input i; they stay until they are set again or the
 * session is prepared. */
DG_API enum dg_status dg_session_set_input(struct dg_session *s, uint32_t i, const void *data, size_t bytes, struct dg_error *err);

/* How elements lie in a buffer: as in host memory; or FLOAT32 and INT32 in vectors of four channels,
 * [batch][(channels + 3) / 4][height][width][4], as the GPU keeps them (of an input zeros behind the last channel). */
enum dg_layout { DG_LAYOUT_DENSE = 0, DG_LAYOUT_SLICES = 1 };

/* A range of a buffer on the GPU, an OpenGL ES shader storage buffer. It is the caller's, before, meanwhile and afterwards. */
struct dg_buffer {
    uint32_t id; /* its name in the context of the delegate, or in one that shares its objects: see gpu_context of
                    dg_delegate_open */
    enum dg_layout layout;
    uint64_t offset; /* of the first element, in bytes: a multiple of GL_SHADER_STORAGE_BUFFER_OFFSET_ALIGNMENT */
    uint64_t bytes;  /* from there on, at least what the tensor takes in that layout, in whole words of 4 bytes */
};

/* From the next run on input or output i lies in *b, which is copied, instead of the tensor's data, which nobody reads or writes
 * then; b NULL: in host memory again. It lasts until dg_session_prepare, another call or dg_session_free; until then the caller
 * keeps the buffer. No program is compiled for it, nor for another buffer later. A run leaves outputs in their buffers: GL calls in
 * the delegate's context come after it, one in a context that shares the buffers waits for dg_session_run first.
 * The session is prepared and its delegate opened with "gpu_context=adopt" or "gpu_context=share", or there is no buffer of the
 * caller's that it knows. DG_USAGE: not prepared, no such input or output, no such buffer, layout, offset or length.
 * DG_UNSUPPORTED: there is no delegate that takes buffers, the CPU or another partition uses the tensor too, or the GPU keeps the
 * value in another way than that layout, as in the shape that it is reshaped to or from, or as before DEPTH_TO_SPACE to channels
 * that fill no slices of four (never of DG_LAYOUT_DENSE); the tensor is in host memory then. */
DG_API enum dg_status dg_session_bind_input(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err);
DG_API enum dg_status dg_session_bind_output(struct dg_session *s, uint32_t i, const struct dg_buffer *b, struct dg_error *err);

/* One inference; returns when the outputs are there. After a failure the session may be run again, its outputs are undefined. */
DG_API enum dg_status dg_session_run(struct dg_session *s, struct dg_error *err);

/* Variables get their first value again; resource variables and tables are forgotten. */
DG_API void dg_session_reset_state(struct dg_session *s);

/* ---- what ran where: valid once prepared ---- */

/* How many nodes run where. */
struct dg_assignment {
    uint32_t n_nodes;      /* delegated + on the CPU + folded */
    uint32_t n_delegated;  /* run by the delegate, in */
    uint32_t n_partitions; /* so many pieces */
    uint32_t n_cpu;
    uint32_t n_folded; /* computed once, in dg_session_prepare; CALL_ONCE that only sets variables: with the first run */
};

/* False before dg_session_prepare. */
DG_API bool dg_session_assignment(const struct dg_session *s, struct dg_assignment *out);

/* One operator, and where it runs. Texts are valid until the session is prepared again or freed. */
struct dg_node {
    uint32_t index;     /* its place in the file's operator list */
    const char *name;   /* "CONV_2D", or the custom operator's name */
    int32_t partition;  /* of the delegate, or -1: on the CPU, or folded */
    bool folded;        /* computed in dg_session_prepare */
    const char *reason; /* why the delegate did not take it: "DYNAMIC_SHAPE"; "" where it did, or was not asked */
    const char *detail; /* the same in words, with the numbers; "" likewise */
};

/* Node i in order of execution; false before dg_session_prepare and beyond the last. */
DG_API bool dg_session_node(const struct dg_session *s, uint32_t i, struct dg_node *out);

#ifdef __cplusplus
}
#endif

#endif
