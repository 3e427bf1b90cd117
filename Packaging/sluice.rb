# SPDX-License-Identifier: MIT
# Homebrew formula. Scripts/package fills in the version, the address and the checksum of the source archive.
class Sluice < Formula
  desc "Bulk downloader of photo collections with thumbnails and offline gallery"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "pkg-config" => :build
  depends_on xcode: ["26.0", :build] if OS.mac?
  depends_on "brotli"
  depends_on "curl"
  depends_on "jpeg-turbo"
  depends_on "libavif"
  depends_on "libmicrohttpd"
  depends_on "libpng"
  depends_on "libpsl"
  depends_on "libtiff"
  depends_on "libxml2"
  depends_on "little-cms2"
  depends_on "openssl@3"
  depends_on "sqlite"
  depends_on "webp"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "swift", "build", "--disable-sandbox", "--configuration", "release", "--product", "sluice"
    bin.install ".build/release/sluice"
    generate_completions_from_executable(bin/"sluice", "completions")
    (man1/"sluice.1").write Utils.safe_popen_read(bin/"sluice", "manual")
    doc.install "README.md", "CHANGELOG.md", "Documentation"
  end

  test do
    system bin/"sluice", "mirror", "demo", "--pages", "1", "--per-page", "3", "--out", "photos"
    assert_equal 3, (testpath/"photos/manifest.jsonl").readlines.length
  end
end
