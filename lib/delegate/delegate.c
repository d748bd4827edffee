/* SPDX-License-Identifier: Apache-2.0 */
/* delegate.c - the registry of delegates, and their vocabulary. */
#include "lib/delegate/delegate.h"

#include <assert.h>
#include <string.h>

#define DELEGATE(name) extern const struct delegate_type delegate_##name;
#include "lib/delegate/delegates.def"
#undef DELEGATE

#define DELEGATE(name) &delegate_##name,
const struct delegate_type *const delegate_types[] = {
#include "lib/delegate/delegates.def"
    NULL};
#undef DELEGATE

static const char *const reason_names[REASON_COUNT] = {
    [REASON_NONE] = "NONE",
    [REASON_UNSUPPORTED_OPERATOR] = "UNSUPPORTED_OPERATOR",
    [REASON_UNSUPPORTED_OPERATOR_VERSION] = "UNSUPPORTED_OPERATOR_VERSION",
    [REASON_UNSUPPORTED_INPUT_TYPE] = "UNSUPPORTED_INPUT_TYPE",
    [REASON_UNSUPPORTED_OUTPUT_TYPE] = "UNSUPPORTED_OUTPUT_TYPE",
    [REASON_UNSUPPORTED_OPERAND_RANK] = "UNSUPPORTED_OPERAND_RANK",
    [REASON_UNSUPPORTED_OPERAND_SIZE] = "UNSUPPORTED_OPERAND_SIZE",
    [REASON_UNSUPPORTED_OPERAND_VALUE] = "UNSUPPORTED_OPERAND_VALUE",
    [REASON_UNSUPPORTED_OPERATOR_VARIANT] = "UNSUPPORTED_OPERATOR_VARIANT",
    [REASON_UNSUPPORTED_QUANTIZATION] = "UNSUPPORTED_QUANTIZATION_PARAMETERS",
    [REASON_MISSING_REQUIRED_OPERAND] = "MISSING_REQUIRED_OPERAND",
    [REASON_DYNAMIC_SHAPE] = "DYNAMIC_SHAPE",
    [REASON_DEVICE_LIMIT] = "DEVICE_LIMIT",
    [REASON_DRIVER] = "DRIVER",
    [REASON_PARTITION_TOO_SMALL] = "PARTITION_TOO_SMALL",
    [REASON_PARTITION_LIMIT] = "PARTITION_LIMIT",
    [REASON_INVALID_MODEL] = "INVALID_MODEL",
    [REASON_REFUSED_BY_CPU] = "REFUSED_BY_CPU",
};

const char *reason_name(enum reason_code code)
{
    return (unsigned)code < REASON_COUNT ? reason_names[code] : "?";
}

bool reason_set(struct reason *r, enum reason_code code, const char *fmt, ...)
{
    va_list ap;

    r->code = code;
    va_start(ap, fmt);
    vsnprintf(r->text, sizeof r->text, fmt, ap);
    va_end(ap);
    return false;
}

const struct delegate_fact *fact_find(const struct delegate_facts *f, const char *name)
{
    for (size_t i = 0; i < f->n; i++)
        if (!strcmp(f->list[i].name, name))
            return &f->list[i];
    return NULL;
}

uint64_t fact_value(const struct delegate_facts *f, const char *name)
{
    const struct delegate_fact *fact = fact_find(f, name);

    return fact ? fact->value : 0;
}

void facts_add(struct delegate_facts *to, const struct delegate_fact *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct delegate_fact *old = (struct delegate_fact *)fact_find(to, list[i].name);

        if (!old) {
            assert(to->n < sizeof to->list / sizeof *to->list);
            to->list[to->n++] = list[i];
            continue;
        }
        old->value = !old->longest ? old->value + list[i].value : list[i].value > old->value ? list[i].value : old->value;
        old->detail = old->detail ? old->detail : list[i].detail;
    }
}

void facts_add_tensors(struct delegate_facts *to, uint64_t bytes)
{
    FACTS(to, {"memory.tensors", "bytes", bytes}, {"memory.lower_bound", "bytes", bytes}, {"memory.unshared", "bytes", bytes});
}

const struct delegate_type *delegate_find(const char *name)
{
    for (const struct delegate_type *const *t = delegate_types; *t; t++)
        if (!strcmp((*t)->name, name))
            return *t;
    return NULL;
}

size_t delegate_dense_bytes(const struct tensor *t)
{
    return (t->bytes + 3) / 4 * 4;
}

static void say(const struct delegate *d, void (*to)(void *arg, const char *text), const char *fmt, va_list ap)
{
    char text[1024];

    if (!to)
        return;
    vsnprintf(text, sizeof text, fmt, ap);
    to(d->warn_arg, text);
}

void delegate_warn(struct delegate *d, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(d, d->warn, fmt, ap);
    va_end(ap);
}

void delegate_tell(struct delegate *d, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    say(d, d->tell, fmt, ap);
    va_end(ap);
}

bool delegate_stopped(const struct delegate *d)
{
    return d->stopped && d->stopped(d->warn_arg);
}

void delegate_close(struct delegate *d)
{
    if (d)
        d->ops->close(d);
}
