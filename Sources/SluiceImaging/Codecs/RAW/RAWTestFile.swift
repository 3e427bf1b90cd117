// SPDX-License-Identifier: MIT

/// Makes raw files that consist of a preview, in the structures that cameras write.
enum RAWTestFile {
    private static let subfileTag = 0x00FE
    private static let colorsTag = 0x0106
    private static let makeTag = 0x010F
    private static let subdirectoriesTag = 0x014A
    private static let previewStartTag = 0x0201
    private static let previewLengthTag = 0x0202
    private static let dngVersionTag = 0xC612

    private static let makers = ["nef": "NIKON", "arw": "SONY", "pef": "PENTAX"]
    private static let starts: [String: [UInt8]] = ["orf": Array("IIRO".utf8), "rw2": Array("IIU\0".utf8)]

    /// The self-test's picture as a JPEG.
    private static let picture: [UInt8]? = {
        var settings = ImageEncoder(.jpeg)
        settings.quality = 95
        return try? Codec.jpeg.encoder?.encode(Codec.testPicture, settings)
    }()

    /// Creates a file of a format with the self-test's picture.
    static func bytes(as name: String) -> [UInt8]? { picture.map { bytes(as: name, preview: $0) } }

    /// Creates a file of a format around a preview; RAF has no orientation besides the preview's.
    static func bytes(as name: String, preview: [UInt8], orientation: Int = 1) -> [UInt8] {
        switch name {
        case "cr3": return cr3(preview, orientation)
        case "raf": return raf(preview)
        default: break
        }
        var entries = [entry(EXIFBlock.orientationTag, 3, 1, orientation)]
        if name == "dng" { entries.append(entry(dngVersionTag, 4, 1, 0x0104)) }
        if name == "pef" {
            entries.append(entry(colorsTag, 3, 1, 32803))
        } else if makers[name] != nil {
            entries.append(entry(subfileTag, 4, 1, 1))
        }
        let start = starts[name] ?? Array("II*\0".utf8)
        let marker: [UInt8] = name == "cr2" ? [0x43, 0x52, 0x02, 0] : [0, 0, 0, 0]
        return tiff(
            start + little(16, 4) + marker + zeros(4), entries, make: makers[name], isChained: name == "pef", preview)
    }

    /// Creates a TIFF file of two directories; the second one describes the preview, after the first or inside it.
    private static func tiff(
        _ start: [UInt8], _ entries: [[UInt8]], make: String?, isChained: Bool, _ preview: [UInt8]
    ) -> [UInt8] {
        let maker = make.map { Array($0.utf8) + zeros(8 - $0.utf8.count) } ?? []
        let count = entries.count + (make == nil ? 0 : 1) + (isChained ? 0 : 1)
        let second = start.count + 2 + count * 12 + 4
        let makerStart = second + 2 + 2 * 12 + 4
        var all = entries
        if !isChained { all.append(entry(subdirectoriesTag, 4, 1, second)) }
        if make != nil { all.append(entry(makeTag, 2, maker.count, makerStart)) }
        let previewStart = makerStart + maker.count
        let places = [entry(previewStartTag, 4, 1, previewStart), entry(previewLengthTag, 4, 1, preview.count)]
        return start + directory(all, next: isChained ? second : 0) + directory(places) + maker + preview
    }

    private static func cr3(_ preview: [UInt8], _ orientation: Int) -> [UInt8] {
        let photo = Array("II*\0".utf8) + little(8, 4) + directory([entry(EXIFBlock.orientationTag, 3, 1, orientation)])
        let camera: [UInt8] = [0x85, 0xC0, 0xB6, 0x87] + zeros(12)
        let name: [UInt8] = [0xEA, 0xF4, 0x2B, 0x5E] + zeros(20)
        let picture = zeros(12) + big(preview.count) + preview
        return box("ftyp", Array("crx ".utf8)) + box("moov", box("uuid", camera + box("CMT1", photo)))
            + box("uuid", name + box("PRVW", picture))
    }

    private static func raf(_ preview: [UInt8]) -> [UInt8] {
        Array("FUJIFILMCCD-RAW ".utf8) + zeros(68) + big(108) + big(preview.count) + zeros(16) + preview
    }

    private static func directory(_ entries: [[UInt8]], next: Int = 0) -> [UInt8] {
        little(entries.count, 2) + entries.joined() + little(next, 4)
    }

    private static func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
        little(tag, 2) + little(type, 2) + little(count, 4) + little(value, 4)
    }

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        big(content.count + 8) + Array(type.utf8) + content
    }

    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func big(_ value: Int) -> [UInt8] { little(value, 4).reversed() }
}
