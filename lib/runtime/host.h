/* SPDX-License-Identifier: Apache-2.0 */
/* host.h - a process of its own for the library of a runtime, so that whatever happens in there ends with one sentence.
 *
 * The program starts itself again (/proc/self/exe) with a socket for commands, the shared memory of runtime.h, the model, and a
 * file for all that the library prints. A library that crashes, exits, throws or gives no answer in time fails the call under way
 * with ST_FAILED: the message has the function that it was in, the signal, and its last words. The host ends with host_free, and
 * with the process that started it. One host is for one thread. */
#pragma once

#include "lib/runtime/runtime.h"

struct host;

/* How to start one. */
struct host_options {
    const struct runtime *runtime;
    double deadline_s;              /* longest time to wait for an answer */
    const char *const *environment; /* "NAME=VALUE" for the host, ends with NULL; or NULL */
};

/* Do the work of a host of this runtime and end the process, if the program was started as one; else note that it can be, and
 * return. The main function of a program calls it first. */
void host_serve(int argc, char **argv, const struct runtime *r);

/* Check a library from outside: ST_IO if the file cannot be read, ST_UNSUPPORTED if it is no shared library, or of another machine
 * than this program; `flag` names it in messages. Write its SHA-256 to sha256. */
enum status host_check_library(const char *flag, const char *path, char sha256[65], struct err *err);

/* Start a host, open the library and compile model[job->model_bytes] for tensors[n_inputs + n_outputs], whose offsets are set
 * here. Read host_facts then: `refused` is no failure. Fails with ST_UNSUPPORTED in a program that does not call host_serve, and if
 * the library is too old; with ST_FAILED and ST_NOMEM. */
enum status host_start(const struct host_options *o, const struct runtime_job *job, const struct runtime_tensor *tensors,
                       const void *model, struct host **out, struct err *err);

/* Return a copy of the facts, in which all texts end; the first run may have changed them. */
const struct runtime_facts *host_facts(const struct host *h);

/* Return the memory of input or output i, shared with the host; NULL for an output that is dynamic. */
void *host_input(const struct host *h, uint32_t i);
void *host_output(const struct host *h, uint32_t i);

/* Run once, on the content of the inputs. `profiled`: and note the events. */
enum status host_run(struct host *h, bool profiled, struct err *err);

/* Return the times of the last run. */
struct runtime_times host_times(const struct host *h);

/* Return the number of events of the last profiled run, and write a copy of event i. */
uint32_t host_n_events(const struct host *h);
void host_event(const struct host *h, uint32_t i, struct runtime_event *out);

/* Write the shape that a run gave output i to *shape, and its size to *bytes; then read the content to data[bytes]. Fail with
 * ST_FAILED if the host claims impossible ones. */
enum status host_output_shape(const struct host *h, uint32_t i, struct runtime_tensor *shape, struct err *err);
enum status host_output_read(const struct host *h, uint32_t i, const struct runtime_tensor *shape, void *data, struct err *err);

/* Set the model's variables to their first content before the next run. */
enum status host_reset(struct host *h, struct err *err);

/* Return the bytes of memory of the host process; 0 if unknown. */
uint64_t host_memory(const struct host *h);

/* Return the process's number; 0 if it has ended. */
int64_t host_process(const struct host *h);

/* Call see() with each line that the library printed since the last call. */
void host_log(struct host *h, void (*see)(void *arg, const char *line), void *arg);

/* End the process and free everything; accepts NULL. */
void host_free(struct host *h);
