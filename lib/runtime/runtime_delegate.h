/* SPDX-License-Identifier: Apache-2.0 */
/* runtime_delegate.h - a delegate that gives models to a runtime; litert_delegate.c and tflite_delegate.c are its types.
 *
 * A session's whole graph goes there as the bytes of its file; a partition as a model of its own (extract.h). Each has its host, so
 * that one that ends takes no other with it. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/runtime/host.h"

/* The flags of a type. Texts are copied. */
struct runtime_delegate_options {
    const struct delegate_type *type;
    const struct runtime *runtime;
    const char *flag, *library;    /* "litert_lib", and its value */
    const char *asked, *precision; /* for reports: "gpu", "fp32"; precision "": the runtime's own */
    const char *options;           /* lines KEY=VALUE for the runtime, without options of a model (nodes, threads) */
    const char *useless;           /* lines to warn of once: options that do nothing; NULL: none */
    double deadline_s;
    bool takes_signatures; /* it runs any signature of the file; else other subgraphs than the first as models of their own */
};

/* Check the library, open it once in a host to learn about it, and make the delegate. Fails as host_check_library and host_start
 * do, and with ST_USAGE if no library is named. */
enum status runtime_delegate_open(const struct runtime_delegate_options *o, struct delegate **out, struct err *err);
