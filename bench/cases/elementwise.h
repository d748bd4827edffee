/* SPDX-License-Identifier: Apache-2.0 */
/* elementwise.h - cases shared by many elementwise operators. */
#pragma once

#include "bench/opcheck/opcheck.h"

/* Odd sizes beyond every vector, joined row and thread's piece of the fast kernels (map.h, broadcast.c). Outputs are too long for
 * golden text: these cases only compare fast with reference kernels. */
#define LARGE 37, 53, 67
#define LARGE_CASE(name_) name_ ", large (fast against reference)", .no_golden = true
#define LARGE_PAIRS(type_, a_, b_, y_)                                                                                         \
    { LARGE_CASE(#type_), .in = { a_(LARGE), b_(LARGE) }, .out = y_ },                                                         \
    { LARGE_CASE(#type_ ", one per channel"), .in = { a_(LARGE), b_(67) }, .out = y_ },                                        \
    { LARGE_CASE(#type_ ", one per row"), .in = { a_(LARGE), b_(53, 1) }, .out = y_ },                                         \
    { LARGE_CASE(#type_ ", one row per image"), .in = { a_(LARGE), b_(37, 1, 67) }, .out = y_ },                               \
    { LARGE_CASE(#type_ ", one on the left"), .in = { a_(1), b_(LARGE) }, .out = y_ }

/* One quantized output. */
#define QUANTS(type_, scale_, zero_) { {TYPE_##type_, .scale = (scale_), .zero_point = (zero_)} }

/* FLOAT16 and BFLOAT16: ordinary numbers, and special ones. */
#define SHORT_CASES(name_, type_, opt_)                                                                                        \
    { name_, .opt = opt_, .in = { {TYPE_##type_, CASE_DIMS(3, 5, 7), .lo = -4, .hi = 4} } },                                   \
    { name_ ", specials", .opt = opt_, .in = { {TYPE_##type_, CASE_DIMS(67), .fill = FILL_SPECIAL} } }
#define F16_CASE(opt_) SHORT_CASES("float16", FLOAT16, opt_)
#define BF16_CASE(opt_) SHORT_CASES("bfloat16", BFLOAT16, opt_)
#define SHORT_PAIR(name_, type_, ...)                                                                                          \
    { name_, .in = { {TYPE_##type_, CASE_DIMS(3, 5, 7), .lo = -4, .hi = 4}, {TYPE_##type_, CASE_DIMS(7), .lo = -4, .hi = 4} }, \
      __VA_ARGS__ }
#define F16_PAIR(...) SHORT_PAIR("float16", FLOAT16, __VA_ARGS__)
#define BF16_PAIR(...) SHORT_PAIR("bfloat16", BFLOAT16, __VA_ARGS__)

/* Each value of an 8-bit type once. */
#define ALL_OF(type_, scale_, zero_)                                                                                           \
    {TYPE_##type_, CASE_DIMS(256), .fill = FILL_GIVEN, .data = all_bytes, .scale = (scale_), .zero_point = (zero_)}
extern const uint8_t all_bytes[256];

/* Shapes of two broadcast inputs. x_ and y_ make an input from its dimensions (F32, ...). */
#define BROADCAST_CASES(opt_, x_, y_)                                                                                          \
    { "same shape, odd sizes", .opt = opt_, .in = { x_(1, 5, 7, 3), y_(1, 5, 7, 3) } },                                        \
    { "one value per channel", .opt = opt_, .in = { x_(1, 3, 5, 6), y_(6) } },                                                 \
    { "channels on the left", .opt = opt_, .in = { x_(1, 1, 1, 5), y_(2, 3, 2, 5) } },                                         \
    { "one value per pixel", .opt = opt_, .in = { x_(1, 3, 5, 6), y_(1, 3, 5, 1) } },                                          \
    { "one-element vector", .opt = opt_, .in = { x_(2, 3, 7), y_(1) } },                                                       \
    { "both sides repeat", .opt = opt_, .in = { x_(3, 1, 4, 1), y_(1, 2, 1, 5) } },                                            \
    { "lower rank on the left", .opt = opt_, .in = { x_(3, 1), y_(2, 2, 3, 4) } },                                             \
    { "groups of channels, rank 5", .opt = opt_, .in = { x_(1, 3, 2, 4, 5), y_(1, 1, 1, 4, 1) } },                               \
    { "each axis but one, rank 6", .opt = opt_, .in = { x_(2, 3, 1, 2, 2, 5), y_(1, 1, 2, 1, 1, 1) } },                          \
    { "both repeat by turns, rank 6", .opt = opt_, .in = { x_(2, 1, 2, 1, 3, 2), y_(1, 3, 1, 2, 1, 2) } },                       \
    { "lower rank on the left, rank 6", .opt = opt_, .in = { x_(3, 5), y_(2, 2, 1, 2, 3, 5) } },                                 \
    { "empty", .opt = opt_, .in = { x_(2, 0, 3), y_(2, 0, 3) } },                                                              \
    { "mismatch", .opt = opt_, .in = { x_(2, 3), y_(2, 4) }, .fails = "broadcast" }
