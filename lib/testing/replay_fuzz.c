/* SPDX-License-Identifier: Apache-2.0 */
/* replay_fuzz.c - main of a fuzz target built without libFuzzer: processes the given files one by one. */
#include <stdio.h>
#include <stdlib.h>

#include "lib/testing/fuzz.h"

static int replay(const char *path)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    long bytes;
    int ok = 0;

    if (f && !fseek(f, 0, SEEK_END) && (bytes = ftell(f)) >= 0 && !fseek(f, 0, SEEK_SET) &&
        (data = malloc((size_t)bytes + !bytes)) && fread(data, 1, (size_t)bytes, f) == (size_t)bytes) {
        LLVMFuzzerTestOneInput(data, (size_t)bytes);
        ok = 1;
    }
    if (!ok)
        fprintf(stderr, "%s: cannot be read\n", path);
    if (f)
        fclose(f);
    free(data);
    return ok ? 0 : 2;
}

int main(int argc, char **argv)
{
    int rc = 0;

    for (int i = 1; i < argc; i++)
        rc |= replay(argv[i]);
    return rc;
}
