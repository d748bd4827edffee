/* SPDX-License-Identifier: Apache-2.0 */
/* fused_activation.c - fused activations of the operators that compute them, float by float. */
#include <math.h>

#include "fused_activation.h"

void activation_apply(float *v, size_t n, enum activation act)
{
    for (size_t i = 0; i < n; i++)
        switch (act) {
        case ACT_RELU: v[i] = v[i] > 0 ? v[i] : 0; break;
        case ACT_RELU6: v[i] = v[i] > 0 ? v[i] > 6 ? 6 : v[i] : 0; break;
        case ACT_RELU_N1_TO_1: v[i] = v[i] > -1 ? v[i] > 1 ? 1 : v[i] : -1; break;
        case ACT_TANH: v[i] = tanhf(v[i]); break;
        case ACT_SIGN_BIT: v[i] = signbit(v[i]) ? 1 : 0; break;
        case ACT_SIGMOID: v[i] = 1.0f / (1.0f + expf(-v[i])); break;
        default: return;
        }
}
