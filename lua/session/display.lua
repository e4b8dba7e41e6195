-- display.lua - where things that are more than text are shown.
--
-- display.notebook is nil at a terminal; in a Jupyter notebook it is
-- lua/notebook/notebook.lua, and pictures, progress and frames go there.
return { notebook = nil }
