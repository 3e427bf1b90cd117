// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The pictures that a browser loaded, in the file that its network panel saves (HAR 1.2).
enum BrowserTraffic {
    /// Returns the pictures in the order of their requests; `nil` for another document.
    static func photos(in json: JSON) -> [Photo]? {
        guard let entries = json["log"]?["entries"]?.elements else { return nil }
        var seen: TextSet = []
        return entries.compactMap { entry in
            guard let request = entry["request"], let address = request["url"]?.text, isPicture(entry, at: address),
                ListAddress.problem(with: Array(address.utf8)) == nil, seen.insert(address)
            else { return nil }
            var photo = ListRecord.photo(at: address)
            let fields = request["headers"]?.elements ?? []
            photo.pageURL = fields.first { $0["name"]?.text?.lowercased() == "referer" }?["value"]?.text
            return photo
        }
    }

    /// Whether the reply to a request was a picture; a drawing (SVG) is none.
    private static func isPicture(_ entry: JSON, at address: String) -> Bool {
        let type = entry["response"]?["content"]?["mimeType"]?.text?.lowercased() ?? ""
        guard type.hasPrefix("image/") else { return type.isEmpty && PictureName.isPicture(address) }
        return !type.hasPrefix("image/svg") && (entry["response"]?["status"]?.integer ?? 200) < 400
    }
}
