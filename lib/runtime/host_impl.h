/* SPDX-License-Identifier: Apache-2.0 */
/* host_impl.h - agreement of the tool (host.c) and the process that it starts (host_main.c). */
#pragma once

#define HOST_FLAG "--runtime_host"

/* Files of the host, in this order: nothing, the log twice, commands, the shared memory, the model. */
enum { HOST_SOCKET = 3, HOST_MEMORY, HOST_MODEL, HOST_FDS };

/* Commands, a byte each; so is every answer. The first answer, to no command, comes after the model was compiled. */
enum { HOST_RUN = 'r', HOST_PROFILE = 'p', HOST_RESET = 'z' };

#define HOST_ALIGN    64
#define HOST_MOST_LOG (1 << 20) /* bytes of its end that are read at once */
#define HOST_NO_START 126       /* exit status if the program does not start */

/* Be a host of this runtime until the tool hangs up. */
struct runtime;
void host_main(const struct runtime *r) __attribute__((noreturn));
