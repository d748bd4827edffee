/* SPDX-License-Identifier: Apache-2.0 */
/* store_fuzz.c - any bytes are an entry or end in one message, with the hashes they have and with those that belong there; the
 * sections of an entry lie within it, and each of them is a plan that leads nowhere outside, or none. */
#include "lib/testing/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/store.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/plan/plan.h"

static volatile unsigned long sink;

/* What it binds, as a run would read it. */
static void read_plan(const struct gl_plan *p)
{
    const struct gl_plan_dispatch *d = gl_plan_array(p, GL_PLAN_DISPATCHES);
    const struct gl_plan_binding *b = gl_plan_array(p, GL_PLAN_BINDINGS);

    for (uint32_t i = 0; i < gl_plan_n(p, GL_PLAN_DISPATCHES); i++) {
        sink += strlen(gl_plan_string(p, d[i].kind)) + strlen(gl_plan_string(p, d[i].label)) +
                strlen(gl_plan_string(p, d[i].why_copy));
        for (uint32_t k = 0; k < d[i].n_bindings && k < 64; k++)
            sink += b[d[i].first_binding + k].bytes;
    }
    if (gl_plan_fits(p, &gl_limits_least, NULL) == ST_OK)
        sink += gl_plans_agree(&p, 1, &gl_limits_least);
}

static void read_all(const uint8_t *data, size_t bytes, const char *key)
{
    struct store_entry e;
    struct err err = {""};
    enum status st = store_parse(data, bytes, key, &e, &err);

    if ((st != ST_OK) != (*err.msg != '\0') || (st && e.n_sections))
        abort();
    for (uint32_t i = 0; i < e.n_sections; i++) {
        const uint8_t *p = e.sections[i].data;

        if (p < data || p > data + bytes || (p - data) % STORE_ALIGN || !store_find(&e, e.sections[i].kind))
            abort();
        for (size_t k = 0; k < e.sections[i].bytes; k++)
            sink += p[k];
        if (gl_plan_check(p, e.sections[i].bytes, NULL) == ST_OK)
            read_plan((const struct gl_plan *)p);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char key[SHA256_HEX_SIZE] = "";
    void *copy;

    if (posix_memalign(&copy, STORE_ALIGN, bytes + !bytes))
        return 0;
    memcpy(copy, data, bytes);
    read_all(copy, bytes, "no entry has this key of 64 characters: it is to be compared...");
    store_seal(copy, bytes, key);
    read_all(copy, bytes, key);
    free(copy);
    return 0;
}
