// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Finds the records of photos in a JSON value.
///
/// Records are the elements of arrays at one place (`data.photos`); those of arrays within other records
/// (`posts[].images`) count together, and so do those under names that are data (`train[]` and `test[]`). Of places
/// that are not within another one's records, that with most photos wins. A picture of the object itself is a photo,
/// too.
enum JSONRecords {
    /// Each place is compared with the others.
    private static let maxPlaces = 1000

    /// Returns the photos; none if no record has an address.
    static func photos(in json: JSON, options: ListOptions) -> [Photo] {
        if options.urlColumn == nil, let pictures = BrowserTraffic.pictures(in: json) { return pictures.map(\.photo) }
        if options.urlColumn?.contains(".") != true, let rows = DataFrame.rows(in: json) {
            return rows.enumerated().flatMap { index, row in
                do throws(InvalidText) { return try JSONRecordParser.photos(of: row, options: options) } catch {
                    let id = "row \(index + 1)"
                    return [Photo(invalid: id, because: "\(id): \(error.problem)")]
                }
            }
        }
        let json = RelativeAddresses.resolved(json)
        var (counts, order): (TextMap<Int>, [String]) = ([:], [])
        visit(json, at: "", options) { path, record in
            guard (try? photo(of: record, options)) != nil else { return }
            if counts[path] == nil {
                guard order.count < maxPlaces else { return }
                order.append(path)
            }
            counts[path] = (counts[path] ?? 0) + 1
        }
        var best: String?
        for path in order where !order.contains(where: { isPlace(path, within: $0) }) {
            if counts[path] ?? 0 > best.flatMap({ counts[$0] }) ?? 0 { best = path }
        }
        var photos: [Photo] = []
        if case .object(let members) = json, !isMap(members) {
            // Pictures in its objects are those of users and pages more often than photos.
            let picture = options.urlColumn == nil ? NestedAddress.picture(in: members, maxDepth: 1) : nil
            if options.urlColumn != nil || picture != nil,
                let own = try? JSONRecordParser.photo(of: members, options: options, address: picture)
            {
                photos.append(own)
            }
        }
        visit(json, at: "", options) { path, record in
            if let best, path === best { add(record, options, to: &photos) }
        }
        return photos
    }

    private static func isPlace(_ path: String, within other: String) -> Bool {
        path.utf8.count > other.utf8.count && path.utf8.starts(with: other.utf8)
    }

    /// The names of the members of an object.
    static func names(in json: JSON) -> String {
        guard case .object(let members) = json else { return "none" }
        return members.prefix(20).map(\.name).joined(separator: ", ")
    }

    private static func add(_ record: JSON, _ options: ListOptions, to photos: inout [Photo]) {
        do throws(InvalidText) {
            guard let photo = try photo(of: record, options) else { return }
            photos.append(photo)
            let others = options.urlColumn == nil ? NestedAddress.others(in: record, besides: photo) : []
            photos += ListRecord.photos(like: photo, at: others)
        } catch {
            let id = "element \(photos.count + 1)"
            photos.append(Photo(invalid: id, because: "\(id): \(error.problem)"))
        }
    }

    /// Returns the photo of a record: its picture, or the member that the user chose.
    private static func photo(of record: JSON, _ options: ListOptions) throws(InvalidText) -> Photo? {
        let picture: String?
        switch record {
        case .string(let text): picture = text
        case .object(let members):
            guard options.urlColumn == nil else { return try JSONRecordParser.photo(of: members, options: options) }
            picture = NestedAddress.picture(in: members)
        default: picture = nil
        }
        guard let picture, ListAddress.begins(picture.utf8), PictureName.isPicture(picture) else {
            throw InvalidText(ListRecord.missingAddress)
        }
        guard case .object(let members) = record else { return ListRecord.photo(at: picture) }
        return try JSONRecordParser.photo(of: members, options: options, address: picture)
    }

