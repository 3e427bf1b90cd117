// SPDX-License-Identifier: MIT

extension Thumb {
    /// Writes the thumbnail, as the ledger, the manifest and events have it.
    package func write(to object: inout JSONWriter) {
        // A number, unless it is a pair such as 320x240.
        if let size = Int(size) { object.member("size", size) } else { object.member("size", size) }
        object.member("file", file.path)
        object.member("width", width)
        object.member("height", height)
        object.member("bytes", file.bytes)
        object.member("format", format)
        object.member("sha256", file.sha256)
    }

    /// Reads the members that ``write(to:)`` writes; missing texts are empty, and missing numbers are 0.
    package init(_ json: JSON) {
        self.init(
            size: json["size"]?.text ?? "", width: json["width"]?.integer ?? 0, height: json["height"]?.integer ?? 0,
            format: json["format"]?.text ?? "",
            file: StoredFile(
                path: json["file"]?.text ?? "", bytes: json["bytes"]?.quantity ?? 0,
                sha256: json["sha256"]?.text ?? ""))
    }
}
