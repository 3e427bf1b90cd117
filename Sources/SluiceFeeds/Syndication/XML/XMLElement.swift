// SPDX-License-Identifier: MIT

/// An element of an XML document: what feeds need of it, and no more.
///
/// A class, because elements hold elements; nobody changes one once the document is read.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The namespace's address; empty for none.
    let space: String
    /// The attributes by their names without prefixes.
    let attributes: [String: String]
    /// The elements directly within.
    private(set) var children: [XMLElement] = []
    /// The text directly within.
    private(set) var text = ""

    init(name: String, space: String, attributes: [String: String]) {
        self.name = name
        self.space = space
        self.attributes = attributes
    }

    func add(_ child: XMLElement) { children.append(child) }
    func add(_ more: String) { text += more }

    /// The value of an attribute, if it says anything.
    subscript(attribute: String) -> String? { attributes[attribute].flatMap { $0.trimmed.isEmpty ? nil : $0.trimmed } }

    /// The elements of that name directly within; without a namespace, of any.
    func all(_ name: String, in spaces: Set<String>? = nil) -> [XMLElement] {
        children.filter { $0.name == name && spaces?.contains($0.space) ?? true }
    }

    /// The first element of that name directly within.
    func first(_ name: String, in spaces: Set<String>? = nil) -> XMLElement? {
        children.first { $0.name == name && spaces?.contains($0.space) ?? true }
    }

    /// The text of the first element of that name, if it says anything.
    func words(_ name: String, in spaces: Set<String>? = nil) -> String? { first(name, in: spaces)?.words }

    /// The text, without the white space around it; `nil` if that is all there is.
    var words: String? { text.trimmed.isEmpty ? nil : text.trimmed }

    /// The element itself and all that is within, in the document's order.
    var subtree: [XMLElement] { [self] + children.flatMap(\.subtree) }
}

extension String {
    /// The text without the white space around it.
    var trimmed: String {
        guard first?.isWhitespace == true || last?.isWhitespace == true else { return self }
        let front = drop(while: \.isWhitespace)
        return String(front[..<(front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex)])
    }
}
