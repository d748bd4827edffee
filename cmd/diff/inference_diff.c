/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.c - how far a delegate, or the fast CPU kernels, are from the reference kernels on random inputs. */
#include "cmd/diff/inference_diff.h"

#include <string.h>

#include "cmd/host/say.h"

int main(int argc, char **argv)
{
    static struct comparison c;
    int code = comparison_begin(&c, argc, argv);

    if (!strcmp(c.flags.markdown, "-"))
        say_json_only();
    if (code == TOOL_GO_ON)
        code = comparison_main(&c);
    comparison_free(&c);
    return tool_end(&c.tool, code);
}
