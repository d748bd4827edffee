/* SPDX-License-Identifier: Apache-2.0 */
/* requant_store.h - chooses the function by which CPU_FAST requantizes and stores a run of sums. */
#pragma once

#include "kernels_cpu/quant/requant_one.h"

/* Set r->post to the widest loops that this CPU has for r's kind and type. All give the bits of requant_one: REQUANT_FIXED to 8
 * bits in vectors, all else by calling requant_one for each value. */
void requant_choose_store(struct requant *r);
