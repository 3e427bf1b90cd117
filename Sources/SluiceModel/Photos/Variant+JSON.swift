// SPDX-License-Identifier: MIT

extension Variant {
    /// Writes name, address and size, as the ledger and plans store them.
    package func write(to object: inout JSONWriter) {
        object.member("name", name)
        object.member("url", url)
        object.member("width", width)
        object.member("height", height)
    }

    /// Reads the members that ``write(to:)`` writes; missing texts are empty.
    package init(_ json: JSON) {
        self.init(
            name: json["name"]?.text ?? "", url: json["url"]?.text ?? "", width: json["width"]?.integer,
            height: json["height"]?.integer)
    }
}
