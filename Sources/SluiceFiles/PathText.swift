// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Texts for paths whose bytes need not be valid UTF-8.
///
/// A valid path is its own text. The text of any other is an address, `file:///photos/caf%E9.jpg`, in which `%E9`
/// stands for a byte. Every text stands for one path only, because no walked path begins like an address.
package enum PathText {
    private static let scheme = "file://"

    /// Whether a text is the address of a path that is not valid UTF-8.
    package static func isAddress(_ text: String) -> Bool { text.utf8.starts(with: "\(scheme)/".utf8) }

    /// Returns the address of the file with these bytes as its name, in a folder with this absolute path or address.
    static func address(of name: [UInt8], in folder: String) -> String {
        (isAddress(folder) ? folder : scheme + escaped(Array(folder.utf8))) + "/" + escaped(name)
    }

    /// Escapes the bytes that are not valid UTF-8, and those with a meaning in addresses: `caf%E9.jpg`.
    package static func escaped(_ bytes: [UInt8]) -> String {
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            var iterator = rest.makeIterator()
            var parser = Unicode.UTF8.ForwardParser()
            switch parser.parseScalar(from: &iterator) {
            case .valid(let encoded):
                let scalar = Unicode.UTF8.decode(encoded)
                if scalar.value < 0x20 || scalar.value == 0x7F || "%?#".unicodeScalars.contains(scalar) {
                    escape(rest.prefix(1), into: &text)
                } else {
                    text.unicodeScalars.append(scalar)
                }
                rest = rest.dropFirst(encoded.count)
            case .error(let length):
                escape(rest.prefix(length), into: &text)
                rest = rest.dropFirst(length)
            case .emptyInput: return text
            }
        }
        return text
    }

    private static func escape(_ bytes: ArraySlice<UInt8>, into text: inout String) {
        text += String(decoding: bytes.flatMap(\.percentEncoded), as: UTF8.self)
    }

    /// The path that a text stands for, with a zero byte at the end, as the system takes it.
    package static func systemPath(_ text: String) -> [CChar] {
        guard isAddress(text) else { return text.utf8CString.map { $0 } }
        let path = text.utf8.dropFirst(scheme.utf8.count).percentDecoded
        // An escaped zero would end the path early.
        return path.map { CChar(bitPattern: $0 == 0 ? UInt8(ascii: "%") : $0) } + [0]
    }
}
