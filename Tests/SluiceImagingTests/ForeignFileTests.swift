// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceImaging

/// Compares files of other programs with what independent decoders (Pillow, ImageMagick) make of them.
///
/// Beside each file, `Fixtures/Foreign` has its pixels as a PNG: the first frame, with alpha, as stored.
@Suite("Files of other programs", .timeLimit(.minutes(10))) struct ForeignFileTests {
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/Foreign")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { name in !name.hasSuffix(".png") && !missing.contains { name.hasSuffix(".\($0)") } }.sorted()

    /// The formats whose libraries are not on this machine, and whose files are left out.
    private static let missing = ImageFormat.restricted.filter { Codecs.codec(of: $0).loader?.load() != true }

    static func file(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: folder.appending(path: name))) }

    @Test("Each file decodes as in the other decoder, to 40 dB", arguments: names)
    func pixels(name: String) throws {
        let decoded = try decode(Self.file(name)).expanded(to: .rgba)
        let expected = try decode(Self.file("\(name).png")).expanded(to: .rgba)
        #expect(decoded.width == expected.width && decoded.height == expected.height)
        let ratio = decoded.signalToNoise(against: expected)
        #expect(ratio >= 40, "\(ratio) dB")
    }

    @Test("Every format that can be read but not written has such files")
    func coverage() throws {
        let formats = try Set(Self.names.compactMap { ImageFormat(sniffing: try Self.file($0)) })
        // The previews of raw photos are JPEGs.
        let others = Set(ImageFormat.encodable + ImageFormat.rawPhotos)
        for format in ImageFormat.decodable where !others.contains(format) && !Self.missing.contains(format) {
            #expect(formats.contains(format), "\(format)")
        }
    }

    @Test("Every proper prefix of a small file is truncated, decoded or only checked", arguments: smallNames)
    func truncation(name: String) throws {
        let file = try Self.file(name)
        var checkOnly = ThumbnailOptions.allowingAll
        checkOnly.sizes = []
        for count in 1..<file.count {
            let prefix = Array(file.prefix(count))
            #expect(failure(of: prefix, .allowingAll)?.code == .truncated, "\(count) of \(file.count) bytes")
            #expect(failure(of: prefix, checkOnly)?.code == .truncated, "\(count) of \(file.count) bytes, unread")
        }
    }

    @Test("A file that is cut in its second half can be salvaged", arguments: names)
    func salvage(name: String) throws {
        let file = try Self.file(name)
        var options = ThumbnailOptions.allowingAll
        options.salvages = true
        let cut = Array(file.prefix(file.count - 1))
        guard let result = try? Thumbnailer(options).thumbnails(of: cut) else { return }
        #expect(result.damage?.code == .truncated && result.thumbnails.count == 1)
    }

    private static let smallNames = names.filter { ((try? file($0))?.count ?? .max) < 800 }
}

extension Raster {
    /// Returns the ratio of the peak signal to the noise in dB; alpha weighs colours, because invisible ones differ.
    func signalToNoise(against other: Raster) -> Double {
        guard width == other.width, height == other.height, layout == .rgba, other.layout == .rgba else { return 0 }
        var sum = 0.0
        for pixel in stride(from: 0, to: bytes.count, by: 4) {
            let (alpha, otherAlpha) = (Double(bytes[pixel + 3]), Double(other.bytes[pixel + 3]))
            for channel in 0..<3 {
                let difference =
                    Double(bytes[pixel + channel]) * alpha - Double(other.bytes[pixel + channel]) * otherAlpha
                sum += difference * difference / (255 * 255)
            }
            sum += (alpha - otherAlpha) * (alpha - otherAlpha)
        }
        return sum == 0 ? .infinity : 10 * log10(255 * 255 * Double(bytes.count) / sum)
    }
}
