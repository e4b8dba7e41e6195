// life.metal - Conway's game of life; the left button sets cells free
//
// A living cell is 255. A dead one remembers for a while that it lived, which
// only the picture shows.
#include <metal_stdlib>
using namespace metal;

constant uchar alive = 255;

static uint hash(uint x) {
  x = (x ^ 61u) ^ (x >> 16);
  x *= 9u;
  x ^= x >> 4;
  x *= 0x27d4eb2du;
  return x ^ (x >> 15);
}

kernel void seed(device uchar *next [[buffer(0)]],
                 constant uint2 &size [[buffer(1)]],
                 uint2 at [[thread_position_in_grid]]) {
  uint i = at.y * size.x + at.x;
  next[i] = hash(i) % 4u == 0u ? alive : uchar(0);
}

kernel void life(device const uchar *previous [[buffer(0)]],
                 device uchar *next [[buffer(1)]],
                 texture2d<float, access::write> picture [[texture(0)]],
                 constant uint2 &size [[buffer(2)]],
                 constant float4 &mouse [[buffer(3)]],
                 constant uint &frame [[buffer(4)]],
                 uint2 at [[thread_position_in_grid]]) {
  // the edges meet: the world is a torus
  uint left = at.x == 0 ? size.x - 1 : at.x - 1;
  uint right = at.x + 1 == size.x ? 0 : at.x + 1;
  uint up = (at.y == 0 ? size.y - 1 : at.y - 1) * size.x;
  uint down = (at.y + 1 == size.y ? 0 : at.y + 1) * size.x;
  uint here = at.y * size.x;
  uint neighbours = 0;
  neighbours += previous[up + left] == alive;
  neighbours += previous[up + at.x] == alive;
  neighbours += previous[up + right] == alive;
  neighbours += previous[here + left] == alive;
  neighbours += previous[here + right] == alive;
  neighbours += previous[down + left] == alive;
  neighbours += previous[down + at.x] == alive;
  neighbours += previous[down + right] == alive;
  uchar old = previous[here + at.x];
  bool lives = neighbours == 3 || (neighbours == 2 && old == alive);
  bool drawn = mouse.z > 0.0f && distance(float2(at), mouse.xy) < 6.0f;
  if (drawn && hash(frame * 7919u + here + at.x) % 3u == 0u) lives = true;
  uchar memory = old == alive ? uchar(200) : uchar(old - old / 16 - (old > 0));
  uchar now = lives ? alive : memory;
  next[here + at.x] = now;
  float faded = float(now) / 255.0f;
  float3 colour = lives ? float3(1.0f, 0.95f, 0.8f)
                        : faded * float3(0.1f, 0.35f, 0.75f);
  picture.write(float4(colour, 1.0f), at);
}
