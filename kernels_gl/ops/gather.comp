// SPDX-License-Identifier: Apache-2.0
// gather.comp - rows named by an index that is computed at run time. One that is out of range reads the nearest row.

void run(int b, int h, int w, int s)
{
    int i = clamp(LOAD(at, b, 0, w, 0).x, 0, X_W - 1);

    STORE(y, b, h, w, s, LOAD(x, b, h, i, s));
}
