// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import TestSupport
import Testing

/// Runs with HEIC, TIFF and JPEG XL, which only sandboxed processes read.
@Suite("Restricted formats", .timeLimit(.minutes(10))) struct RestrictedFormatTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        let sample = URL(filePath: #filePath)
            .appending(path: "../../../SluiceImagingTests/Fixtures/Foreign/hevc-grid.heic").standardized
        try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("in/photo.heic"))
    }

    /// Runs a command over the photo; returns the exit code, and the failure or `done`.
    private func run(_ words: String...) throws -> (code: Int32, end: String?) {
        let arguments = words + ["in", "--out", "m", "--sizes", "32", "--json"]
        let result = try Binary.run(arguments, folder: folder.url)
        let ended = try RunEvent.all(in: result.out).first { $0.name == "item-ended" }
        return (result.code, ended?[text: "detail"] ?? ended?[text: "end"])
    }

    /// The formats whose libraries workers on this machine find.
    private static let readable: [ImageFormat] = {
        ImageFormat.loadLibraries(of: ImageFormat.loadable)
        return CodecCheck.runAll().filter { $0.missingPackage == nil }.map(\.format)
    }()
    private static let readsHEIC = readable.contains(.heic)
    private static let refusal = "HEIC needs a sandboxed process with libde265 (Debian package libde265-0)"

    @Test("mirror keeps HEIC and names the option, with which a sandboxed process reads it")
    func mirror() throws {
        let refused = try Binary.run(["mirror", "in", "--out", "m", "--sizes", "32"], folder: folder.url)
        let text = "unsupported: HEIC is read only if it is allowed with --allow-format heic"
        #expect(refused.code == 0 && refused.err.contains(text), "\(refused)")
        #expect(folder.names().contains("m/originals/00001-photo.heic"))
        let allowed = try run("mirror", "--allow-format", "heic")
        #expect(allowed.end == (Self.readsHEIC ? "done" : Self.refusal))
        let strict = try Binary.run(
            ["mirror", "in", "--out", "n", "--sizes", "32", "--only-decodable"], folder: folder.url)
        #expect(strict.code == 3 && strict.err.contains(text), "\(strict)")
        let explained = try Binary.run(["explain", "n"], folder: folder.url)
        #expect(explained.out.contains("--allow-format heic"), "\(explained)")
        guard Self.readsHEIC else { return }
        #expect(folder.names().contains("m/originals/00001-photo.heic"))
        #expect(try Binary.run(["verify", "m", "--deep"], folder: folder.url).code == 0)
    }

    @Test("thumbs reads HEIC in a sandboxed process, and never in its own")
    func thumbs() throws {
        #expect(try run("thumbs", "--no-isolate").end == Self.refusal)
        #expect(try run("thumbs").end == (Self.readsHEIC ? "done" : Self.refusal))
    }

    /// Puts a file of the foreign fixtures in place of the HEIC.
    private func replacePhoto(with name: String) throws {
        try FileManager.default.removeItem(atPath: folder.path("in/photo.heic"))
        let sample = URL(filePath: #filePath)
            .appending(path: "../../../SluiceImagingTests/Fixtures/Foreign/\(name)").standardized
        try FileManager.default.copyItem(atPath: sample.path, toPath: folder.path("in/photo.\(sample.pathExtension)"))
    }

    @Test("thumbs reads TIFF in a sandboxed process, and never in its own")
    func tiff() throws {
        try replacePhoto(with: "tiles.tiff")
        let refusal = "TIFF needs a sandboxed process with libtiff (Debian package libtiff6)"
        #expect(try run("thumbs", "--no-isolate").end == refusal)
        #expect(try run("thumbs").end == (Self.readable.contains(.tiff) ? "done" : refusal))
    }

    @Test("thumbs reads JPEG XL in a sandboxed process, and never in its own")
    func jpegXL() throws {
        try replacePhoto(with: "progressive.jxl")
        let refusal = "JPEG XL needs a sandboxed process with libjxl (Debian package libjxl0."
        #expect(try run("thumbs", "--no-isolate").end?.hasPrefix(refusal) == true)
        let end = try run("thumbs").end
        #expect(Self.readable.contains(.jxl) ? end == "done" : end?.hasPrefix(refusal) == true)
    }

    @Test("Only restricted formats can be allowed")
    func unknownFormat() throws {
        let refused = try Binary.run(["mirror", "in", "--out", "m", "--allow-format", "jpeg"], folder: folder.url)
        #expect(refused.code == 2 && refused.err.contains("heic"), "\(refused)")
    }
}
