// SPDX-License-Identifier: MIT

/// An element of an XML document; it does not change after parsing.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The namespace URI; empty for none.
    let namespace: String
    /// The attributes, by their names without prefixes.
    let attributes: [String: String]
    /// The child elements.
    private(set) var children: [XMLElement] = []
    /// The element's own text, without that of its children and with its white space.
    private(set) var rawText = ""

    init(name: String, namespace: String, attributes: [String: String]) {
        self.name = name
        self.namespace = namespace
        self.attributes = attributes
    }

    func add(_ child: XMLElement) { children.append(child) }
    func add(_ text: String) { rawText += text }

    /// The value of an attribute, without surrounding white space; `nil` if it is empty.
    subscript(attribute: String) -> String? { attributes[attribute].flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed } }

    /// Returns the children of that name in any of the namespaces; `nil` allows every namespace.
    func all(_ name: String, in namespaces: Set<String>? = nil) -> [XMLElement] {
        children.filter { $0.name == name && namespaces?.contains($0.namespace) ?? true }
    }

    /// Returns the first child of that name in any of the namespaces.
    func first(_ name: String, in namespaces: Set<String>? = nil) -> XMLElement? {
        children.first { $0.name == name && namespaces?.contains($0.namespace) ?? true }
    }

    /// Returns the text of the first child of that name; `nil` if it is empty.
    func text(_ name: String, in namespaces: Set<String>? = nil) -> String? { first(name, in: namespaces)?.text }

    /// The text without surrounding white space; `nil` if it is empty.
    var text: String? { rawText.trimmed.isEmpty ? nil : rawText.trimmed }

    /// The element and all its descendants, in document order.
    var subtree: [XMLElement] { [self] + children.flatMap(\.subtree) }
}
