// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// The first bytes of a progressive JPEG that suffice for its thumbnails.
@Suite("SufficientPrefix", .timeLimit(.minutes(10))) struct SufficientPrefixTests {
    private static func options(
        _ side: Int, _ mode: ThumbnailOptions.QualityMode = .good
    ) -> ThumbnailOptions {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: side, height: side)]
        options.format = .png
        options.qualityMode = mode
        return options
    }

    private static func file(_ subsampling: ThumbnailOptions.Subsampling, progressive: Bool = true) throws -> [UInt8] {
        var encoder = ImageEncoder(.jpeg)
        (encoder.subsampling, encoder.isProgressive) = (subsampling, progressive)
        return try encoder.encode(ScanTests.image)
    }

    /// Returns the number of bytes that suffice if the file arrives in chunks.
    private static func count(_ file: [UInt8], _ options: ThumbnailOptions, chunk: Int = 1000) -> Int? {
        var prefix = SufficientPrefix(options)
        for start in stride(from: 0, to: file.count, by: chunk) {
            prefix.receive(file.span.extracting(start..<min(file.count, start + chunk)))
        }
        return prefix.count
    }

    /// Returns the parts of a file that arrives in chunks.
    private static func parts(_ file: [UInt8], chunk: Int) -> [JPEGScanStream.Part] {
        var stream = JPEGScanStream()
        var parts: [JPEGScanStream.Part] = []
        for start in stride(from: 0, to: file.count, by: chunk) {
            stream.receive(file.span.extracting(start..<min(file.count, start + chunk))) { parts.append($0) }
        }
        return parts
    }

    @Test("Frames and scans are found, however the bytes are split", arguments: 1...40)
    func splitting(chunk: Int) throws {
        let frame: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 6, 0xFF, 0xDA, 0xFF, 0xD9, 0xFF, 0xFF, 0xC2, 0, 4, 7, 8]
        let scans: [UInt8] = [
            0xFF, 0xDA, 0, 3, 9, 1, 0xFF, 0, 2, 0xFF, 0xD0, 3, 0xFF, 0xC4, 0, 2, 0xFF, 0xDA, 0, 3, 5, 6, 0xFF, 0xD9,
            0xFF,
        ]
        #expect(
            Self.parts(frame + scans, chunk: chunk) == [
                .frame(marker: 0xC2, [7, 8]), .scan([9]), .scanEnd(frame.count + 12), .scan([5]), .end,
            ])
        var window = ByteWindow(ImageInput(frame + scans), span: chunk)
        var segments = JPEGSegments()
        var markers: [Int] = []
        while let segment = try segments.next(in: &window) { markers.append(segment.marker) }
        #expect(markers == [0xE1, 0xC2, 0xDA, 0xC4, 0xDA])
        #expect(segments.offset == frame.count + scans.count - 2)
    }

    @Test("The needed scans depend on the scale and the subsampling")
    func scans() throws {
        // libjpeg writes ten scans: means, luma, chroma, luma, luma's second bits, means' last bits, and other last
        // bits.
        for (side, subsampling, scan) in [
            (16, .half, 4), (16, .full, 1), (30, .half, 7), (60, .half, 7), (60, .full, 7),
        ] as [(Int, ThumbnailOptions.Subsampling, Int)] {
            let file = try Self.file(subsampling)
            let ends = Self.parts(file, chunk: file.count).compactMap { part in
                if case .scanEnd(let offset) = part { offset } else { nil }
            }
            #expect(ends.count == 9)
            #expect(Self.count(file, Self.options(side)) == ends[scan - 1], "\(side), \(subsampling)")
        }
    }

    @Test("The thumbnail of a prefix equals that of the whole file without its other scans", arguments: [16, 30, 60])
    func identical(side: Int) throws {
        for subsampling in ThumbnailOptions.Subsampling.allCases {
            let file = try Self.file(subsampling)
            let count = try #require(Self.count(file, Self.options(side)))
            #expect(Self.count(file, Self.options(side), chunk: 1) == count)
            #expect(count < file.count * 2 / 3)
            let eighths = side == 16 ? 1 : side == 30 ? 2 : 4
            let cut = Array(file[..<count]) + [0xFF, 0xD9]
            #expect(
                try Self.rows(cut, eighths, skipping: nil) == Self.rows(file, eighths, skipping: count..<file.count - 2)
            )
            let decoded = try Self.decoded(cut, eighths)
            #expect(try Self.rows(cut, eighths, skipping: nil) == decoded)
            // A thumbnail hardly shows the missing bits.
            let (part, whole) = try (Self.pixels(cut, side), Self.pixels(file, side))
            let squares = zip(part, whole).reduce(0) { $0 + (Int($1.0) - Int($1.1)) * (Int($1.0) - Int($1.1)) }
            #expect(squares < 10 * part.count, "\(subsampling): \(squares)")
        }
    }

    /// Decodes a file with libjpeg-turbo, which ignores a range of it.
    private static func rows(_ file: [UInt8], _ eighths: Int, skipping range: Range<Int>?) throws -> [UInt8] {
        let info = try ImageInfo(bytes: file)
        let (width, height) = ((info.width * eighths + 7) / 8, (info.height * eighths + 7) / 8)
        return try unsafe ImageInput(file).withCInput { input throws(ImagingError) in
            let reader = try unsafe JPEGReader(input, memory: 1 << 28)
            if let range { reader.skip(range) }
            _ = try reader.start(eighths: eighths)
            while try reader.consumeInput() != nil {}
            try reader.startRows()
            let rows = SampleBuffer<UInt8>(count: width * 3 * height, zero: 0)
            try reader.readRows(height, into: rows)
            try reader.finish()
            var bytes: [UInt8] = []
            rows.withSpan(0..<width * 3 * height) { for index in $0.indices { bytes.append($0[index]) } }
            return bytes
        }
    }

    /// Decodes a file as thumbnails do.
    private static func decoded(_ file: [UInt8], _ eighths: Int) throws -> [UInt8] {
        let header = try ImageHeader(of: ImageInput(file))
        let job = DecodeJob(
            input: ImageInput(file), header: header,
            minimumSize: (header.info.width * eighths / 8, header.info.height * eighths / 8), limits: ImageLimits(),
            watchdog: DecodeWatchdog(.never, seconds: 60))
        let decode = RecordedDecode(JPEGDecoder(), job)
        #expect(decode.error == nil && decode.notes == [])
        return decode.rows
    }

    private static func pixels(_ file: [UInt8], _ side: Int) throws -> [UInt8] {
        try decode(Thumbnailer(options(side)).thumbnails(of: file).thumbnails[0].bytes).bytes
    }

    @Test("Other files, large thumbnails and exact ones need the whole file")
    func whole() throws {
        #expect(try Self.count(Self.file(.half, progressive: false), Self.options(16)) == nil)
        #expect(try Self.count(SampleImages.file(.png), Self.options(16)) == nil)
        #expect(try Self.count(Self.file(.half), Self.options(200)) == nil)
        #expect(try Self.count(Self.file(.half), Self.options(16, .exact)) == nil)
        var none = Self.options(16)
        none.sizes = []
        #expect(try Self.count(Self.file(.half), none) == nil)
        #expect(Self.count([], Self.options(16)) == nil)
        #expect(Self.count([0xFF, 0xD8] + [UInt8](repeating: 0, count: 300 << 10), Self.options(16)) == nil)
    }

    @Test("Of a damaged file, too, the size of chunks does not matter")
    func damaged() throws {
        var random = SystemRandomNumberGenerator()
        let file = try Self.file(.half)
        for _ in 0..<100 {
            var damaged = file
            for _ in 0..<Int.random(in: 1...20, using: &random) {
                damaged[Int.random(in: 0..<1000, using: &random)] = [0, 1, 0xC2, 0xD9, 0xDA, 0xFF].randomElement() ?? 0
            }
            let count = Self.count(damaged, Self.options(30), chunk: damaged.count)
            #expect(count ?? 0 <= damaged.count)
            #expect(Self.count(damaged, Self.options(30), chunk: 7) == count)
        }
    }

    @Test("The size of the first chunk does not matter")
    func largeChunk() throws {
        let file = try Self.file(.half)
        let long = file + [UInt8](repeating: 0, count: 300 << 10)
        #expect(Self.count(long, Self.options(16), chunk: long.count) == Self.count(file, Self.options(16)))
    }
}
