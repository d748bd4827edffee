/* SPDX-License-Identifier: Apache-2.0 */
/* runtime.h - runtimes that run whole models and come as shared libraries: LiteRT, and TensorFlow Lite's C library.
 *
 * A library runs in a process of its own, the host: the tool starts itself again (host.h), and the host calls the functions of one
 * struct runtime. Both map one block of shared memory: the job, which the tool writes; the facts and times, which the host writes;
 * and the content of all tensors. Sizes that the host writes are checked by the tool before use. */
#pragma once

#include "lib/tensor/tensor.h"

enum { RUNTIME_MAX_TENSORS = 1024 }; /* inputs, or outputs, of a model */

/* An input or output of the model, in the order of the subgraph. */
struct runtime_tensor {
    char name[256]; /* in the signature, if the model has one, else the tensor's */
    int32_t type;   /* enum tensor_type */
    int32_t rank, dim[TENSOR_MAX_RANK];
    bool dynamic;           /* outputs: only a run tells rank, dim, offset and bytes */
    uint64_t offset, bytes; /* content, from the begin of the shared memory */
};

/* The work of the host. */
struct runtime_job {
    char library[4096];   /* path */
    char options[8192];   /* lines KEY=VALUE, for runtime_option */
    int32_t signature;    /* index of the model's signature; -1: it has none */
    bool resized;         /* inputs have other shapes than in the file */
    uint32_t n_masked;    /* nodes that the accelerator is not given (runtime.mask) */
    uint64_t model_bytes; /* 0: only open the library, to learn facts about it */
    uint32_t n_inputs, n_outputs;
};

/* The findings of the host. Texts are the host's: they may hold anything, and the tool ends them itself. */
struct runtime_facts {
    char version[96];       /* "2.17.1", or the range that the library's functions tell */
    char accelerators[256]; /* offered by the library: "gpu (GPU WebGPU), cpu (CpuAccelerator)" */
    char used[64];          /* running the model: "gpu, cpu" */
    char left[2048];        /* the library's words about nodes that the accelerator asked for does not run; "": none */
    char refused[512];      /* why it does not run the model as asked for; "": it does */
    int32_t n_taken;        /* nodes that the accelerator asked for runs; -1: the library does not tell */
    char cache[64];         /* state of the folder chosen for compiled programs: "cold, 2 files written"; "": none was chosen */
    int64_t tensor_bytes, constant_bytes; /* of the accelerator's memory, by the library; 0: it tells none */
    uint64_t load_ns,                     /* opening the library and its environment */
        compile_ns;                       /* from the model to a first run that can begin */
};

/* Times of the last run, around the library's calls, in nanoseconds. A runtime may only submit work in `run` and wait in `read`. */
struct runtime_times {
    uint64_t write_ns, run_ns, read_ns;
};

/* One operator of a profiled run. */
struct runtime_event {
    char name[64];
    int32_t node;   /* index of the node in its subgraph; -1: it is none of the file */
    bool delegated; /* by a delegate of the library */
    uint64_t ns;
};
enum { RUNTIME_MAX_EVENTS = 4096 };

/* The shared memory begins with it; the tensors' content follows. */
struct runtime_shared {
    struct runtime_job job;
    struct runtime_facts facts;
    struct runtime_times times;
    char call[80];     /* the library's function that runs now; "": none */
    int32_t status;    /* enum status of the last command */
    char message[512]; /* of a failure */
    uint32_t n_events; /* of the last profiled run */
    struct runtime_event events[RUNTIME_MAX_EVENTS];
    struct runtime_tensor tensors[]; /* [n_inputs + n_outputs] */
};

/* The host's side of it. */
struct runtime_host {
    struct runtime_shared *shared;
    struct runtime_tensor *inputs, *outputs;
    const void *model;    /* [job.model_bytes] */
    uint64_t fixed_bytes; /* of the shared memory, before the outputs that are dynamic */
    uint64_t bytes;       /* of all of it */
    bool profiling;       /* this run is to note events */
};

/* A runtime. Functions run in the host, one library and one model a process, so that their state is static; nothing is closed: the
 * process ends. Failures of the library are ST_FAILED; a model or accelerator that it refuses is facts.refused and ST_OK. */
struct runtime {
    const char *name;
    const char *mask; /* the variable of its environment that lists nodes which its accelerator is not given, "3,7"; NULL: none */

    /* Load the library, and fill facts.version and accelerators. Fails with ST_UNSUPPORTED if it has not the functions needed. */
    enum status (*open)(struct runtime_host *h, struct err *err);

    /* Make the model ready to run, and fill the other facts. */
    enum status (*compile)(struct runtime_host *h, struct err *err);

    /* Write the inputs, run, read the outputs (runtime_put), and fill `times`; with h->profiling, the events. */
    enum status (*run)(struct runtime_host *h, struct err *err);

    /* Set the model's variables to their first content. */
    enum status (*reset)(struct runtime_host *h, struct err *err);
};

extern const struct runtime runtime_litert, runtime_tflite;

/* Return the value of the last line KEY=VALUE of `options`, in out[size]; "" if there is none. */
const char *runtime_option(const char *options, const char *key, char *out, size_t size);

/* Append the lines of `text` to options[n]: key=value;key=value, or the lines of a file of that name, with # before comments. Each
 * key gets `prefix` in front. Fails with ST_USAGE, naming `flag`, if there is no '=' or no room; with ST_IO. */
enum status runtime_add_options(const char *flag, const char *prefix, const char *text, char *options, size_t size,
                                struct err *err);

/* Call see() with every line of `options` that begins with "SECTION.": the rest of its key, and its value. Return the number of
 * lines. */
uint32_t runtime_section(const char *options, const char *section, void (*see)(void *arg, const char *key, const char *value),
                         void *arg);

/* Note the function of the library that is called next: the last words of a process that it ends. */
void runtime_call(struct runtime_host *h, const char *name);

/* Take over data[bytes] as content of output i, with this shape: dim[rank], used only if it is dynamic. Fails with ST_FAILED if
 * the size is another one than that of the tensor. */
enum status runtime_put(struct runtime_host *h, uint32_t i, const void *data, size_t bytes, const int32_t *dim, int32_t rank,
                        struct err *err);

/* Add an event to the profile of this run; ignored beyond RUNTIME_MAX_EVENTS. */
void runtime_note(struct runtime_host *h, const char *name, int32_t node, bool delegated, uint64_t ns);
