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

// Services with numbered pages.

extension SimulatedService {
    static let unsplash = SimulatedService(
        name: "unsplash", listing: "collection/1", ids: threePages, number: pageNumber("page"),
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"id":"\#(id)","description":null,"alt_description":"a","urls":{"regular":"https://i.test/\#(id)"}}"#
            }
            let next =
                number < ids.count
                ? [OriginHeader("Link", "<https://api.unsplash.com/x?page=\(number + 1)>; rel=\"next\"")] : []
            return .json(
                records, headers: next + [OriginHeader("X-Total", "5"), OriginHeader("X-Ratelimit-Remaining", "7")])
        },
        throttled: .text("Rate Limit Exceeded", status: 403, headers: [OriginHeader("X-Ratelimit-Remaining", "0")]))

    /// Gives no total and links to a next page even after the last photo, so the listing ends with an empty page.
    static let picsum = SimulatedService(
        name: "picsum", listing: "", ids: [["1", "2"], ["3", "4"], []], number: pageNumber("page"),
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"id":"\#(id)","author":"A","width":10,"height":10,"url":"https://u.test/","download_url":"https://i.test/\#(id)"}"#
            }
            let relation = ids[number - 1].isEmpty ? "prev" : "next"
            return .json(
                records,
                headers: [
                    OriginHeader("Link", "<https://picsum.photos/v2/list?page=\(number + 1)>; rel=\"\(relation)\"")
                ])
        })

    static let artic = SimulatedService(
        name: "artic", listing: "", ids: threePages, number: pageNumber("page"),
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"id":\#(id),"title":"T","image_id":"im-\#(id)","is_public_domain":true,"thumbnail":{"width":"900","height":700,"lqip":""}}"#
            }
            return .json(
                #"{"pagination":{"total":5,"total_pages":3,"current_page":\#(number)},"data":\#(records),"config":{"iiif_url":"https://www.artic.edu/iiif/2"}}"#
            )
        })

    /// The last page follows from the total; a request for a further page is an error.
    static let pixabay = SimulatedService(
        name: "pixabay", listing: "search/x", ids: [["1", "2", "3"], ["4", "5", "6"], ["7"]],
        number: pageNumber("page"),
        page: { number, ids, _ in
            guard number <= ids.count else { return .text("[ERROR 400] \"page\" is out of valid range.", status: 400) }
            let records = list(ids[number - 1]) { id in
                #"{"id":\#(id),"tags":"a, b","user":"u","user_id":9,"largeImageURL":"https://i.test/\#(id)","imageWidth":5000}"#
            }
            return .json(#"{"total":900,"totalHits":7,"hits":\#(records)}"#)
        },
        throttled: .text(
            "", status: 429,
            headers: [OriginHeader("X-RateLimit-Remaining", "0"), OriginHeader("X-RateLimit-Reset", "0")]))

    static let openverse = SimulatedService(
        name: "openverse", listing: "search/x", ids: threePages, number: pageNumber("page"),
        page: { number, ids, _ in
            let records = list(ids[number - 1]) { id in
                #"{"id":"\#(id)","title":"T","creator":"","license":"by-sa","license_version":"4.0","url":"https://i.test/\#(id)"}"#
            }
            return .json(#"{"result_count":5,"page_count":3,"page_size":2,"page":\#(number),"results":\#(records)}"#)
        },
        throttled: .json(
            #"{"detail":"Request was throttled."}"#, status: 429,
            headers: [
                OriginHeader("X-RateLimit-Remaining-anon_burst", "0"),
                OriginHeader("X-RateLimit-Reset-anon_burst", "0"),
            ]))

    /// Gives numbers as texts, has videos among the photos, and reports errors with status 200.
    static let flickr = SimulatedService(
        name: "flickr", listing: "album/7", ids: threePages, number: pageNumber("page"),
        page: { number, ids, _ in
            let records = list(ids[number - 1] + ["v\(number)"]) { id in
                """
                {"id":"\(id)","media":"\(id.hasPrefix("v") ? "video" : "photo")","title":"T","ownername":"O","license":"4",
                "url_l":"https://live.test/\(id)","width_l":"1024","height_l":768}
                """
            }
            return .json(
                #"{"photoset":{"owner":"9@N0","page":\#(number),"pages":"3","total":"5","photo":\#(records)},"stat":"ok"}"#
            )
        },
        throttled: .json(#"{"stat":"fail","code":105,"message":"Service currently unavailable"}"#))
}
