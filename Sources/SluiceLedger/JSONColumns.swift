// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Converts lists to and from the JSON texts in ledger columns; thumbnails have the same format as in the manifest.
enum JSONColumns {
    static func text(of variants: [Variant]) -> String {
        var writer = JSONWriter()
        writer.array { list in
            for variant in variants { list.object { variant.write(to: &$0) } }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func variants(in text: String) -> [Variant]? {
        elements(in: text)?.map { Variant($0) }
    }

    static func text(of thumbs: [Thumb]) -> String {
        var writer = JSONWriter()
        writer.array { write(thumbs, to: &$0) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func write(_ thumbs: [Thumb], to list: inout JSONWriter) {
        for thumb in thumbs {
            list.object { object in
                if let size = Int(thumb.size) { object.member("size", size) } else { object.member("size", thumb.size) }
                object.member("file", thumb.file.path)
                object.member("width", thumb.width)
                object.member("height", thumb.height)
                object.member("bytes", thumb.file.bytes)
                object.member("format", thumb.format)
                object.member("sha256", thumb.file.sha256)
            }
        }
    }

    static func thumbs(in text: String) -> [Thumb]? {
        // Fast path for mirrors without thumbnails.
        text == "[]" ? [] : elements(in: text)?.map { thumb(in: $0) }
    }

    static func thumb(in object: JSON) -> Thumb {
        Thumb(
            size: object["size"]?.text ?? "", width: object["width"]?.integer ?? 0,
            height: object["height"]?.integer ?? 0, format: object["format"]?.text ?? "",
            file: StoredFile(
                path: object["file"]?.text ?? "", bytes: object["bytes"]?.integer ?? 0,
                sha256: object["sha256"]?.text ?? ""))
    }

    static func text(of arguments: [String]) -> String {
        var writer = JSONWriter()
        writer.array { list in for argument in arguments { list.value(argument) } }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func arguments(in text: String) -> [String]? {
        elements(in: text)?.compactMap(\.text)
    }

    private static func elements(in text: String) -> [JSON]? {
        (try? JSON(parsing: Array(text.utf8)))?.elements
    }
}
