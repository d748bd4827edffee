/* SPDX-License-Identifier: Apache-2.0 */
/* pthreadpool.h - what xnnpack.h and we need of the thread pool's header, for systems that have XNNPACK's and not this one. */
#ifndef DELEGAUGE_PTHREADPOOL_H
#define DELEGAUGE_PTHREADPOOL_H

#include <stddef.h>

typedef struct pthreadpool *pthreadpool_t;

/* Threads, the caller's among them; NULL is a failure. */
pthreadpool_t pthreadpool_create(size_t threads);
void pthreadpool_destroy(pthreadpool_t pool);

#endif
