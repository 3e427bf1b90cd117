// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Reads JSON as pages and programs write it: with comments around it, control characters in texts, trailing commas,
/// names without quotes, texts in single quotes, and values that JSON lacks, which become `null`.
enum LenientJSON {
    private static let missing = ["undefined", "NaN", "Infinity", "-Infinity"].map { Array($0.utf8) }

    /// Returns the object or array of a record, which may need repair; throws the error of the unrepaired text.
    static func record(_ bytes: [UInt8]) throws(InvalidText) -> JSON {
        do throws(InvalidText) { return try JSON(parsing: bytes) } catch {
            guard let start = bytes.firstIndex(where: { !$0.isSpace }), opens(bytes[start]),
                let (repaired, end) = repaired(bytes, from: start), bytes[end...].allSatisfy(\.isSpace),
                let json = try? JSON(parsing: repaired)
            else { throw error }
            return json
        }
    }

    /// Returns the value of a text; `nil` if it has none.
    static func value(_ text: String) -> JSON? {
        let bytes = Array(text.utf8)
        if let json = try? JSON(parsing: bytes) { return json }
        guard let start = start(of: bytes), let (repaired, _) = repaired(bytes, from: start) else {
            return nil
        }
        return try? JSON(parsing: repaired)
    }

    /// The signs after which a script may have a value.
    private static let signs = Array("=(,:".utf8)

    /// Returns the values in a script: the whole text, or those that are assigned, passed to functions, or parsed by
    /// `JSON.parse`.
    static func values(inScript text: String) -> [JSON] {
        let bytes = Array(text.utf8)
        if let first = bytes.first(where: { !$0.isSpace }), opens(first) { return value(text).map { [$0] } ?? [] }
        var (values, index): ([JSON], Int) = ([], 0)
        // Code that resembles data is read again from each bracket in it.
        var budget = 8 * bytes.count
        while budget > 0, let sign = bytes[index...].firstIndex(where: signs.contains) {
            index = sign + 1
            guard let start = bytes[index...].firstIndex(where: { !$0.isSpace }) else { break }
            if bytes[sign] == UInt8(ascii: "("), bytes[..<sign].suffix(10).elementsEqual("JSON.parse".utf8) {
                guard let (literal, end) = literal(bytes, from: start) else { continue }
                index = end
                if let text = (try? JSON(parsing: literal))?.text, let json = value(text) { values.append(json) }
            } else if opens(bytes[start]), isData(bytes, after: start) {
                let found = repaired(bytes, from: start)
                budget -= (found?.end ?? bytes.count) - start
                guard let found, let json = try? JSON(parsing: found.bytes) else { continue }
                index = found.end
                values.append(json)
            }
        }
        return values
    }

    /// Returns the index of the first object or array, after a comment or the beginning of a CDATA section.
    private static func start(of bytes: [UInt8]) -> Int? {
        bytes.indices.first { index in
            opens(bytes[index])
                && !(index > 0 && (bytes[index - 1] == UInt8(ascii: "!") || bytes[index - 1] == UInt8(ascii: "A")))
        }
    }

    private static func opens(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") }

    /// Whether a text or a further value follows, rather than the code of an object.
    private static func isData(_ bytes: [UInt8], after start: Int) -> Bool {
        guard let first = bytes[(start + 1)...].firstIndex(where: { !$0.isSpace }) else { return false }
        let next = bytes[first]
        return next == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "[") && opens(next)
            || bytes[start] == UInt8(ascii: "{") && name(bytes, at: first) != nil
    }

    /// Returns the name of a member without quotes; `nil` if there is none.
    private static func name(_ bytes: [UInt8], at start: Int) -> ArraySlice<UInt8>? {
        let name = bytes[start...].prefix {
            $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "$")
        }
        guard let first = name.first, !first.isDigit,
            bytes[name.endIndex...].first(where: { !$0.isSpace }) == UInt8(ascii: ":")
        else { return nil }
        return name
    }

    /// Returns a literal in quotes as one of JSON, and the index after it.
    private static func literal(_ bytes: [UInt8], from start: Int) -> (literal: [UInt8], end: Int)? {
        let quote = bytes[start]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        var (literal, index): ([UInt8], Int) = (Array("\"".utf8), start + 1)
        while index < bytes.count, bytes[index] != quote {
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                // JSON knows no `\'`.
                if bytes[index + 1] != UInt8(ascii: "'") { literal.append(bytes[index]) }
                literal.append(bytes[index + 1])
                index += 2
            } else {
                if bytes[index] == UInt8(ascii: "\"") { literal.append(UInt8(ascii: "\\")) }
                literal.append(bytes[index] < 0x20 ? 0x20 : bytes[index])
                index += 1
            }
        }
        return index < bytes.count ? (literal + "\"".utf8, index + 1) : nil
    }

    /// Returns the object or array that begins at an index, repaired, and the index after it; `nil` if it has no end.
    private static func repaired(_ bytes: [UInt8], from start: Int) -> (bytes: [UInt8], end: Int)? {
        var (output, depth, index, isText): ([UInt8], Int, Int, Bool) = ([], 0, start, false)
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if isText {
                if byte == UInt8(ascii: "\\"), index < bytes.count {
                    output += bytes[index] == UInt8(ascii: "'") ? [] : [byte]
                    output.append(bytes[index])
                    index += 1
                } else {
                    isText = byte != UInt8(ascii: "\"")
                    output.append(byte < 0x20 ? 0x20 : byte)
                }
                continue
            }
            let previous = output.last { !$0.isSpace }
            if previous == UInt8(ascii: "{") || previous == UInt8(ascii: ","), let name = name(bytes, at: index - 1) {
                output += [UInt8(ascii: "\"")] + name + [UInt8(ascii: "\"")]
                index = name.endIndex
                continue
            }
            switch byte {
            case UInt8(ascii: "'"):
                guard let (literal, end) = literal(bytes, from: index - 1) else { return nil }
                output += literal
                index = end
                continue
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                while let last = output.last, last.isSpace || last == UInt8(ascii: ",") { output.removeLast() }
            case UInt8(ascii: "u"), UInt8(ascii: "N"), UInt8(ascii: "I"), UInt8(ascii: "-"):
                guard let name = missing.first(where: { bytes[(index - 1)...].starts(with: $0) }) else { break }
                output += "null".utf8
                index += name.count - 1
                continue
            default: break
            }
            output.append(byte)
            if depth == 0 { return (output, index) }
        }
        return nil
    }
}
