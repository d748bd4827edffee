/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c - names and option kinds of builtin operators. */
#include "schema/schema.h"

#include <stddef.h>

static const struct {
    const char *name;
    enum options_kind options;
} builtins[BUILTIN_COUNT] = {
#define BUILTIN(code, name, options) [code] = {#name, OPTIONS_##options},
#include "schema/builtin.def"
#undef BUILTIN
};

const char *builtin_name(int32_t code)
{
    return code >= 0 && code < BUILTIN_COUNT ? builtins[code].name : NULL;
}

enum options_kind builtin_options(int32_t code)
{
    return code >= 0 && code < BUILTIN_COUNT ? builtins[code].options : OPTIONS_NONE;
}
