// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin

@testable import SluiceFeeds

// Services whose replies contain the next page's address or cursor.

extension SimulatedService {
    /// All of `continue` must be sent back; a file's details may come one reply after its name.
    static let commons = SimulatedService(
        name: "commons", listing: "category/Lakes", ids: [["1", "2"], [], ["3"]],
        number: { request in
            switch (request.query("gcmcontinue"), request.query("iistart"), request.query("continue")) {
            case (nil, nil, nil): 1
            case ("b", "2", "||"): 2
            case ("c", nil, "-||"): 3
            default: nil
            }
        },
        page: { number, ids, _ in
            let records = list(number == 2 ? ["9"] : ids[number - 1]) { id in
                let info = #"""
                    [{"url":"https://upload.test/\#(id)","width":10,"height":20,"user":"U","descriptionurl":"https://c.test/",
                    "extmetadata":{"Artist":{"value":"<a href='x'>Ida &amp; Bo</a>"},"LicenseShortName":{"value":"CC BY-SA 4.0"}}}]
                    """#
                return #"{"pageid":\#(id),"title":"File:\#(id).jpg"\#(id == "9" ? "" : ",\"imageinfo\":\(info)")}"#
            }
            let next = [
                #""continue":{"gcmcontinue":"b","iistart":2,"continue":"||"},"#,
                #""continue":{"gcmcontinue":"c","continue":"-||"},"#, "",
            ]
            return .json("{\(next[number - 1])\"query\":{\"pages\":\(records)}}")
        },
        throttled: .json(#"{"error":{"code":"maxlag","info":"Waiting for a database server"}}"#))

    static let nasa = SimulatedService(
        name: "nasa", listing: "search/x", ids: threePages, number: { Int($0.query("page") ?? "1") },
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"data":[{"nasa_id":"\#(id)","title":"T","center":"JPL","media_type":"image"}],"links":[{"rel":"preview","href":"http://i.test/a b/\#(id)~thumb.jpg"}]}"#
            }
            let links =
                number < 3
                ? #"[{"rel":"prev","href":"x"},{"rel":"next","href":"http://images-api.nasa.gov/search?q=x&page=\#(number + 1)"}]"#
                : "[]"
            return .json(#"{"collection":{"items":\#(records),"links":\#(links),"metadata":{"total_hits":5}}}"#)
        })

    /// Has `next_page` only if there is one; a 429 has no `Retry-After`.
    static let pexels = SimulatedService(
        name: "pexels", listing: "collection/c", ids: threePages, number: { Int($0.query("page") ?? "1") },
        page: { number, ids, _ in
            let records = list(ids[number - 1] + ["v"]) { id in
                id == "v"
                    ? #"{"type":"Video","id":1}"#
                    : #"{"type":"Photo","id":\#(id),"alt":"","photographer":"P","src":{"large2x":"https://i.test/\#(id)"}}"#
            }
            let next = number < 3 ? #","next_page":"http://api.pexels.com/v1/collections/c?page=\#(number + 1)""# : ""
            return .json("{\"page\":\(number),\"media\":\(records)\(next)}")
        },
        throttled: .json(#"{"error":"limit exceeded"}"#, status: 429))

    static let archive = SimulatedService(
        name: "archive", listing: "collection/nasa", ids: threePages,
        number: { ["": 1, "W2": 2, "W3": 3][$0.query("cursor") ?? ""] },
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in #"{"identifier":"\#(id)","title":["T"],"creator":["C","D"]}"# }
            let cursor = number < 3 ? #","cursor":"W\#(number + 1)""# : ""
            return .json(#"{"items":\#(records),"total":5\#(cursor)}"#)
        }, throttled: .text("", status: 503))

    /// The next page is null at the end; too many requests give an HTML page.
    static let loc = SimulatedService(
        name: "loc", listing: "collection/glass", ids: threePages, number: { Int($0.query("sp") ?? "1") },
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"id":"\#(id)","title":"T","image_url":["//t.test/s","http://t.test/l#h=5&w=9"],"partof":["p","q"]}"#
            }
            let next = number < 3 ? #""http://www.loc.gov/collections/glass/?fo=json&sp=\#(number + 1)""# : "null"
            return .json(#"{"results":\#(records),"pagination":{"of":5,"total":3,"next":\#(next)}}"#)
        }, throttled: OriginReply(type: "text/html", Array("<html>Are you a person?".utf8)))

    /// One list of ids, then one request for each; some ids no longer exist and some works have no picture.
    static let met = SimulatedService(
        name: "met", listing: "search/x", ids: [["1", "2"], ["3", "4"], ["5"]],
        number: { request in
            if request.path.hasSuffix("/search") { return 0 }
            return request.path.split(separator: "/").last.flatMap { Int($0) }
        },
        page: { id, _, _ in
            if id == 0 { return .json(#"{"total":8,"objectIDs":[1,2,7,3,4,8,5]}"#) }
            if id == 7 { return .text("gone", status: 404) }
            let image = id == 8 ? "" : "https://images.test/\(id)"
            return .json(
                #"{"objectID":\#(id),"title":"T","primaryImage":"\#(image)","isPublicDomain":true,"artistDisplayName":""}"#
            )
        }, throttled: OriginReply(type: "text/html", Array("<!doctype html>".utf8)))
}
