// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// A decode worker that a photo took over returns other thumbnails for later photos, and their receipts fit them.
@Suite("Comparison of thumbnails", .serialized, .timeLimit(.minutes(10))) struct ThumbnailComparisonTests {
    /// Serves a different picture under each path.
    private final class Service: OriginService {
        func reply(to request: OriginRequest) -> OriginReply {
            let seed = Int(request.path.utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFF)
            return OriginReply(type: "image/png", (try? ThumbnailComparisonTests.picture(seed)) ?? [])
        }
    }

    /// Makes a picture with areas of several colours and some noise.
    private static func picture(
        _ seed: Int, width: Int = 160, height: Int = 120, as format: ImageFormat = .png, quality: Int = 90,
        altered: Bool = false
    ) throws -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let (column, row) = (x * 8 / width, y * 6 / height)
                let noise = (x * 7919 + y * 104_729) % 13
                for channel in 1...3 {
                    pixels.append(UInt8((column * 29 * channel + row * 37 + seed * (4 - channel) + noise) % 240))
                }
                pixels.append(255)
                // A part of an eighth by a sixth of the picture.
                if altered, column == 2, row == 3 { pixels[pixels.count - 3] ^= 0x80 }
            }
        }
        var encoder = ImageEncoder(format)
        encoder.quality = quality
        return try encoder.encode(pixels, width: width, height: height)
    }

    private let folder = TemporaryFolder()
    private var options: MirrorOptions
    private let origin: OriginServer

    init() throws {
        origin = try OriginServer(Service())
        options = .loopback(origin.port) {
            $0.thumbnails.sizes = [64, 32].map { ThumbnailSize(width: $0, height: $0) }
        }
    }

    private func mirror(_ count: Int) async throws {
        let list = (0..<count).map { "http://127.0.0.1:\(origin.port)/\($0).png" }.joined(separator: "\n")
        try folder.write(list, to: "list.txt")
        let run = PhotoMirror(of: folder.path("list.txt"), into: folder.path("out"), options: options)
        #expect(try await run.run().done == count)
    }

    /// Replaces a thumbnail of 64 pixels and the facts in its receipt, as a worker's false reply would.
    private func falsify(_ position: Int, with bytes: [UInt8]) throws -> String {
        let ledger = try Ledger(in: Folder(folder.path("out")))
        defer { ledger.close() }
        let entry = try #require(try ledger.entries(after: position - 1, limit: 1).first)
        var receipt = try #require(entry.receipt)
        let index = try #require(receipt.thumbs.firstIndex { $0.size == "64" })
        let path = receipt.thumbs[index].file.path
        receipt.thumbs[index].file = StoredFile(path: path, bytes: bytes.count, sha256: SHA256.digest(of: bytes))
        try folder.write(bytes, to: "out/\(path)")
        try ledger.record(receipt, for: entry.item)
        return path
    }

    private func verify(
        share: Double = 1, of options: [ThumbnailOptions]? = nil
    ) async throws -> (VerificationReport, [FileFault]) {
        var sample = ThumbnailSample(of: options ?? [self.options.thumbnails])
        sample.share = share
        var faults: [FileFault] = []
        let report = try await Verification(of: folder.path("out"), isDeep: true, comparing: sample).run {
            faults.append($0)
        }
        return (report, faults)
    }

    @Test("A thumbnail that shows something else is found although its receipt fits it, and a repair makes it again")
    func falsified() async throws {
        try await mirror(4)
        #expect(try await verify().1 == [])
        let other = try falsify(2, with: Self.picture(200, width: 64, height: 48, as: .jpeg))
        let narrow = try falsify(3, with: Self.picture(200, width: 64, height: 40, as: .jpeg))
        // Without the comparison, the mirror is sound.
        #expect(try await Verification(of: folder.path("out"), isDeep: true).run { _ in }.isSound)
        let (report, faults) = try await verify()
        #expect(
            faults == [
                FileFault(.different, other, of: 2, "it does not show its photo"),
                FileFault(.different, narrow, of: 3, "64x40, its photo gives 64x48"),
            ])
        #expect(report.compared == 4 && report.incomparable == 0 && !report.isSound)
        let broken = try #require(report.broken.values.first)
        #expect(broken.items == [2, 3])
        let repair = PhotoMirror(
            of: folder.path("list.txt"), into: folder.path("out"), options: options, repairing: broken)
        #expect(try await repair.run().done == 2)
        let after = try await verify()
        #expect(after.0.isSound && after.0.compared == 4, "\(after.1)")
    }

    /// Makes a thumbnail of a picture with other options, as another version of a codec writes other bytes.
    private func thumbnail(of bytes: [UInt8], as format: ImageFormat = .jpeg, quality: Int = 80) throws -> [UInt8] {
        var other = ThumbnailOptions()
        other.sizes = [ThumbnailSize(width: 64, height: 64)]
        (other.format, other.quality, other.kernel) = (.fixed(format), quality, .mitchell)
        return try #require(Thumbnailer(other).thumbnails(of: bytes).thumbnails.first?.bytes)
    }

    @Test("A part with another colour is found")
    func altered() async throws {
        try await mirror(1)
        let seed = Int("/0.png".utf8.reduce(0) { $0 &* 31 &+ Int($1) } & 0xFF)
        _ = try falsify(1, with: thumbnail(of: Self.picture(seed)))
        #expect(try await verify().1 == [])
        let path = try falsify(1, with: thumbnail(of: Self.picture(seed, altered: true)))
        #expect(try await verify().1.map(\.path) == [path])
    }

    @Test("The same thumbnail in other bytes is no fault", arguments: [ImageFormat.jpeg, .webp], [50, 95])
    func otherBytes(format: ImageFormat, quality: Int) async throws {
        try await mirror(1)
        let path = try #require(folder.names().first { $0.hasPrefix("out/thumbs/64/") })
        let stored = try folder.bytes(of: path)
        let original = try #require(folder.names().first { $0.hasPrefix("out/originals/") })
        let bytes = try thumbnail(of: folder.bytes(of: original), as: format, quality: quality)
        try #require(bytes != stored)
        _ = try falsify(1, with: bytes)
        let (report, faults) = try await verify()
        #expect(faults == [] && report.compared == 1)
    }

    @Test("Thumbnails of other options than the known ones are counted, and not compared")
    func otherOptions() async throws {
        try await mirror(1)
        _ = try falsify(1, with: Self.picture(200, width: 64, height: 48, as: .jpeg))
        var other = options.thumbnails
        other.quality = 31
        for known in [[], [other]] {
            let (report, faults) = try await verify(of: known)
            #expect(faults == [] && report.isSound && report.compared == 0 && report.incomparable == 1)
        }
        #expect(try await verify(of: [other, options.thumbnails]).1.map(\.kind) == [.different])
    }

    @Test(
        "A sample has the first photos of each host, the same ones each time, and about the wanted share of the others")
    func sample() {
        func entry(_ number: Int) -> LedgerEntry {
            var receipt = Receipt(.done)
            receipt.url = "https://h\(number % 2).example/\(number)"
            let file = StoredFile(path: "a", bytes: 1, sha256: "")
            receipt.original = file
            receipt.thumbs = [Thumb(size: "64", width: 1, height: 1, format: "jpeg", file: file)]
            return LedgerEntry(
                item: Item(seq: number, feed: "list", page: 1, photo: Photo(id: "\(number)", variants: [])),
                receipt: receipt)
        }
        func taken(_ share: Double) -> [Int] {
            var sample = ThumbnailSample(of: [])
            sample.share = share
            var sampler = ThumbnailSampler(sample)
            return (1...10_000).filter { sampler.takes(entry($0)) }
        }
        #expect(taken(0) == [] && taken(1).count == 10_000)
        let some = taken(0.01)
        #expect(some == taken(0.01) && Array(some.prefix(6)) == Array(1...6) && (70...140).contains(some.count))
        var sampler = ThumbnailSampler(ThumbnailSample(of: []))
        var failed = entry(1)
        failed.receipt?.state = .failed
        let isTaken = sampler.takes(failed)
        #expect(!isTaken)
    }
}
