// SPDX-License-Identifier: MIT

/// Where a reply has its records: `results`, or with a `?` behind it where a reply without any may leave the place out.
///
/// `.` is a reply that is itself the one record.
struct RecordsPath: Sendable {
    let path: FieldPath
    let mayLack: Bool
    let isSingle: Bool

    /// The reply is a list.
    static let whole = RecordsPath()
    private init() { (path, mayLack, isSingle) = (.whole, false, false) }

    /// Reads the member `records`; `nil` where there is none.
    init?(_ node: RecipeNode) {
        guard let text = node.text("records") else { return nil }
        isSingle = text == "."
        mayLack = text.hasSuffix("?")
        guard let path = isSingle ? .whole : FieldPath(mayLack ? String(text.dropLast()) : text) else {
            node.note("is no path: names stand between dots, elements in brackets", at: "records")
            return nil
        }
        self.path = path
    }
}
