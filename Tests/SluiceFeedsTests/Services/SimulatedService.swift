// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin

@testable import SluiceFeeds

/// Replies of a photo service as documented: three pages of photos, the last one short.
struct SimulatedService: Sendable, CustomStringConvertible {
    /// The recipe's name.
    let name: String
    /// The listing to load, as in the SOURCE after the colon.
    let listing: String
    /// The photos' ids, page by page.
    let ids: [[String]]
    /// Returns the page number of a request; `nil` if it is not a page request.
    let number: @Sendable (OriginRequest) -> Int?
    /// Returns the reply for a page.
    let page: @Sendable (_ number: Int, _ ids: [[String]], OriginRequest) -> OriginReply
    /// The reply to too many requests.
    var throttled = OriginReply.text("slow down", status: 429, headers: [OriginHeader("Retry-After", "0")])

    var description: String { name }

    /// Returns the reply to a request.
    func reply(to request: OriginRequest) -> OriginReply {
        if request.method == "POST" { return .json(#"{"access_token":"granted-TOKEN","expires_in":36000}"#) }
        guard let number = number(request) else { return .text("not found", status: 404) }
        return page(number, ids, request)
    }

    static let all: [SimulatedService] = [
        unsplash, picsum, commons, met, artic, nasa, pexels, pixabay, openverse, flickr, archive, loc,
    ]

    /// Returns a JSON array of records.
    static func list(_ ids: [String], _ record: (String) -> String) -> String {
        "[" + ids.map(record).joined(separator: ",") + "]"
    }

    /// Three pages, the last one short.
    static let threePages = [["1", "2"], ["3", "4"], ["5"]]

    /// Reads the page number from a query parameter.
    static func pageNumber(_ parameter: String) -> @Sendable (OriginRequest) -> Int? {
        { request in request.query(parameter).flatMap { Int($0) } }
    }
}
