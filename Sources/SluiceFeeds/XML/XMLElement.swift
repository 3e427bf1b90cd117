// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An element of an XML document; it does not change after parsing.
final class XMLElement {
    /// The name without its prefix.
    let name: String
    /// The namespace URI; empty for none.
    let namespace: String
    /// The attributes, by their names without prefixes.
    let attributes: [String: String]
    private(set) var children: [XMLElement] = []
    /// The element's own text, without that of its children and with its white space.
    private(set) var rawText = ""

    init(name: String, namespace: String, attributes: [String: String]) {
        (self.name, self.namespace, self.attributes) = (name, namespace, attributes)
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

/// The XML namespaces that feeds use, including common misspellings.
enum Namespaces {
    static let media: Set<String> = [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "https://search.yahoo.com/mrss/",
    ]
    static let atom: Set<String> = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"]
    static let dublinCore: Set<String> = ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"]
    static let content: Set<String> = ["http://purl.org/rss/1.0/modules/content/"]
    /// Podcasts; the names differ in capitals.
    static let podcasts: Set<String> = [
        "http://www.itunes.com/dtds/podcast-1.0.dtd", "http://www.itunes.com/DTDs/Podcast-1.0.dtd",
        "http://www.itunes.com/DTDs/PodCast-1.0.dtd", "https://www.itunes.com/dtds/podcast-1.0.dtd",
    ]
    static let history: Set<String> = ["http://purl.org/syndication/history/1.0"]
    static let creativeCommons: Set<String> = [
        "http://backend.userland.com/creativeCommonsRssModule", "http://web.resource.org/cc/",
        "http://creativecommons.org/ns#",
    ]
    /// The namespaces of prefixes that some feeds use without declaring them.
    static let usual = [
        "media": "http://search.yahoo.com/mrss/", "dc": "http://purl.org/dc/elements/1.1/",
        "content": "http://purl.org/rss/1.0/modules/content/", "atom": "http://www.w3.org/2005/Atom",
        "itunes": "http://www.itunes.com/dtds/podcast-1.0.dtd",
    ]
    /// RSS 2.0 has no namespace, but old feeds declare one; RSS 0.9 and 1.0 have one.
    static let rss: Set<String> = [
        "", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/", "http://backend.userland.com/rss",
        "http://backend.userland.com/rss2", "http://backend.userland.com/RSS2", "http://blogs.law.harvard.edu/tech/rss",
    ]
}
