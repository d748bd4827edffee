// SPDX-License-Identifier: Apache-2.0
// transform_landmarks.comp - points brought through a matrix; depth stays as it is.

void run(int b, int h, int w, int s)
{
#if FLAT // two points a vector
    vec4 two = LOAD(x, 0, 0, 0, w >> 1), v = (w & 1) != 0 ? two.zwxy : two;
#else
    vec4 v = LOAD(x, b, h, w, s);
#endif
    vec4 row0 = LOAD(m, 0, 0, 0, 0), row1 = LOAD(m, 0, 0, 1, 0);

    STORE(y, b, h, w, s, vec4(row0.x * v.x + row0.y * v.y + row0.w, row1.x * v.x + row1.y * v.y + row1.w, v.zw));
}
