#include <metal_stdlib>
using namespace metal;

// Prices of European call and put options by the formula of Black and Scholes:
// an exp, a log, a square root and a polynomial per option, and 20 bytes.

// The part of the normal distribution below x (Abramowitz and Stegun 26.2.17,
// good to 7.5e-8).
static float normal_below(float x) {
  float z = abs(x);
  float t = 1 / (1 + 0.2316419f * z);
  float p = ((((1.330274429f * t - 1.821255978f) * t + 1.781477937f) * t -
              0.356563782f) * t + 0.319381530f) * t;
  float above = 0.39894228f * exp(-0.5f * z * z) * p;
  return x < 0 ? above : 1 - above;
}

kernel void blackscholes(device const float *price  [[buffer(0)]],
                         device const float *strike [[buffer(1)]],
                         device const float *years  [[buffer(2)]],
                         device float       *call   [[buffer(3)]],
                         device float       *put    [[buffer(4)]],
                         constant float &rate       [[buffer(5)]],
                         constant float &volatility [[buffer(6)]],
                         constant uint  &n          [[buffer(7)]],
                         uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  float s = price[i], x = strike[i], y = years[i];
  float spread = volatility * sqrt(y);
  float d1 =
      (log(s / x) + (rate + 0.5f * volatility * volatility) * y) / spread;
  float d2 = d1 - spread;
  float later = x * exp(-rate * y);  // the strike, worth today
  call[i] = s * normal_below(d1) - later * normal_below(d2);
  put[i] = later * normal_below(-d2) - s * normal_below(-d1);
}
