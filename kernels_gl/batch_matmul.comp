// batch_matmul.comp - four neighbouring columns of the product of x and z, per batch; batches of one serve all.

void run(int b, int h, int w, int s)
{
    int xb = min(b, X_B - 1);
    int xh = min(h, X_H - 1);
    int zb = min(b, Z_B - 1);
    int zh = min(h, Z_H - 1);
    vec4 sum = vec4(0.0);

    for (int k = 0; k < DEPTH; k += 4) {
        int n = min(4, DEPTH - k);
        vec4 v = vec4(0.0);

#ifdef ADJ_X
        for (int i = 0; i < n; i++)
            v[i] = LOADC(x, xb, xh, k + i, w);
#else
        v = LOAD(x, xb, xh, w, k >> 2);
#endif
#ifdef ADJ_Z
        for (int i = 0; i < 4; i++)
            sum[i] += dot(v, LOAD(z, zb, zh, min(4 * s + i, Z_W - 1), k >> 2));
#else
        for (int i = 0; i < n; i++)
            sum += v[i] * LOAD(z, zb, zh, k + i, s);
#endif
    }
    STORE(y, b, h, w, s, sum);
}
