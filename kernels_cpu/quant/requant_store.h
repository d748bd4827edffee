/* SPDX-License-Identifier: Apache-2.0 */
/* requant_store.h - the functions with which CPU_FAST stores a run of sums. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_STORE_H
#define DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_STORE_H

#include "kernels_cpu/quant/requant_one.h"

/* Fills r->post with the widest loop that this CPU has for r's kind and type. Every one gives the bits of requant_one: vectors for
 * REQUANT_FIXED to 8 bits, that function value by value for all else. */
void requant_choose_store(struct requant *r);

#endif
