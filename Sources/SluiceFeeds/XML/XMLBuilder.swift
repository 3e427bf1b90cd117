// SPDX-License-Identifier: MIT

/// Builds the element tree from libxml2's callbacks.
///
/// After a rejection it stops the parser and ignores all further callbacks; the parser checks ``problem`` after each
/// chunk.
final class XMLBuilder {
    /// The root element, after its end tag.
    private(set) var root: XMLElement?
    /// The reason why the document is rejected.
    private(set) var problem: String?
    /// The line of the problem.
    private(set) var line = 0
    /// Stops the parser, which would otherwise process the rest of the chunk, and returns its line.
    var stopParser: () -> Int = { 0 }

    /// The open elements, and the number of namespaces that each declares.
    private var open: [(element: XMLElement, namespaces: Int)] = []
    private var namespaces = 0
    private var count = 0

    /// Returns the builder for the user data pointer of a callback.
    static func from(_ data: UnsafeMutableRawPointer?) -> XMLBuilder? {
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<XMLBuilder>.fromOpaque(data).takeUnretainedValue()
    }

    /// Returns whether an element may have this many attributes and namespace declarations; rejects the document if
    /// not.
    func allows(attributes: Int, namespaces: Int) -> Bool {
        if attributes + namespaces > XMLDocument.maxAttributes {
            reject("more than \(XMLDocument.maxAttributes) attributes")
        }
        if self.namespaces + namespaces > XMLDocument.maxNamespaces {
            reject("more than \(XMLDocument.maxNamespaces) namespaces")
        }
        return problem == nil
    }

    func startElement(_ name: String, _ space: String, _ attributes: [(String, String)], namespaces: Int) {
        count += 1
        if open.count >= XMLDocument.maxDepth { reject("nested more than \(XMLDocument.maxDepth) levels deep") }
        if count > XMLDocument.maxElements { reject("more than \(XMLDocument.maxElements) elements") }
        guard problem == nil else { return }
        let unique = [String: String](attributes, uniquingKeysWith: { first, _ in first })
        open.append((XMLElement(name: name, namespace: space, attributes: unique), namespaces))
        self.namespaces += namespaces
    }

    func endElement() {
        guard problem == nil, let (element, namespaces) = open.popLast() else { return }
        self.namespaces -= namespaces
        if let parent = open.last?.element { parent.add(element) } else { root = element }
    }

    /// Ends the elements that are still open at the end of the document.
    func close() {
        while problem == nil, !open.isEmpty { endElement() }
    }

    func add(_ text: String) {
        if problem == nil { open.last?.element.add(text) }
    }

    func reject(_ problem: String) {
        guard self.problem == nil else { return }
        self.problem = problem
        line = stopParser()
    }
}
