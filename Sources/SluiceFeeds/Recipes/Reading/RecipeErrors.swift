// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// How a service says what went wrong, in replies that may have a good status.
struct RecipeErrors: Sendable {
    static let members = ["message", "code", "throttled", "busyPages", "limit", "offline", "unknown"]

    /// Where a reply has words for people.
    var message: FieldPath?
    /// Where a reply has a word for programs.
    var code: FieldPath?
    /// The words that mean: later.
    var throttled: Set<String> = []
    /// Whether a page for people in place of a listing means: later.
    var arePagesBusy = false
    /// The status, beside 429, that means: later.
    var limit: Int?

    /// What is said where the service cannot be reached...
    var offline: String?
    /// ...and where it fails without a word.
    var unknown: String?

    init() {}

    init(_ node: RecipeNode) {
        node.allow(Self.members)
        message = node.text("message").flatMap { FieldPath($0) }
        code = node.text("code").flatMap { FieldPath($0) }
        throttled = Set((node["throttled"]?.children ?? []).compactMap(\.node.text))
        arePagesBusy = node.flag("busyPages")
        limit = node.integer("limit", from: 400)
        offline = node.text("offline")
        unknown = node.text("unknown")
    }

    /// Throws what a reply with a good status says of a failure.
    func check(_ reply: JSON) throws(Failure) {
        let code = code?.text(in: reply)
        if let code, throttled.contains(code) { throw Failure(.httpTooManyRequests, words(reply) ?? code, status: 200) }
        guard let message, let words = message.text(in: reply) else { return }
        throw Failure(.unexpectedStatus, code.map { "\(words) (\($0))" } ?? words, status: 200)
    }

    /// The recipe's own sentence for a failure of which the service says nothing, with the evidence behind it.
    func sentence(for failure: Failure) -> String? {
        let sentence: String?
        switch failure.cause {
        case .cancelled: return nil
        case .dns, .connect, .timeout, .tls: sentence = offline
        default: sentence = unknown
        }
        return sentence.map { failure.detail.isEmpty ? $0 : "\($0) (\(failure.detail))" }
    }

    /// What a reply says in words.
    func words(_ reply: JSON) -> String? { message?.text(in: reply) }
}
