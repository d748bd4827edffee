/* SPDX-License-Identifier: Apache-2.0 */
/* litert_log.c - see litert_log.h */
#include "lib/runtime/litert_log.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_log(void)
{
    struct stat s;
    char *text;
    ssize_t n;

    fflush(NULL);
    if (fstat(STDERR_FILENO, &s) || s.st_size > 1 << 22 || !(text = malloc((size_t)s.st_size + 1)))
        return NULL;
    n = pread(STDERR_FILENO, text, (size_t)s.st_size, 0);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

int32_t litert_number_before(const char *text, const char *words)
{
    const char *at = text ? strstr(text, words) : NULL;

    if (!at)
        return -1;
    while (at > text && at[-1] >= '0' && at[-1] <= '9')
        at--;
    return (int32_t)strtol(at, NULL, 10);
}

int32_t litert_log_selected(void)
{
    char *log = read_log();
    const char *selected = log ? strstr(log, " selected ") : NULL;
    const int32_t n = selected ? (int32_t)strtol(selected + strlen(" selected "), NULL, 10) : 0;

    free(log);
    return n;
}

int32_t litert_log_masked(void)
{
    char *log = read_log();
    int32_t n = log && strstr(log, "LITERT_GPU_DEBUG_EXCLUDE_NODES set to") ? 0 : -1;

    for (const char *at = log; n >= 0 && (at = strstr(at, "Excluding node ")); at++)
        n++;
    free(log);
    return n;
}

void litert_log_reason(char *text, size_t size)
{
    char *log = read_log(), *rest = log, *line, *last = NULL;
    const size_t n = strlen(text);

    while (rest && (line = strtok_r(rest, "\r\n", &rest)))
        if ((strstr(line, "WARNING") || strstr(line, "ERROR")) && !strstr(line, "Logging before InitGoogle"))
            last = line;
    if (last)
        snprintf(text + n, size - n, ": %s", last);
    free(log);
}

bool litert_log_dropped(char *out, size_t size)
{
    char *log = read_log(), *at = log ? strstr(log, "Failed to parse") : NULL;
    const bool dropped = at && strstr(at, "options");

    if (dropped)
        snprintf(out, size, "LiteRT drops the options: %.*s", (int)strcspn(at, "\r\n"), at);
    free(log);
    return dropped;
}

int32_t litert_count_files(const char *folder)
{
    DIR *d = opendir(folder);
    int32_t n = 0;

    for (const struct dirent *e; d && (e = readdir(d));)
        n += *e->d_name != '.';
    if (d)
        closedir(d);
    return n;
}
