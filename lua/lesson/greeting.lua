-- greeting.lua - a line of the console's greeting: where to begin or to
-- go on.
--
-- Apart from lua/lesson/lesson.lua, since it is all of the course that the
-- first prompt waits for.
local progress = require "lua.lesson.progress"

return function()
  local key = progress.get "at"
  if not key then
    return 'New here? Type lesson(1) and press Enter. '
      .. 'lessons() lists the course.\n'
      .. 'You know CUDA? lesson "from-cuda"; NumPy or PyTorch? '
        .. 'lesson "from-numpy".'
  end
  local course = require "lua.lesson.course"
  local l = course.of_key(key)
  return l and require "lua.text.units".wrap((
    "next() goes on with %s, %s; lessons() lists the course."):format(
      course.called(l), l.title), 78, "", "")
end
