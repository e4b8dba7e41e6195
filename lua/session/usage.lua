-- usage.lua - a subcommand's words that cannot be carried out.
--
--   local fail = require "lua.session.usage"
--   fail("%s needs a value after it", word)
--
-- Raises the sentence; the exit status is 2, as of every command line that is
-- wrong, and not 1, which is a judge's "wrong".
return function(format, ...)
  if type(arg) == "table" then arg.status = 2 end
  error(format:format(...), 0)
end
