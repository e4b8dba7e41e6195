"""For pytest -p plugin: METAL is Mettle before tinygrad's tests are read."""
import metal
metal.put()
