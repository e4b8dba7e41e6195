return {
  about = "one time step of bodies that attract each other",
  sizes = { n = 4096 },
  arguments = function(s, make)
    local bodies = make.random("float4", s.n)
    local mass = bodies:as "float"
    -- some that weigh more
    for i = 0, math.min(s.n, 100) - 1 do mass[4 * i + 3] = 0.5 + i % 7 / 7 end
    return { bodies = bodies, velocities = make.random("float4", s.n),
      bodies2 = make.out("float4", s.n),
      velocities2 = make.out("float4", s.n), n = s.n, dt = 0.01,
      softening = 0.1 }
  end,
  outputs = { "bodies2", "velocities2" },
  launch = function(s) return { groups = (s.n + 255) // 256, group = 256 } end,
  fixed_group = true,
  cpu = "nbody",
  reference = function(s, arg, out, way)
    return cpu.nbody(arg.bodies, arg.velocities, out.bodies2, out.velocities2,
      { way = way, dt = arg.dt, softening = arg.softening })
  end,
  tolerance = 1e-5, -- of rsqrt
  additions = function(s) return s.n end,
  -- a velocity, and n pulls with dt
  scale = function(s) return 0.6 + 0.01 * math.sqrt(s.n) end,
  bytes = function(s) return 64 * s.n end,
  operations = function(s) return 20 * s.n * s.n end,
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 255 }, { n = 257 },
    { n = 777 } },
}
