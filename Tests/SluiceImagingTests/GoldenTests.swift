// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

/// Compares thumbnails with stored ones to detect every visible change.
///
/// `SLUICE_UPDATE_GOLDENS=1` stores the current thumbnails. For each difference, the old image, the new image and the
/// difference (amplified sixteen times) are written to `.build/goldens`.
@Suite("Goldens", .timeLimit(.minutes(10))) struct GoldenTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/Goldens")
    static let differences = folder.appending(path: "../../../../.build/goldens").standardized
    static let isUpdate = ProcessInfo.processInfo.environment["SLUICE_UPDATE_GOLDENS"] == "1"

    /// Codec versions differ by one or two steps.
    static let tolerance = 2

    @Test("Thumbnails equal the stored ones", arguments: Golden.all)
    func looks(golden: Golden) throws {
        let made = try golden.thumbnail()
        let file = Self.folder.appending(path: "\(golden.name).png")
        let stored = try? decode(Array(Data(contentsOf: file)))
        let distance = stored.map { made.distance(to: $0) } ?? 256
        if distance > Self.tolerance { try Self.show(golden.name, stored, made) }
        if Self.isUpdate, distance > 0 { try Data(ImageEncoder(.png).encode(made)).write(to: file) }
        #expect(Self.isUpdate || distance <= Self.tolerance, "differs by \(distance); see \(Self.differences.path)")
    }

    @Test("Each stored thumbnail belongs to a test case", .enabled(if: !isUpdate, "they are being stored"))
    func strays() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(Set(files) == Set(Golden.all.map { "\($0.name).png" }) && files.count == Golden.all.count)
    }

    private static func show(_ name: String, _ stored: Raster?, _ made: Raster) throws {
        try FileManager.default.createDirectory(at: differences, withIntermediateDirectories: true)
        func write(_ image: Raster, _ kind: String) throws {
            try Data(ImageEncoder(.png).encode(image)).write(to: differences.appending(path: "\(name).\(kind).png"))
        }
        try write(made, "is")
        guard let stored else { return }
        try write(stored, "was")
        guard stored.width == made.width, stored.height == made.height, stored.layout == made.layout else { return }
        var difference = made
        for (place, (old, new)) in zip(stored.bytes, made.bytes).enumerated() {
            difference.bytes[place] = UInt8(min(255, abs(Int(old) - Int(new)) * 16))
        }
        try write(difference.layout == .rgba ? difference.opaque : difference, "difference")
    }
}

/// Files of public test suites on which Pillow and Sluice disagree, with Sluice's reasons.
enum KnownDisagreements {
    /// Files that Pillow accepts and Sluice rejects.
    static let rejected: [String: ImagingError.Code] = Dictionary(
        uniqueKeysWithValues: missingEnd.map { ($0, .truncated) } + damaged.map { ($0, .corrupt) }
            + badChecksums.map { ($0, .corrupt) })

    /// The end marker is missing; Pillow stops after the last row, but such a file may be an incomplete download.
    static let missingEnd = [
        "image-rs-jpeg-decoder/5482a54657765056f1a94116a8dbffe7.jpg",
        "image-rs-jpeg-decoder/id_000182_src_000000_op_flip1_pos_503__cov.jpg",
        "image-rs-jpeg-decoder/id_000223_src_000000_op_flip2_pos_503__cov.jpg",
        "image-rs-jpeg-decoder/id_000227_src_000000_op_flip2_pos_503__cov.jpg",
        "image-rs-jpeg-decoder/id_000393_src_000000_op_int32_pos_500_val_-32768__cov.jpg",
        "image-rs-jpeg-decoder/id_001427_src_000319_op_havoc_rep_1.jpg",
        "image-rs-jpeg-decoder/id_001655_src_001333_op_flip2_pos_455.jpg",
        "pnggroup-libpng/huge_IDAT.png",
    ]

    /// A scan is missing, or libjpeg had to invent pixels and issued a warning, which Pillow ignores.
    static let damaged = [
        "google-wuffs/182.1-byte-change.jpg",
        "image-rs-jpeg-decoder/1cbb1bb37d62c44f67374cd451643dc4.jpg",
        "image-rs-jpeg-decoder/28c74d9284d9836017fd519f6932efd8.jpg",
        "image-rs-jpeg-decoder/7997b6b229f25315d33f5c7085e37500.jpg",
        "image-rs-jpeg-decoder/8e5e74dbf9b68a322fbb9512db837329.jpg",
        "image-rs-jpeg-decoder/b55977028a3a574336966b6536640fc9.jpg",
        "image-rs-jpeg-decoder/dc-predictor-overflow.jpg",
        "image-rs-jpeg-decoder/f6b4389c3cf0f5997b2e5a4b905aea8d.jpg",
        "image-rs-jpeg-decoder/id_000324_src_000000_op_arith16_pos_227_val_be_-16.jpg",
        "image-rs-jpeg-decoder/id_000989_sync_jpeg9_src_001094.jpg",
        "image-rs-jpeg-decoder/id_001792_src_000728_op_int32_pos_227_val_be__1000.jpg",
        "image-rs-jpeg-decoder/partial_progressive.jpg",
        "image-rs-jpeg-decoder/progressive-missing-dc.jpg",
        "image-rs-jpeg-decoder/subtract-with-overflow.jpg",
        "python-pillow-pillow/hopper_bad_exif.jpg",
    ]

    /// The checksum of the pixels is wrong, which Pillow ignores and pngtopnm does not.
    static let badChecksums = [
        "image-rs-image-png/x_interlaced_chck.png",
        "image-rs-image-png/xcsn0g01.png",
        "pnggroup-libpng/badcrc.png",
    ]

    /// Files that Pillow rejects because of an ancillary chunk that Sluice does not need; pngtopnm accepts them.
    static let accepted: Set = [
        "image-rs-image-png/cicp_pq.png",
        "image-rs-image-png/issue_430.png",
        "pnggroup-libpng/empty_ancillary_chunks.png",
        "python-pillow-pillow/chunk_no_fctl.png",
        "python-pillow-pillow/png_decompression_dos.png",
        "python-pillow-pillow/unknown_compression_method.png",
    ]
}
