/* SPDX-License-Identifier: Apache-2.0 */
/* external_library.h - loads a shared library with a delegate of TFLite's C ABI, and names the call in which it crashes. */
#pragma once

#include "lib/base/err.h"
#include "lib/tflite/tflite_abi.h"

/* The call of the library that is in progress; external_phase_name has the texts. */
enum external_phase {
    EXTERNAL_OUTSIDE, /* no call */
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
    struct tflite_delegate *delegate; /* owned by the library; external_library_close destroys it */
    char said[256];                   /* last report while it created the delegate; "": none */
    bool watched;                     /* crash handlers are installed for it */
};

/* Load the library and create its delegate with options "key:value;key:value" ('=' may stand for the first ':'). Fails with
 * ST_USAGE for malformed options; with ST_FAILED if the library cannot be loaded (with the linker's message), lacks one of the two
 * functions, or returns no delegate, or one of another kind; with ST_NOMEM. *out is then NULL. */
enum status external_library_open(const char *path, const char *options, struct external_library **out, struct err *err);

/* Destroy the delegate, after all of its kernels; accepts NULL. The code stays mapped, since threads of the library may still
 * run. */
void external_library_close(struct external_library *l);

/* Mark the beginning and the end of a call of the library. While a library is open, a crash in between (SIGSEGV, SIGBUS, SIGFPE,
 * SIGILL, SIGABRT; in any thread), or a SIGINT or SIGTERM without a handler when it was opened, writes one sentence with the phase
 * to standard error, then takes its usual course. With several libraries or threads the last call that began is named. */
void external_enter(const struct external_library *l, enum external_phase phase);
void external_leave(void);

/* Write one sentence with the phase to standard error if a call of a library is in progress, since the library may hang. For a
 * program's own handler of interrupts: async-signal-safe; errno may change. */
void external_tell_interrupt(void);
