// SPDX-License-Identifier: Apache-2.0
// reverse_sequence.comp - the first elements of each sequence, as many as `lengths` says, in reverse order. ALONG_H: sequences lie
// along H, and those of one length every SEQUENCES-th column; else along W, and each length is that of MIDDLE rows.

int turned(int at, int length)
{
    return at < length ? length - 1 - at : at;
}

void run(int b, int h, int w, int s)
{
#if ALONG_H
    int length = min(LOAD(lengths, 0, 0, w % SEQUENCES, 0).x, X_H);

    STORE(y, b, h, w, s, LOAD(x, b, turned(h, length), w, s));
#else
    int length = min(LOAD(lengths, 0, 0, h / MIDDLE, 0).x, X_W);

    STORE(y, b, h, w, s, LOAD(x, b, h, turned(w, length), s));
#endif
}
