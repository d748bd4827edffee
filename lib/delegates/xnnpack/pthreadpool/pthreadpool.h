/* SPDX-License-Identifier: Apache-2.0 */
/* pthreadpool.h - the part of pthreadpool's header that xnnpack.h and the delegate use, for systems that have only XNNPACK's
 * header. */
#pragma once

#include <stddef.h>

typedef struct pthreadpool *pthreadpool_t;

/* Create a pool of `threads` threads, the caller among them. Returns NULL on failure. */
pthreadpool_t pthreadpool_create(size_t threads);
void pthreadpool_destroy(pthreadpool_t pool);
