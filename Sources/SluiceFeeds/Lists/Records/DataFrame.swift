// SPDX-License-Identifier: MIT

internal import SluiceModel

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
