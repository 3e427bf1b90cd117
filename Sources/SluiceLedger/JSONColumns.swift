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
        writer.array { list in
            for thumb in thumbs { list.object { thumb.write(to: &$0) } }
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func thumbs(in text: String) -> [Thumb]? {
        // Fast path for mirrors without thumbnails.
        text == "[]" ? [] : elements(in: text)?.map { Thumb($0) }
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
