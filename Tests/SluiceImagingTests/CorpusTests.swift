// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceImaging

/// Thousands of valid, unusual and damaged files from public test suites, with the results of two other decoders.
@Suite("Corpus", .enabled(if: SharedData.isThere, "the shared images are not available"), .timeLimit(.minutes(10)))
struct CorpusTests {
    struct Entry {
        let name: String
        let format: String
        let bytes: Int
        let pillow: String
        let tools: String
        let file: URL
    }

    static func entries() throws -> [Entry] {
        let images = try #require(SharedData.folder).appending(path: "images")
        let index = try String(contentsOf: images.appending(path: "index.tsv"), encoding: .utf8)
        return index.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            return Entry(
                name: fields[0], format: fields[1], bytes: Int(fields[2]) ?? 0, pillow: fields[7],
                tools: fields[8], file: images.appending(path: fields[0]))
        }
    }

    @Test("Each file of the corpus gets the expected result within two seconds")
    func verdicts() throws {
        for entry in try Self.entries() {
            let handle = try FileHandle(forReadingFrom: entry.file)
            let start = Self.threadSeconds
            let error = failure { () throws(ImagingError) in
                try Thumbnailer().thumbnails(ofFileAt: handle.fileDescriptor)
            }
            #expect(Self.threadSeconds - start < 2, "\(entry.name)")
            Self.expect(error?.code, entry)
        }
    }

    /// The CPU time of this thread; wall-clock time means little on a busy machine.
    private static var threadSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("The check without sizes rejects no intact file")
    func checks() throws {
        var options = ThumbnailOptions()
        options.sizes = []
        for entry in try Self.entries() {
            let handle = try FileHandle(forReadingFrom: entry.file)
            let error = failure { () throws(ImagingError) in
                try Thumbnailer(options).thumbnails(ofFileAt: handle.fileDescriptor)
            }
            #expect(error == nil || entry.pillow != "ok" || entry.tools != "ok", "\(entry.name)")
        }
    }

    @Test("Keeping profiles and EXIF never makes a thumbnail fail", arguments: ProfileOptionTests.formats)
    func metadata(format: ThumbnailOptions.Format) throws {
        for entry in try Self.entries() where entry.pillow == "ok" {
            let file = try Array(Data(contentsOf: entry.file))
            guard let header = try? ImageHeader(of: ImageInput(file)) else { continue }
            guard header.info.hasProfile || header.exif != nil else { continue }
            var options = ThumbnailOptions()
            options.sizes = [ThumbnailSize(width: 24, height: 24)]
            options.format = format
            let plain = failure(of: file, options)
            options.profile = .keep
            options.keptMetadata = Set(ThumbnailOptions.Metadata.allCases)
            #expect(failure(of: file, options)?.code == plain?.code, "\(entry.name)")
        }
    }

    @Test(
        "Every proper prefix of twenty good files is reported as truncated",
        arguments: ["jpeg", "png", "webp"])
    func prefixes(format: String) throws {
        let files = try Self.goodFiles(format)
        #expect(files.count == 20)
        var checkAlone = ThumbnailOptions()
        checkAlone.sizes = []
        for (name, file) in files {
            for count in Self.cuts(of: file) {
                let prefix = Array(file.prefix(count))
                let verdicts = [failure(of: prefix)?.code, failure(of: prefix, checkAlone)?.code]
                #expect(verdicts == [.truncated, .truncated], "\(count) of \(file.count) bytes of \(name)")
            }
        }
    }

    /// Returns twenty files from the whole corpus that every decoder accepts and that end with their image.
    private static func goodFiles(_ format: String) throws -> [(name: String, file: [UInt8])] {
        let good = try entries().filter {
            $0.format == format && $0.pillow == "ok" && $0.tools == "ok" && $0.bytes < 30_000
        }
        // Select twice as many as needed, because a few have trailing bytes.
        let some = stride(from: 0, to: good.count, by: max(1, good.count / 40)).lazy.map { good[$0] }
        var files: [(name: String, file: [UInt8])] = []
        for entry in some where files.count < 20 {
            let file = [UInt8](try Data(contentsOf: entry.file))
            if failure(of: file) == nil, failure(of: Array(file.dropLast())) != nil { files.append((entry.name, file)) }
        }
        return files
    }

    /// Returns lengths to truncate a file to: around every structural boundary, and at regular intervals.
    private static func cuts(of file: [UInt8]) -> Set<Int> {
        var places = Set(stride(from: 1, to: file.count, by: max(1, file.count / 25)))
        for boundary in boundaries(of: file) { places.formUnion(boundary - 1...boundary + 1) }
        return places.filter { (1..<file.count).contains($0) }
    }

    /// Returns the start and end offsets of segments or chunks; at most the first twenty.
    private static func boundaries(of file: [UInt8]) -> [Int] {
        var window = ByteWindow(ImageInput(file))
        var ends: [Int] = []
        guard let format = ImageFormat(sniffing: file) else { return [] }
        let nextSegment = FormatFixture.of(format).makeSegments()
        while ends.count < 40, let body = nextSegment(&window) {
            ends += [body.lowerBound, body.upperBound]
        }
        return ends + [file.count - 1]
    }

    private static func expect(_ code: ImagingError.Code?, _ entry: Entry) {
        if let rejected = KnownDisagreements.rejected[entry.name] {
            #expect(code == rejected, "\(entry.name)")
        } else if entry.pillow == "ok" || KnownDisagreements.accepted.contains(entry.name) {
            #expect(code == nil, "\(entry.name)")
        } else {
            #expect(code != nil, "\(entry.name)")
        }
    }
}

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
