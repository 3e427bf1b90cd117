// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Finds the records of photos in a JSON value.
///
/// Records are the elements of arrays at one place (`data.photos`); those of arrays within other records
/// (`posts[].images`) count together. The place with addresses of pictures, closest to the top, with most photos wins.
enum JSONRecords {
    private struct Place {
        let depth: Int
        var count = 0
        var hasPictures = false

        func isBetter(than other: Place) -> Bool {
            if hasPictures != other.hasPictures { return hasPictures }
            return depth == other.depth ? count > other.count : depth < other.depth
        }
    }

    /// Returns the photos; none if no record has an address.
    static func photos(in json: JSON, options: ListOptions) -> [Photo] {
        var (places, order): (TextMap<Place>, [String]) = ([:], [])
        visit(json) { path, depth, record in
            guard let photo = try? JSONRecordParser.photo(ofNested: record, options: options) else { return }
            if places[path] == nil { order.append(path) }
            places[path, default: Place(depth: depth)].count += 1
            if PictureName.isPicture(photo.variants[0].url) { places[path]?.hasPictures = true }
        }
        var best: (path: String, place: Place)?
        for path in order {
            guard let place = places[path], best.map({ place.isBetter(than: $0.place) }) ?? true else { continue }
            best = (path, place)
        }
        var photos: [Photo] = []
        visit(json) { path, _, record in
            if let best, path === best.path { add(record, options, to: &photos) }
        }
        return photos
    }

    private static func add(_ record: JSON, _ options: ListOptions, to photos: inout [Photo]) {
        do throws(ListRecordError) {
            if let photo = try JSONRecordParser.photo(ofNested: record, options: options) { photos.append(photo) }
        } catch {
            let id = "element \(photos.count + 1)"
            photos.append(Photo(invalid: id, because: "\(id): \(error.reason)"))
        }
    }

    /// The names of the members of an object.
    static func names(in json: JSON) -> String {
        guard case .object(let members) = json else { return "none" }
        return members.prefix(20).map(\.name).joined(separator: ", ")
    }

    private static func visit(_ json: JSON, _ body: (_ path: String, _ depth: Int, _ record: JSON) -> Void) {
        if case .object = json { body("", 0, json) }
        visit(json, at: "", depth: 0, body)
    }

    private static func visit(
        _ json: JSON, at path: String, depth: Int, _ body: (_ path: String, _ depth: Int, _ record: JSON) -> Void
    ) {
        switch json {
        case .array(let elements):
            let path = "\(path)[]"
            for element in elements {
                body(path, depth, element)
                visit(element, at: path, depth: depth + 1, body)
            }
        case .object(let members):
            for member in members { visit(member.value, at: "\(path).\(member.name)", depth: depth + 1, body) }
        default: break
        }
    }
}
