// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceOrigin

@testable import SluiceFeeds

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
