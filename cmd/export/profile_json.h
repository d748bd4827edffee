/* SPDX-License-Identifier: Apache-2.0 */
/* profile_json.h - an op profile and phases as parts of a report (schema/json/report.schema.json). */
#ifndef DELEGAUGE_CMD_PROFILE_JSON_H
#define DELEGAUGE_CMD_PROFILE_JSON_H

#include "cmd/print/report.h"
#include "lib/measure/phases.h"

/* Put "profile" into `in`; null if the profile has no runs. Fails only with ST_NOMEM. */
enum status profile_put(struct report *r, struct json *in, const struct op_profile *p, struct err *err);

/* Put an object of the parts and their "total"; null if `p` has none. */
void profile_put_phases(struct report *r, struct json *in, const char *key, const struct phases *p);

/* Put "programs": the programs that the session's delegates made ready. */
void profile_put_programs(struct report *r, struct json *in, const struct session *s);

#endif
