// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import Testing

@testable import SluiceEngine

/// Replies of decode workers that a picture has taken over.
///
/// The parent used to believe them: sizes below zero, a colour of 300 MB, markup as colour, and scripts as thumbnails.
@Suite("Forged replies of workers", .timeLimit(.minutes(10))) struct ForgedReplyTests {
    private let options: ThumbnailOptions
    private let request: DecodeRequest
    private let honest: DecodeReply
    private let expected: ThumbnailResult

    init() throws {
        var options = ThumbnailOptions()
        options.sizes = [ThumbnailSize(width: 40, height: 30), ThumbnailSize(width: 8, height: 8)]
        (options.fit, options.format) = (.fill, .fixed(.png))
        self.options = options
        // A PNG of one pixel.
        let base64 =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        let picture = try #require(Data(base64Encoded: base64))
        expected = try Thumbnailer(options).thumbnails(of: Array(picture))
        request = try DecodeRequest(expected.info, options)
        honest = DecodeReply(expected)
    }

    @Test("An honest reply is accepted, also as a failure")
    func honestReplies() {
        #expect(request.result(in: honest) == .success(expected))
        var reply = DecodeReply()
        reply.failure = ImagingError(.truncated, "cut")
        #expect(request.result(in: reply) == .failure(ImagingError(.truncated, "cut")))
    }

    @Test("The length of a reply is limited by the requested sizes")
    func length() throws {
        var coder = WorkerCoder()
        var reply = honest
        try coder.code(&reply)
        #expect(coder.bytes.count <= request.maxReplyLength && request.maxReplyLength < 1 << 20)
        var large = options
        large.sizes = [ThumbnailSize(width: 16_383, height: 16_383)]
        large.limits.pixels = .max
        #expect(try DecodeRequest(expected.info, large).maxReplyLength > 1 << 30)
    }

    /// A forgery of one field.
    private typealias Forgery = (name: String, apply: (inout DecodeReply) -> Void)

    private static let texts = [
        "", "#", "#01020", "#0102033", "#GG0000", "<b>x</b>", "\u{1B}[2J", "red;background:url(//x)", "../../etc",
        "00112233445566778", "001122334455667g", "é", String(repeating: "a", count: 100_000),
    ]
    private static let numbers = [Int.min, -1, 0, 1, 41, 1 << 31, Int.max]
    private static let contents: [[UInt8]] = [
        [], Array("<html><script>alert(1)</script>".utf8), Array("#!/bin/sh\n".utf8), [0xFF, 0xD8, 0xFF],
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], Array("GIF89a".utf8), Array(repeating: 0, count: 1 << 16),
    ]

    private static var forgeries: [Forgery] {
        var all: [Forgery] = []
        for text in texts {
            let name = String(text.prefix(20))
            all.append(("color \(name)", { $0.color = text }))
            all.append(("phash \(name)", { $0.phash = text }))
            if text.utf8.count < 1 || text.utf8.count > 48 || text.utf8.contains(where: { $0 < 0x2B || $0 > 0x7A }) {
                all.append(("placeholder \(name)", { $0.placeholder = text }))
            }
        }
        for number in numbers {
            all.append(("width \(number)", { $0.thumbnails[0].width = number }))
            all.append(("height \(number)", { $0.thumbnails[1].height = number }))
        }
        for bytes in contents { all.append(("\(bytes.count) bytes", { $0.thumbnails[1].bytes = bytes })) }
        all += [
            ("another format", { $0.thumbnails[0].format = .jpeg }),
            ("no thumbnails", { $0.thumbnails = [] }),
            ("one thumbnail", { $0.thumbnails.removeLast() }),
            ("three thumbnails", { $0.thumbnails.append($0.thumbnails[0]) }),
            ("thumbnails in another order", { $0.thumbnails.swapAt(0, 1) }),
            ("the bytes of another size", { $0.thumbnails[0].bytes = $0.thumbnails[1].bytes }),
            ("50,000 notes", { $0.notes = Array(repeating: "n", count: 50_000) }),
            ("a long note", { $0.notes = [String(repeating: "n", count: 100_000)] }),
            ("unasked salvage", { $0.damage = ImagingError(.truncated, "") }),
            ("a failure with thumbnails", { $0.failure = ImagingError(.corrupt, "") }),
        ]
        all.append(
            (
                "a cancellation",
                {
                    $0 = DecodeReply()
                    $0.failure = ImagingError(.cancelled, "")
                }
            ))
        all.append(
            (
                "a long failure",
                {
                    $0 = DecodeReply()
                    $0.failure = ImagingError(.corrupt, String(repeating: "x", count: 100_000))
                }
            ))
        return all
    }

    /// Sends a reply through the encoding.
    private func received(_ reply: DecodeReply) throws -> DecodeReply {
        var (sent, read, coder) = (reply, DecodeReply(), WorkerCoder())
        try coder.code(&sent)
        var reader = WorkerCoder(reading: coder.bytes)
        try reader.code(&read)
        return read
    }

    @Test("Each forged field is refused")
    func fields() throws {
        for (name, forge) in Self.forgeries {
            var reply = honest
            forge(&reply)
            // Lists that are longer than the bytes before them cannot even be encoded.
            guard let received = try? received(reply) else { continue }
            #expect(request.result(in: received) == nil, "\(name)")
        }
    }

    @Test("Combinations of forged fields and of changed bytes are refused, or are the honest result")
    func combinations() throws {
        var random = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        do {
            var (reply, coder) = (honest, WorkerCoder())
            try coder.code(&reply)
            bytes = coder.bytes
        }
        let forgeries = Self.forgeries.filter { !$0.name.contains("thumbnail") && $0.name != "no thumbnails" }
        for _ in 0..<2000 {
            var reply = honest
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let forgery = forgeries.randomElement(using: &random)
                if reply.thumbnails.count == 2 { forgery?.apply(&reply) }
            }
            if let received = try? received(reply) { #expect(request.result(in: received) == nil) }
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: changed.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            var (read, coder) = (DecodeReply(), WorkerCoder(reading: changed))
            guard (try? coder.code(&read)) != nil, case .success(let result)? = request.result(in: read) else {
                continue
            }
            #expect(result.thumbnails.map(\.size) == options.sizes && result.info == expected.info)
            for (thumbnail, (width, height)) in zip(result.thumbnails, [(40, 30), (8, 8)]) {
                let info = try ImageInfo(bytes: thumbnail.bytes)
                #expect(info.format == .png && info.width == width && info.height == height)
            }
            for text in [result.color, result.phash, result.placeholder].compactMap(\.self) {
                #expect(text.utf8.allSatisfy { (0x23...0x7A).contains($0) && $0 != 0x3C } && text.utf8.count <= 48)
            }
        }
    }

    @Test("Times are limited to those that passed in this process")
    func times() {
        var times = ImagingTimes()
        (times.decode, times.resample, times.encode) = (.seconds(-5), .seconds(1_000_000), .milliseconds(3))
        let limited = times.limited(to: .seconds(1))
        #expect((limited.decode, limited.resample, limited.encode) == (.zero, .seconds(1), .milliseconds(3)))
    }

    @Test("The expected sizes are those of the thumbnails, for all fits, orientations and gravities")
    func sizes() throws {
        let picture = try #require(expected.thumbnails.first).bytes
        for fit in ThumbnailOptions.Fit.allCases {
            for gravity in [ThumbnailOptions.Gravity.centre, .attention] {
                for enlarges in [false, true] {
                    var options = ThumbnailOptions()
                    options.sizes = ["16", "20x10", "x12", "9x", "100x3", "200"].compactMap(ThumbnailSize.init)
                    (options.fit, options.gravity, options.enlarges) = (fit, gravity, enlarges)
                    let result = try Thumbnailer(options).thumbnails(of: picture)
                    #expect(try ExpectedThumbnails(of: result.info, options).matches(result.thumbnails))
                }
            }
        }
    }
}
