// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin

@testable import SluiceFeeds

/// What a service's documentation says that it replies: three pages of photos, the last of them short.
struct ServiceDouble: Sendable, CustomStringConvertible {
    /// The recipe's name.
    let name: String
    /// The listing that is walked, as it stands behind the colon.
    let listing: String
    /// The photos' ids, page by page.
    let ids: [[String]]
    /// The number of the page that a request asks for; `nil` for a request that is for none.
    let number: @Sendable (OriginRequest) -> Int?
    /// A page, with the address that it was asked for at.
    let page: @Sendable (_ number: Int, _ ids: [[String]], OriginRequest) -> OriginReply
    /// What the service says to one who asks too often.
    var throttled = OriginReply.text("slow down", status: 429, headers: [OriginHeader("Retry-After", "0")])

    var description: String { name }

    /// The reply to any request of a walk.
    func reply(to request: OriginRequest) -> OriginReply {
        if request.method == "POST" { return .json(#"{"access_token":"granted-TOKEN","expires_in":36000}"#) }
        guard let number = number(request) else { return .text("no such thing", status: 404) }
        return page(number, ids, request)
    }

    static let all: [ServiceDouble] = [
        unsplash, picsum, commons, met, artic, nasa, pexels, pixabay, openverse, flickr, archive, loc,
    ]

    /// The records of some photos, with commas between them.
    static func list(_ ids: [String], _ record: (String) -> String) -> String {
        "[" + ids.map(record).joined(separator: ",") + "]"
    }

    /// Three pages, the last of them short.
    static let three = [["1", "2"], ["3", "4"], ["5"]]

    /// Pages that a parameter counts.
    static func counted(_ parameter: String) -> @Sendable (OriginRequest) -> Int? {
        { request in request.query(parameter).flatMap { Int($0) } }
    }
}
