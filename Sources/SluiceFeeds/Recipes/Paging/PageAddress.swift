// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An address with separate query parameters, so that they can be replaced.
struct PageAddress {
    private let base: String
    private var parameters: [(name: String, value: String)]

    init(_ base: String, _ parameters: [(name: String, value: String)]) {
        self.base = base
        self.parameters = []
        for parameter in parameters { self[parameter.name] = parameter.value }
    }

    /// The value of a parameter; setting it adds, replaces or removes the parameter.
    subscript(name: String) -> String? {
        get { parameters.last { $0.name == name }?.value }
        set {
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
            } else if let newValue {
                parameters.append((name, newValue))
            }
        }
    }

    /// The complete address.
    ///
    /// A parameter whose name is in braces, such as `{page}`, is a placeholder in the path.
    var text: String {
        var base = base
        for parameter in parameters where parameter.name.hasPrefix("{") {
            base = base.replacing(parameter.name, with: parameter.value.percentEncoded())
        }
        let parameters = parameters.filter { !$0.name.hasPrefix("{") }
        guard !parameters.isEmpty else { return base }
        let query = parameters.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
        return base + (base.contains("?") ? "&" : "?") + query
    }

    /// Returns the encoded value of a query parameter in an address.
    static func value(of name: String, in address: String) -> String? {
        let query = address.drop { $0 != "?" }.dropFirst()
        let part = query.split(separator: "&").first { $0.hasPrefix("\(name.percentEncoded())=") }
        return part.map { String($0.dropFirst(name.percentEncoded().utf8.count + 1)) }
    }
}
