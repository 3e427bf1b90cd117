// SPDX-License-Identifier: MIT

/// Puts a document's elements together while libxml2 reads it.
///
/// Once something is refused, all that follows is dropped; the reader looks for that behind each piece of the document.
final class XMLBuilder {
    /// The document's element, once it was closed.
    private(set) var root: XMLElement?
    /// Why the document is refused, if it is.
    private(set) var problem: String?

    private var open: [XMLElement] = []
    private var count = 0

    /// The builder behind the pointer that libxml2 hands to its handlers.
    static func of(_ data: UnsafeMutableRawPointer?) -> XMLBuilder? {
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<XMLBuilder>.fromOpaque(data).takeUnretainedValue()
    }

    func begin(_ name: String, _ space: String, _ attributes: [(String, String)]) {
        count += 1
        if open.count >= XMLDocument.depthLimit { refuse("nested deeper than \(XMLDocument.depthLimit)") }
        if count > XMLDocument.elementLimit { refuse("more than \(XMLDocument.elementLimit) elements") }
        guard problem == nil else { return }
        let known = Dictionary(attributes, uniquingKeysWith: { first, _ in first })
        open.append(XMLElement(name: name, space: space, attributes: known))
    }

    func end() {
        guard problem == nil, let element = open.popLast() else { return }
        if let parent = open.last { parent.add(element) } else { root = element }
    }

    func add(_ text: String) {
        if problem == nil { open.last?.add(text) }
    }

    func refuse(_ problem: String) { self.problem = self.problem ?? problem }
}
