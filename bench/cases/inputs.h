/* SPDX-License-Identifier: Apache-2.0 */
/* inputs.h - tensors with given elements, for the cases of several operators. */
#pragma once

#include "bench/opcheck/opcheck.h"

/* An INT32 vector with these elements that is not stored in the model: known only while running. I32S is constant. */
#define RUN_I32S(...)                                                                                                 \
    {TYPE_INT32, .rank = 1, .dim = {sizeof((int32_t[]){__VA_ARGS__}) / 4}, .fill = FILL_GIVEN,                        \
     .data = (const int32_t[]){__VA_ARGS__}}

/* A constant INT64 vector with these elements. */
#define I64S(...)                                                                                                     \
    {TYPE_INT64, .rank = 1, .dim = {sizeof((int64_t[]){__VA_ARGS__}) / 8}, .fill = FILL_GIVEN, .constant = true,      \
     .data = (const int64_t[]){__VA_ARGS__}}

/* A matrix [d0,d1] of at most 12 strings, not constant: different lengths, two empty, one not ASCII. */
#define STRINGS(d0, d1)                                                                                               \
    {TYPE_STRING, CASE_DIMS(d0, d1), .fill = FILL_GIVEN,                                                              \
     .data = (const char *const[]){"a", "", "bcd", "\xc3\xa9", "ghijk", "l", "mn", "o", "", "p", "qrs", "t"}}
