return {
  about = "prices of European call and put options",
  sizes = { n = 1000000 },
  arguments = function(s, make)
    return { price = make.random(s.n, nil, 5, 30),
      strike = make.random(s.n, nil, 1, 100),
      years = make.random(s.n, nil, 0.25, 10), call = make.out("float", s.n),
      put = make.out("float", s.n),
      rate = 0.02, volatility = 0.3, n = s.n }
  end,
  outputs = { "call", "put" },
  launch = function(s) return { grid = s.n, group = 256 } end,
  cpu = "blackscholes",
  reference = function(s, arg, out, way)
    return cpu.blackscholes(arg.price, arg.strike, arg.years, out.call, out.put,
      { way = way, rate = arg.rate, volatility = arg.volatility })
  end,
  tolerance = 1e-4, -- differences of numbers up to 100
  bytes = function(s) return 20 * s.n end,
  operations = function(s) return 60 * s.n end, -- exp and log counted as five
  try = { { n = 1 }, { n = 2 }, { n = 3 }, { n = 255 }, { n = 10007 } },
}
