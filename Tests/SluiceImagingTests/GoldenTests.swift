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
