/* SPDX-License-Identifier: Apache-2.0 */
/* int64.h - tensors of 64-bit elements as two values of 32 bits: no element is cut, whatever it holds.
 *
 * ir.by_tensor has the low words, ir.high the high ones; NULL there: all elements are within 32 bits, and the high word is the sign
 * of the low one. What crosses the border of a partition is one value with two words for each element along the last axis, as the
 * host has them; an INT64 output within 32 bits crosses as such and is widened on its way.
 *
 * Nodes that put elements elsewhere are lowered twice, once for the words of each kind; those that compute have functions of their
 * own. Indices are clamped to 32 bits, so that what names no place names none then, too. UINT64, FLOAT64 and COMPLEX64 (whose
 * words are its two floats) are bits to what moves them, CAST and BITCAST; few others take them (kernels_gl/int64/int64_compute.c),
 * and both words are always kept.
 */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Whether it reads or makes elements of 64 bits at run time by these functions. Its kernel's types say nothing of these then, and
 * where *computes, its kernel is not asked at all but gl_int64_fit. */
bool gl_int64_takes(const struct node *n, bool *computes);

/* It puts elements elsewhere, whatever their bits stand for. */
bool gl_int64_move(const struct node *n);

/* gl_kernel.accept of one that computes. */
bool gl_int64_fit(const struct gl_limits *lim, const struct node *n, struct reason *why);

/* Around the lowering of a partition's nodes, behind what begins and before what ends quantized ones. Fail only with ST_NOMEM. */
enum status gl_int64_begin(struct ir *ir, struct err *err);
enum status gl_int64_end(struct ir *ir, struct err *err);

/* Lowers a node that gl_int64_takes, whose kernel is k. */
enum status gl_int64_lower(struct ir *ir, const struct node *n, const struct gl_kernel *k, struct err *err);
