/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.h - the delegate "gpu" inside TensorFlow Lite: declarations shared by the files of libdelegauge_gpu.so.
 *
 * plugin.c has the two exported functions and the options; plugin_graph.c reads the host's graph; plugin_parts.c partitions it and
 * makes the kernels; plugin_kernel.c has the functions that the host calls for each kernel; plugin_buffers.c has tensors that stay
 * on the GPU. The host is TFLite's runtime. All of it runs under the delegate's lock, on whichever thread calls. */
#pragma once

#include <pthread.h>

#include "lib/delegate/partition_flags.h"
#include "lib/tflite/plugin_graph.h"

/* Messages to the host: failures; also one line for each graph; also the reasons why nodes stay with the host. */
enum plugin_log { PLUGIN_LOG_ERRORS, PLUGIN_LOG_SUMMARY, PLUGIN_LOG_NODES };

/* Place of outputs after a run: host memory, or GL buffers until the host asks for them. */
enum plugin_outputs { PLUGIN_OUTPUTS_HOST, PLUGIN_OUTPUTS_BUFFER };

/* One delegate. Lives until the host has destroyed it and freed the last of its kernels, in any order. */
struct plugin {
    struct tflite_delegate head; /* given to the host; head.data_ is this struct */
    struct delegate *gpu;
    struct partition_flags partition;
    enum plugin_log log;
    enum { PLUGIN_TO_HOST, PLUGIN_TO_STDERR } log_to;
    enum plugin_outputs outputs;
    bool knows_others;          /* the GL context is the caller's or shares its objects: buffer handles may be the caller's */
    bool stores;                /* serialization cache: compiled graphs are stored (delegate_serialize_dir) */
    void *gpu_options;          /* options of gpu's delegate_type */
    char **texts;               /* copies of option values; ends with NULL */
    pthread_mutex_t lock;       /* recursive: the host calls init from within prepare */
    struct tflite_context *now; /* context of the call in progress, which gets warnings; NULL: none */
    struct tflite_context *first;
    uint32_t users;                  /* reference count: the host until it destroys the delegate, and each kernel */
    struct plugin_kernel **expected; /* [n_expected] kernels in the order of the host's coming init calls; NULL once called */
    uint32_t n_expected;
    uint32_t *made, n_made; /* [n_made] GL buffers that the delegate owns */
};

/* A graph and its partitions; shared by its kernels and freed with the last one. */
struct plugin_parts {
    struct plugin_graph graph;
    struct partitioning parts;
    struct arena arena;            /* holds parts, list and subsets of the latest partitioning */
    struct tflite_int_array *list; /* all nodes to delegate, by the host's numbers */
    const struct plugin_subset {
        int first, n; /* the host's number of the first node, or -1; number of nodes */
    } * subsets;      /* [parts.n_parts] subsets that the host makes of the nodes */
    uint32_t users;
};

/* One partition, a subset of the host's. Without nodes it consists of constants that only other partitions read. */
struct plugin_kernel {
    struct plugin *owner;
    struct plugin_parts *of;
    const struct partition *part;
    struct plugin_subset is;
    struct delegate_kernel *kernel;       /* NULL if making it for new shapes failed */
    int32_t (*dims)[TENSOR_MAX_RANK + 1]; /* [part->n_inputs] rank and shape that `kernel` was made for */
    bool on_cpu;                          /* runs on the CPU, because the GPU does not take its present shapes */
    uint32_t *bound; /* [part->n_inputs + part->n_outputs] GL buffers bound to `kernel`, 0: none; NULL: none at all */
    uint32_t *made;  /* [part->n_outputs] GL buffers made for these outputs, 0: none; NULL: none at all */
};

/* Enter from a call of the host: take the lock and make the GPU's context current. plugin_leave undoes both. */
void plugin_enter(struct plugin *p, struct tflite_context *c);
void plugin_leave(struct plugin *p);

/* Report an error to the host; c may be NULL. Returns the ABI's status for `st`. */
enum tflite_status plugin_fail(struct tflite_context *c, enum status st, const struct err *err);

/* Drop one user of the delegate. */
void plugin_unref(struct plugin *p);

/* Partition the graph that c lends, make the kernels, and let the host replace the nodes. After a failure the host's graph is
 * unchanged. */
enum status plugin_take(struct plugin *p, struct tflite_context *c, struct err *err);

/* Make k->kernel for the present shapes of its graph. If the driver refuses nodes, their reasons are in `refused`, zeroed before,
 * k->kernel is NULL, and the result is ST_OK. */
enum status plugin_make(struct plugin_kernel *k, struct reason *refused, struct err *err);

/* Free a kernel; accepts NULL and partly made ones. c may be NULL if no tensor has a handle of k yet. */
void plugin_kernel_free(struct plugin_kernel *k, struct tflite_context *c);

/* With outputs=buffer, make a GL buffer for each output of k without a handle; its name is the handle. Fails with ST_NOMEM or
 * ST_FAILED. */
enum status plugin_buffers_make(struct plugin_kernel *k, struct tflite_context *c, struct err *err);

/* Free these buffers and remove the handles. */
void plugin_buffers_free(struct plugin_kernel *k, struct tflite_context *c);

/* Bind the buffers of tensors with a handle before a run. Fails with ST_FAILED if a handle is not such a buffer. After the run,
 * plugin_buffers_written marks these outputs as stale in host memory. */
enum status plugin_buffers_bind(struct plugin_kernel *k, const struct tflite_context *c, struct err *err);
/* Copy inputs that are stale in host memory there, before a run without a kernel that could bind their buffers. */
enum status plugin_buffers_fetch(const struct plugin_kernel *k, const struct tflite_context *c, struct err *err);
void plugin_buffers_written(const struct plugin_kernel *k, const struct tflite_context *c);

/* Return true if the CPU can run k's partition with its tensors alone. */
bool plugin_cpu_can(const struct plugin_kernel *k);

/* Run k's partition on the CPU; its tensors have their memory. */
enum status plugin_cpu_run(const struct plugin_kernel *k, struct err *err);

/* Functions of struct tflite_delegate. */
enum tflite_status plugin_copy_from_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle,
                                           struct tflite_tensor *t);
enum tflite_status plugin_copy_to_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle, struct tflite_tensor *t);
void plugin_free_buffer(struct tflite_context *c, struct tflite_delegate *d, int *handle);

extern const struct tflite_registration plugin_registration;