    /// Calls `body` for the elements of arrays and maps; the records in a folder are at the place of the folder.
    private static func visit(
        _ json: JSON, at path: String, _ options: ListOptions, isFolder: Bool = false,
        _ body: (_ path: String, _ record: JSON) -> Void
    ) {
        switch json {
        case .array(let elements):
            let path = "\(path)[]"
            for element in elements {
                let isFolder = Self.isFolder(element, at: path, options)
                if !isFolder { body(path, element) }
                visit(element, at: path, options, isFolder: isFolder, body)
            }
        case .object(let members):
            let isMap = isMap(members)
            for member in members {
                let name = ".\(isMap ? "*" : member.name)"
                let inner = isFolder && path.hasSuffix("\(name)[]") ? String(path.dropLast(2)) : path + name
                if isMap { body(inner, member.value) }
                visit(member.value, at: inner, options, body)
            }
        default: break
        }
    }

    /// Whether an element of an array is no photo, but has an array of the same name, like a folder of bookmarks.
    private static func isFolder(_ element: JSON, at path: String, _ options: ListOptions) -> Bool {
        guard case .object(let members) = element,
            members.contains(where: { $0.value.elements != nil && path.hasSuffix(".\($0.name)[]") })
        else { return false }
        return (try? photo(of: element, options)) == nil
    }

    /// Whether the names of an object's members are data: all hold pictures, or all hold arrays of pictures.
    ///
    /// Names of renditions are not data.
    private static func isMap(_ members: [JSON.Member]) -> Bool {
        guard members.count > 1, !members.contains(where: { NestedAddress.isRendition($0.name) }) else { return false }
        return members.allSatisfy { $0.value.elements?.first.map(hasPicture) ?? false }
            || members.allSatisfy { ListField(columnNamed: $0.name) == nil && hasPicture($0.value) }
    }

    private static func hasPicture(_ json: JSON) -> Bool {
        switch json {
        case .string(let text): ListAddress.begins(text.utf8) && PictureName.isPicture(text)
        case .object(let members): NestedAddress.picture(in: members) != nil
        default: false
        }
    }
}

/// The tables that `DataFrame.to_json` of pandas writes as one object, in each of its orientations.
enum DataFrame {
    /// Returns the rows as objects; `nil` for another document.
    static func rows(in json: JSON) -> [JSON]? {
        guard case .object(let members) = json, !members.isEmpty else { return nil }
        if let data = json["data"]?.elements {
            if json["schema"]?["fields"]?.elements != nil { return data }
            guard let names = json["columns"]?.elements?.map(\.text), json["index"]?.elements?.count == data.count
            else {
                return nil
            }
            return data.map { row in
                .object(zip(names, row.elements ?? []).map { JSON.Member(name: $0 ?? "", value: $1) })
            }
        }
        var columns: [[JSON.Member]] = []
        for member in members {
            guard case .object(let values) = member.value, !values.isEmpty else { return nil }
            columns.append(values)
        }
        let labels = columns[0].map(\.name)
        guard columns.allSatisfy({ $0.count == labels.count && zip($0, labels).allSatisfy { $0.name === $1 } }) else {
            return nil
        }
        if members.allSatisfy({ isNumber($0.name) }) {
            return labels.contains(where: isAddress) ? members.map(\.value) : nil
        }
        // With labels that are no numbers, only a usual name of the addresses tells columns from rows.
        let holdsAddresses = zip(members, columns).contains { member, values in
            (isNumber(labels[0]) || isAddress(member.name))
                && values.contains { ListAddress.begins(($0.value.text ?? "").utf8) }
        }
        guard holdsAddresses, !labels.contains(where: { isAddress($0) || NestedAddress.isRendition($0) }) else {
            return nil
        }
        return labels.indices.map { row in
            .object(zip(members, columns).map { JSON.Member(name: $0.name, value: $1[row].value) })
        }
    }

    private static func isNumber(_ name: String) -> Bool { Int(name) != nil }

    private static func isAddress(_ name: String) -> Bool { ListField(columnNamed: name) == .url }
}
