// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceImaging
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

/// A scene of many discs of several sizes on a gradient, for tests of copies.
struct TestScene {
    let seed: Int

    /// The brightness at a place from 0 to 1.
    func light(_ x: Double, _ y: Double) -> Double {
        var light = 60 + 60 * x + 30 * y
        for disc in 0..<60 {
            func noise(_ part: Int) -> Double {
                let mixed = UInt64(seed * 1000 + disc * 10 + part) &* 0x9E37_79B9_7F4A_7C15
                return Double(((mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9) >> 40 & 0xFFFF) / 65536
            }
            let radius = 0.015 + 0.09 * noise(2) * noise(2)
            let (dx, dy) = (x - noise(0), y - noise(1))
            if dx * dx + dy * dy < radius * radius { light = 255 * noise(3) }
        }
        return light
    }

    /// Writes a picture; `place` tells which place of the scene each place shows.
    func write(
        _ path: String, _ width: Int, _ height: Int, _ format: ImageFormat = .jpeg, quality: Int = 90,
        _ place: (Double, Double) -> (Double, Double) = { ($0, $1) }
    ) throws {
        var pixels: [UInt8] = []
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = place((Double(column) + 0.5) / Double(width), (Double(row) + 0.5) / Double(height))
                let value = UInt8(light(x, y))
                pixels += [value, value, value, 255]
            }
        }
        var encoder = ImageEncoder(format)
        encoder.quality = quality
        try Data(encoder.encode(pixels, width: width, height: height)).write(to: URL(filePath: path))
    }
}

extension MirrorOptions {
    /// Options for two pages of small pictures.
    static func small(_ change: (inout MirrorOptions) -> Void = { _ in }) -> MirrorOptions {
        var options = MirrorOptions()
        options.pages = 2
        options.perPage = 6
        options.variant = "thumb"
        options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)]
        change(&options)
        return options
    }

    /// Options for photos on a port of this machine, without thumbnails.
    static func loopback(_ port: UInt16, _ change: (inout MirrorOptions) -> Void = { _ in }) -> MirrorOptions {
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(port)]
        change(&options)
        return options
    }
}

/// Serves photos once the gate opens, and never those below /late.
struct HeldPhotos: OriginService {
    let gate = OriginGate()
    let never = OriginGate()

    func reply(to request: OriginRequest) -> OriginReply {
        var reply = OriginReply(type: "image/png", onePixel)
        reply.gate = request.path.hasPrefix("/late") ? never : gate
        return reply
    }
}

/// A PNG of one colour.
func png(_ shade: UInt8 = 0x80, side: Int = 8) -> [UInt8] {
    let pixels = (0..<4 * side * side).map { $0 % 4 == 3 ? 255 : shade }
    return (try? ImageEncoder(.png).encode(pixels, width: side, height: side)) ?? []
}

/// A picture of 96 x 64 pixels with a gradient.
func gradient(shade: Int, _ format: ImageFormat = .jpeg) throws -> [UInt8] {
    var pixels: [UInt8] = []
    for index in 0..<96 * 64 { pixels += [UInt8(index % 96), UInt8(index / 96), UInt8(shade), 255] }
    return try ImageEncoder(format).encode(pixels, width: 96, height: 64)
}

/// A suite whose runs mirror photos of a server on this machine into a folder.
protocol MirrorSuite {
    var folder: TemporaryFolder { get }
    var origin: OriginServer { get }
    /// Changes the options with which all runs of the suite begin: no thumbnails, and access to the server.
    func prepare(_ options: inout MirrorOptions)
}

extension MirrorSuite {
    func prepare(_ options: inout MirrorOptions) {}

    var out: String { folder.path("out") }

    func options(_ change: (inout MirrorOptions) -> Void = { _ in }) -> MirrorOptions {
        .loopback(origin.port) {
            prepare(&$0)
            change(&$0)
        }
    }

    /// The URL of a path on the server.
    func address(_ path: some CustomStringConvertible) -> String { "\(origin.address)/\(path)" }

    /// Writes a list of photos on the server.
    func list(_ paths: some Sequence<some CustomStringConvertible>, as name: String = "list.txt") throws {
        try folder.write(paths.map { "\(address($0))\n" }.joined(), to: name)
    }

    /// A mirror of sources in the folder.
    func mirror(_ names: String..., change: (inout MirrorOptions) -> Void = { _ in }) -> PhotoMirror {
        PhotoMirror(
            of: (names.isEmpty ? ["list.txt"] : names).map { folder.path($0) }, into: out, options: options(change))
    }

    @discardableResult func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws -> Summary {
        try await mirror(change: change).run()
    }

    func manifest() throws -> [JSON] { try folder.manifest() }

    /// The faults that a verification finds.
    func faults(isDeep: Bool = false, _ items: [Int]? = nil) async throws -> [FileFault] {
        let faults = Locked<[FileFault]>([])
        _ = try await Verification(of: out, isDeep: isDeep, items: items).run { fault in
            faults.withLock { $0.append(fault) }
        }
        return faults.withLock { $0 }
    }
}

extension TemporaryFolder {
    /// The lines of a mirror's manifest.
    func manifest(of mirror: String = "out") throws -> [JSON] {
        try bytes(of: "\(mirror)/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map {
            try JSON(parsing: Array($0))
        }
    }
}

extension SingleRun {
    /// Performs a dry run; returns its summary and the manifest lines of the photos that it lists.
    func rehearsed() async throws -> (summary: Summary, lines: [JSON]) {
        let found = Locked<[JSON]>([])
        let summary = try await dryRun { work in
            if let line = work.manifestLine.flatMap({ try? JSON(parsing: $0) }) { found.withLock { $0.append(line) } }
            return true
        }
        return (summary, found.withLock(\.self))
    }
}
