/* SPDX-License-Identifier: Apache-2.0 */
/* plugin.h - the delegate "gpu" inside of TensorFlow Lite: declarations that the files of libdelegauge_gpu.so share.
 *
 * plugin.c has the two functions that the library exports and its options; plugin_graph.c reads the host's graph; plugin_parts.c
 * divides it and makes the kernels; plugin_kernel.c has the functions that the host calls for each kernel; plugin_buffers.c has
 * tensors that stay on the GPU. All of it runs under the lock of the delegate, on whichever thread calls. */
#ifndef DELEGAUGE_PLUGIN_H
#define DELEGAUGE_PLUGIN_H

#include <pthread.h>

#include "lib/delegate/partition_flags.h"
#include "lib/tflite/plugin_graph.h"

/* Messages to the host: failures alone; also a line for each graph; also the reasons why nodes stay with it. */
enum plugin_log { PLUGIN_LOG_ERRORS, PLUGIN_LOG_SUMMARY, PLUGIN_LOG_NODES };

/* Place of the outputs after a run: in the host's memory, or in GL buffers until it asks for them. */
enum plugin_outputs { PLUGIN_OUTPUTS_HOST, PLUGIN_OUTPUTS_BUFFER };

/* One delegate. It lives until the host has destroyed it and freed the last of its kernels, whichever comes last. */
struct plugin {
    struct tflite_delegate head; /* head.data_ is the plugin */
    struct delegate *gpu;
    struct partition_flags partition;
    enum plugin_log log;
    enum plugin_outputs outputs;
    bool knows_others;          /* its context is the caller's, or shares its objects: buffer handles may be the caller's */
    bool stores;                /* starts, by the options of the delegate */
    void *gpu_options;          /* of its delegate_type */
    char **texts;               /* copies of option values; ends with NULL */
    pthread_mutex_t lock;       /* recursive: the host calls init from within prepare */
    struct tflite_context *now; /* of the call in progress: warnings go there; NULL: nobody listens */
    struct tflite_context *first;
    uint32_t users;                  /* the host, until it destroys it; each kernel */
    struct plugin_kernel **expected; /* [n_expected] kernels whose init the host calls next; NULL after that call */
    uint32_t n_expected;
    uint32_t *made, n_made; /* GL buffers that are ours to delete */
};

/* A graph and how it was divided: shared by its kernels, freed with the last. */
struct plugin_parts {
    struct plugin_graph graph;
    struct partitioning parts;
    struct arena arena;            /* holds the rest, for the last time it was divided */
    struct tflite_int_array *list; /* all nodes that the host is to hand over, by its numbers */
    const struct plugin_subset {
        int first, n; /* its first node, and how many */
    } * subsets;      /* [parts.n_parts] subsets that the host makes of them */
    uint32_t users;
};

/* One partition: a subset of the host's. Without nodes it has constants alone, which nobody but other partitions reads. */
struct plugin_kernel {
    struct plugin *owner;
    struct plugin_parts *of;
    const struct partition *part;
    struct plugin_subset is;
    struct delegate_kernel *kernel;       /* NULL after a failure to make it for other shapes */
    int32_t (*dims)[TENSOR_MAX_RANK + 1]; /* [part->n_inputs] rank and shape that `kernel` was made for */
    bool on_cpu;                          /* the GPU does not take its shapes */
    uint32_t *bound;                      /* [part->n_inputs + part->n_outputs] GL buffers that `kernel` uses, or 0; NULL: none */
    uint32_t *made;                       /* [part->n_outputs] the buffers among them that were made for it, or 0; NULL: none */
};

/* Enter from a call of the host's: take the lock, and the GPU's context to this thread. */
void plugin_enter(struct plugin *p, struct tflite_context *c);
void plugin_leave(struct plugin *p);

/* Tell the host's error reporter; c may be NULL. Returns the ABI's word for it. */
enum tflite_status plugin_fail(struct tflite_context *c, enum status st, const struct err *err);

/* Take one user away. */
void plugin_unref(struct plugin *p);

/* Divide the graph that c lends, make the kernels, and hand them over to it. After a failure the host's graph is as it was. */
enum status plugin_take(struct plugin *p, struct tflite_context *c, struct err *err);

/* Make k->kernel for the shapes that its graph has now. If a driver refuses nodes, they have their reasons in `refused`, zeros
 * before, k->kernel is NULL, and it is ST_OK. */
enum status plugin_make(struct plugin_kernel *k, struct reason *refused, struct err *err);

/* Free a kernel; NULL and a half made one are accepted; c NULL: its tensors never knew k. */
void plugin_kernel_free(struct plugin_kernel *k, struct tflite_context *c);

/* With outputs=buffer, give the outputs of k without a handle a buffer and its name as handle. ST_NOMEM, ST_FAILED. */
enum status plugin_buffers_make(struct plugin_kernel *k, struct tflite_context *c, struct err *err);

/* Take these handles back. */
void plugin_buffers_free(struct plugin_kernel *k, struct tflite_context *c);

/* Bind the buffers of tensors with a handle, before a run. ST_FAILED if a handle is no such buffer. After the run,
 * plugin_buffers_written marks the outputs in them as stale in the host's memory. */
enum status plugin_buffers_bind(struct plugin_kernel *k, const struct tflite_context *c, struct err *err);
/* Without a kernel that binds them, bring inputs that are stale in the host's memory there. */
enum status plugin_buffers_fetch(const struct plugin_kernel *k, const struct tflite_context *c, struct err *err);
void plugin_buffers_written(const struct plugin_kernel *k, const struct tflite_context *c);

/* Return true if the CPU can run k's partition with nothing but its tensors. */
bool plugin_cpu_can(const struct plugin_kernel *k);

/* Run it so, from tensors to tensors that have their data. */
enum status plugin_cpu_run(const struct plugin_kernel *k, struct err *err);

/* Functions of struct tflite_delegate. */
enum tflite_status plugin_copy_from_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle,
                                           struct tflite_tensor *t);
enum tflite_status plugin_copy_to_buffer(struct tflite_context *c, struct tflite_delegate *d, int handle, struct tflite_tensor *t);
void plugin_free_buffer(struct tflite_context *c, struct tflite_delegate *d, int *handle);

extern const struct tflite_registration plugin_registration;

#endif
