/* SPDX-License-Identifier: Apache-2.0 */
/* profile_json.h - an op profile and phases as parts of a report (schema/json/report.schema.json). */
#ifndef DELEGAUGE_CMD_PROFILE_JSON_H
#define DELEGAUGE_CMD_PROFILE_JSON_H

#include "cmd/print/report.h"
#include "lib/measure/phases.h"

/* "profile" of `in`; null where the profile has no runs. Fails only with ST_NOMEM. */
enum status profile_put(struct report *r, struct json *in, const struct op_profile *p, struct err *err);

/* An object of the parts and their "total"; null where `p` has none. */
void profile_put_phases(struct report *r, struct json *in, const char *key, const struct phases *p);

/* "programs": those that the session's delegates made ready. */
void profile_put_programs(struct report *r, struct json *in, const struct session *s);

#endif
