// SPDX-License-Identifier: MIT

@testable import SluiceImaging

/// Builds variants of one format's files without using the library's own writers; every format that Sluice writes has
/// one.
struct FormatFixture: Sendable {
    /// A part that files can contain besides the image.
    enum Part: Sendable {
        case profile([UInt8]), exif([UInt8]), xmp([UInt8])
        /// IPTC data; only JPEG has a place for it.
        case iptc([UInt8])
        /// Text that means nothing to decoders.
        case comment([UInt8])
    }

    let format: ImageFormat
    /// Inserts a part into a file, which is an image of the given size.
    let insert: @Sendable (_ part: Part, _ file: [UInt8], _ width: Int, _ height: Int) -> [UInt8]
    /// Returns a function that gives the byte range of the next segment or chunk; `nil` at the end.
    let makeSegments: @Sendable () -> (inout ByteWindow) -> Range<Int>?

    static let all = [jpeg, png, webp, avif]

    static func of(_ format: ImageFormat) -> FormatFixture {
        guard let fixture = all.first(where: { $0.format == format }) else {
            preconditionFailure("\(format) has no fixture")
        }
        return fixture
    }

    private static let jpeg = FormatFixture(
        format: .jpeg,
        insert: { part, file, _, _ in
            let segments: [UInt8]
            switch part {
            case .profile(let profile):
                // Two parts, in reverse order.
                let halves = [profile.prefix(100), profile.dropFirst(100)]
                segments = [1, 0].flatMap {
                    FileBuilder.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8($0 + 1), 2] + halves[$0])
                }
            case .exif(let block): segments = FileBuilder.segment(0xE1, Array("Exif\0\0".utf8) + block)
            case .xmp(let packet):
                segments = FileBuilder.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + packet)
            case .iptc(let blocks): segments = FileBuilder.segment(0xED, Array("Photoshop 3.0\0".utf8) + blocks)
            case .comment(let text): segments = FileBuilder.segment(0xFE, text) + FileBuilder.segment(0xED, text)
            }
            return FileBuilder.jpeg(file, inserting: segments)
        },
        makeSegments: {
            var segments = JPEGSegments()
            return { window in (try? segments.next(in: &window))?.body }
        })

    private static let png = FormatFixture(
        format: .png,
        insert: { part, file, _, _ in
            let chunks: [UInt8]
            switch part {
            case .profile(let profile):
                chunks = FileBuilder.chunk("iCCP", Array("test\0\0".utf8) + FileBuilder.zlib(profile))
            case .exif(let block): chunks = FileBuilder.chunk("eXIf", block)
            case .xmp(let packet):
                chunks = FileBuilder.chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + packet)
            case .iptc: chunks = []
            case .comment(let text): chunks = FileBuilder.chunk("tEXt", Array("Comment\0".utf8) + text)
            }
            return FileBuilder.png(file, inserting: chunks)
        },
        makeSegments: {
            var chunks = PNGChunks(offset: 8)
            return { window in (try? chunks.next(in: &window))?.body }
        })

    private static let webp = FormatFixture(
        format: .webp,
        insert: { part, file, width, height in
            var (flags, before, after) = (UInt8(0), [UInt8](), [UInt8]())
            switch part {
            case .profile(let profile): (flags, before) = (0x20, FileBuilder.riffChunk("ICCP", profile))
            case .exif(let block): (flags, after) = (0x08, FileBuilder.riffChunk("EXIF", block))
            case .xmp(let packet): (flags, after) = (0x04, FileBuilder.riffChunk("XMP ", packet))
            case .iptc: return file
            case .comment(let text): (flags, after) = (0x04, FileBuilder.riffChunk("XMP ", text))
            }
            return FileBuilder.extendedWebP(
                file, width: width, height: height, flags: flags, before: before, after: after)
        },
        makeSegments: {
            var chunks = WebPChunks(offset: 12)
            return { window in (try? chunks.next(in: &window))?.body }
        })

    private static let avif = FormatFixture(
        format: .avif,
        insert: { part, file, _, _ in
            let parts = AVIFParts(file)
            return switch part {
            case .profile(let profile): parts.adding(profile: profile)
            case .exif(let block): parts.adding(exif: block)
            case .xmp(let text), .comment(let text): parts.adding(xmp: text)
            case .iptc: file
            }
        },
        makeSegments: {
            var start = 0
            return { window in
                guard start + 8 <= window.count, let length = try? window.uint32(at: start) else { return nil }
                defer { start += max(8, length) }
                return start + 8..<max(start + 8, min(start + length, window.count))
            }
        })
}
