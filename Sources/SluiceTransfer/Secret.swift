// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A secret of the user for one origin (scheme, host and port): a header, a query parameter, a password, or a form.
///
/// Only a request to its origin can open it, and only in this module. It has no text form, so that none gets into a
/// message or a file.
package final class Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The content in the form in which a request carries it.
    enum Content: Sendable {
        /// `Name: value`.
        case header(String)
        /// A parameter of the query.
        case parameter(name: String, value: String)
        /// A user name and a password.
        case password(user: String, password: String)
        /// The body of a POST.
        case form(String)
    }

    private let content: Content
    private let scheme: String
    private let host: String
    private let port: Int
    /// The words that no reply, message and file may repeat.
    let words: [String]

    init(_ content: Content, hiding words: [String], scheme: String, host: String, port: Int) {
        (self.content, self.words) = (content, words)
        (self.scheme, self.host, self.port) = (scheme, host, port)
    }

    private convenience init(_ content: Content, hiding words: [String], for address: WebAddress) {
        self.init(content, hiding: words, scheme: address.scheme, host: address.host, port: address.port)
    }

    /// Creates a header, `Name: value`, for an address's origin; the `words` are its secret parts, if they are known.
    package convenience init(header: String, hiding words: [String]? = nil, for address: WebAddress) {
        self.init(.header(header), hiding: words ?? SecretWords.ofHeader(header), for: address)
    }

    package convenience init(parameter name: String, _ value: String, for address: WebAddress) {
        self.init(.parameter(name: name, value: value), hiding: [value], for: address)
    }

    /// Creates a form for an address's origin; a request with it is a POST, and redirects are not followed.
    package convenience init(
        form fields: [(name: String, value: String)], hiding words: [String], for address: WebAddress
    ) {
        let text = fields.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
        self.init(.form(text), hiding: words, for: address)
    }

    /// Whether it is a form.
    var isForm: Bool { if case .form = content { true } else { false } }

    /// Returns the content for a request to an address of the origin; `nil` for any other address.
    func content(at address: WebAddress) -> Content? {
        scheme === address.scheme && host === address.host && port == address.port ? content : nil
    }

    /// Whether both have the same content for the same origin, byte by byte.
    package static func == (left: Secret, right: Secret) -> Bool {
        left === right || left.parts.elementsEqual(right.parts, by: { $0 === $1 }) && left.port == right.port
    }

    package func hash(into hasher: inout Hasher) { ExactText(host).hash(into: &hasher) }

    private var parts: [String] {
        let own =
            switch content {
            case .header(let line): ["header", line]
            case .parameter(let name, let value): ["parameter", name, value]
            case .password(let user, let password): ["password", user, password]
            case .form(let text): ["form", text]
            }
        return own + [scheme, host]
    }

    /// The origin, without the content.
    package var description: String { "a secret for \(scheme)://\(host):\(port)" }

    /// A mirror without the content.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
