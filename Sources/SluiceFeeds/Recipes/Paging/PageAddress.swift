// SPDX-License-Identifier: MIT

/// An address with its parameters apart, so that one of them can be set anew.
struct PageAddress {
    private let head: String
    private var parameters: [(name: String, value: String)]

    init(_ head: String, _ parameters: [(name: String, value: String)]) {
        self.head = head
        self.parameters = []
        for parameter in parameters { self[parameter.name] = parameter.value }
    }

    /// The last value of a parameter counts.
    subscript(name: String) -> String? {
        get { parameters.last { $0.name == name }?.value }
        set {
            if let place = parameters.firstIndex(where: { $0.name == name }) {
                if let newValue { parameters[place].value = newValue } else { parameters.remove(at: place) }
            } else if let newValue {
                parameters.append((name, newValue))
            }
        }
    }

    /// The whole address.
    var text: String {
        guard !parameters.isEmpty else { return head }
        let query = parameters.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
        return head + (head.contains("?") ? "&" : "?") + query
    }

    /// The value of one of an address's parameters, as it stands there.
    static func value(of name: String, in address: String) -> String? {
        let query = address.drop { $0 != "?" }.dropFirst()
        let part = query.split(separator: "&").first { $0.hasPrefix("\(encoded(name))=") }
        return part.map { String($0.dropFirst(encoded(name).utf8.count + 1)) }
    }

    /// An address without one of its parameters, wherever that stands.
    static func without(_ name: String, in address: String) -> String {
        guard let mark = address.firstIndex(of: "?") else { return address }
        let kept = address[address.index(after: mark)...].split(separator: "&").filter {
            $0.prefix { $0 != "=" } != encoded(name)
        }
        return address[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }
}

/// Encodes text for a place among an address's parameters, or for one part of its path.
func encoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            result.unicodeScalars.append(Unicode.Scalar(byte))
        default: result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
    }
    return result
}
