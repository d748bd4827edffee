/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_bundle.h - --list and --extract_model: the sections of a bundle, and one of its models as a file of its own. */
#pragma once

#include "cmd/coverage/op_coverage.h"

/* True if one of both flags was given. coverage_bundle then does all of the work, with its output. */
bool coverage_wants_bundle(const struct coverage_run *r);

/* List the sections of the bundle or model, with --extract_model write one, and with --json a document of its own. Returns the exit
 * status: of the first model that could not be opened, else 0. */
int coverage_bundle(struct coverage_run *r);
