# The formula for Homebrew, on macOS and Linux. A release needs its address in
# "url", and the checksum of that archive.
class Mettle < Formula
  desc "Console for learning and measuring Metal compute kernels"
  homepage "https://github.com/OWNER/mettle"
  url "https://github.com/OWNER/mettle/archive/refs/tags/v1.0.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"
  head "https://github.com/OWNER/mettle.git", branch: "main"

  depends_on "pkgconf" => :build
  depends_on "cjson"
  depends_on "giflib"
  depends_on "jpeg-turbo"
  depends_on "libpng"
  depends_on "libsixel"
  depends_on "libsodium"
  depends_on "llvm"
  depends_on "lua@5.4"
  depends_on "sdl2"
  depends_on "zeromq"

  on_macos do
    depends_on macos: :ventura
  end

  on_linux do
    depends_on "openblas"
  end

  # the line editor, a commit of its own (scripts/deps has the same)
  resource "linenoise.c" do
    url "https://raw.githubusercontent.com/antirez/linenoise/e26268de5e56bfaad773786471844578fe9f7f4b/linenoise.c"
    sha256 "ea4975a62a23affb7d4e2af9e05ed7ec7b672eff605b7662cfac7574fe1b4c04"
  end

  resource "linenoise.h" do
    url "https://raw.githubusercontent.com/antirez/linenoise/e26268de5e56bfaad773786471844578fe9f7f4b/linenoise.h"
    sha256 "603a4640b68122970acc4ffee69a82d4e1fc9b1e2c8c2c9ece957f5308ac7e74"
  end

  resource "metal-cpp" do
    on_macos do
      url "https://developer.apple.com/metal/cpp/files/metal-cpp_26.zip"
      sha256 "4df3c078b9aadcb516212e9cb03004cbc5ce9a3e9c068fa3144d021db585a3a4"
    end
  end

  def install
    %w[linenoise.c linenoise.h].each { |part| resource(part).stage(buildpath/"build/linenoise") }
    (buildpath/"build/linenoise/origin").write "upstream's commit e26268de"
    resource("metal-cpp").stage(buildpath/"build/metal-cpp") if OS.mac?
    system "make", "install", "PREFIX=#{prefix}"
  end

  test do
    (testpath/"square.metal").write <<~METAL
      kernel void square(device int *x, uint i [[thread_position_in_grid]]) {
        x[i] = i * i;
      }
    METAL
    system bin/"mettle", "compile", "square.metal"
    output = shell_output("#{bin}/mettle check square.metal --grid 100 --arg x=int[100]")
    assert_match "clean: square", output
  end
end
