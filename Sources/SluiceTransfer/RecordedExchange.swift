// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// A request and its response as they crossed the wire, for an archive.
package struct RecordedExchange: Sendable {
    /// The address of this hop, without credentials.
    package var url: String
    /// When the request was sent, in seconds since 1970.
    package var time: Int
    /// The server's numeric address; `nil` if a proxy hides it.
    package var server: String?
    /// The heads of the request and of the response.
    package var heads: RecordedHeads
    /// The status of the response.
    package var status: Int
    /// The media type of the response, as received.
    package var mediaType: String?
    /// The body of the response, without its transfer encoding.
    package var body: Body
    /// Whether the body was not received to its end.
    package var isCut: Bool

    package init(
        url: String, time: Int, server: String?, heads: RecordedHeads, status: Int, mediaType: String?, body: Body,
        isCut: Bool
    ) {
        (self.url, self.time, self.server, self.heads) = (url, time, server, heads)
        (self.status, self.mediaType, self.body, self.isCut) = (status, mediaType, body, isCut)
    }

    /// Where the bytes of a body are.
    package enum Body: Sendable {
        case memory([UInt8])
        /// A downloaded file, which must not change while the exchange is recorded.
        case file(PartialFile, sha256: String)
    }
}

/// The lines before the bodies of a request and its response, with their line ends and the empty line.
package struct RecordedHeads: Sendable, Hashable {
    package private(set) var request: [UInt8] = []
    package private(set) var response: [UInt8] = []
    /// Whether the response's head is complete; later lines are trailers of the body.
    private var isComplete = false

    package init() {}

    /// Adds bytes that libcurl has sent; a head after a complete one belongs to a repeated request.
    package mutating func add(sent bytes: [UInt8]) {
        if request.suffix(4) == [13, 10, 13, 10] { request = [] }
        request += bytes
    }

    /// Removes secrets that the response repeats; the values of the request's own fields are left to the recorder.
    mutating func redact(_ redaction: Redaction) {
        request = redaction.redacted(request) ?? request
        response = redaction.redacted(response) ?? response
    }

    /// Adds a received line, but the values of cookies are secrets of the run.
    ///
    /// A status line begins a new head, because interim responses have their own.
    package mutating func add(received line: [UInt8]) {
        if line.starts(with: "HTTP/".utf8) {
            (response, isComplete) = ([], false)
        } else if isComplete {
            return
        }
        let isCookie = line.count > 11 && String(decoding: line.prefix(11), as: UTF8.self).lowercased() == "set-cookie:"
        response += isCookie ? line.prefix(11) + " ***\r\n".utf8 : line[...]
        isComplete = line.allSatisfy { $0 == 13 || $0 == 10 }
    }
}

/// Records exchanges, for example in an archive.
package protocol ExchangeRecording: Sendable {
    /// Records an exchange; called once the response is complete, and before its file is used.
    func record(_ exchange: RecordedExchange) throws(Failure)
}
