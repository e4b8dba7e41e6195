// member[i]: the number of the threadgroup that thread i is in.
// place[i]: its place in that threadgroup, from 0.
// Ask for both with parameters of your own, as i is asked for here.

kernel void places(device uint *member [[buffer(0)]],
                   device uint *place  [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  member[i] = 0;
  place[i] = 0;
}
