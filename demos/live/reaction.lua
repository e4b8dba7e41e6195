-- reaction.lua - eight small steps of time for each picture.
return {
  "reaction.metal",
  step = function(f)
    for _ = 1, 8 do
      f.run "react"
      f.swap("previous", "next")
    end
    f.run "show"
  end,
}
