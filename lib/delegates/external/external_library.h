/* SPDX-License-Identifier: Apache-2.0 */
/* external_library.h - a shared library with a delegate of TFLite's C ABI: loading it, and saying where it crashed. */
#ifndef DELEGAUGE_EXTERNAL_LIBRARY_H
#define DELEGAUGE_EXTERNAL_LIBRARY_H

#include "lib/base/err.h"
#include "lib/tflite/tflite_abi.h"

/* What the library is at. Its names are in external_phase_name. */
enum external_phase {
    EXTERNAL_OUTSIDE, /* of any call */
    EXTERNAL_CREATE,
    EXTERNAL_PREPARE,
    EXTERNAL_KERNEL_INIT,
    EXTERNAL_KERNEL_PREPARE,
    EXTERNAL_KERNEL_INVOKE,
    EXTERNAL_BUFFERS,
    EXTERNAL_KERNEL_FREE,
    EXTERNAL_DESTROY
};

/* "the delegate's Prepare" */
const char *external_phase_name(enum external_phase phase);

struct external_library {
    char *path;
    void *handle;
    tflite_destroy_fn destroy;
    struct tflite_delegate *delegate; /* that it made */
    char said[256];                   /* what it reported while it made that; "" is nothing */
    bool watched;                     /* its crashes are */
};

/* Loads it and has it make its delegate from "key:value;key:value" ('=' for the first ':' too). ST_USAGE: options that are none;
 * ST_FAILED: it cannot be loaded (with the linker's words), lacks a function of the two, makes no delegate, or one of another kind;
 * ST_NOMEM. *out is NULL then. */
enum status external_library_open(const char *path, const char *options, struct external_library **out, struct err *err);

/* After all kernels of the delegate; accepts NULL. The code stays in memory, since its threads may. */
void external_library_close(struct external_library *l);

/* Around each call of the library. While a library is open a crash in between (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT; in any
 * thread), or a SIGINT or SIGTERM that nobody handled when it was opened, writes one sentence with the phase to standard error
 * before what had happened anyway. Two libraries, or threads, at a time are told apart by the last call that began. */
void external_enter(const struct external_library *l, enum external_phase phase);
void external_leave(void);

/* For a program's own handler of interrupts: where a call of a library is under way, writes one sentence with the phase to standard
 * error, for the library may hang. Async-signal-safe; errno may change. */
void external_tell_interrupt(void);

#endif
