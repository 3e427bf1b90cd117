// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The gallery's static files, which are embedded in the code.
enum Assets {
    static let style = PackageResources.style_css
    static let dark = PackageResources.dark_css
    static let frontPage = HTMLTemplate(PackageResources.index_html)
    static let plainPage = HTMLTemplate(PackageResources.page_html)

    /// A map of the world in a cylindrical projection with square degrees.
    ///
    /// It shows the land of Natural Earth at a scale of 1:110 million, which is in the public domain.
    static let world = PackageResources.world_png

    static let reportFrame = HTMLTemplate(PackageResources.report_html)
    static let runReport = HTMLTemplate(PackageResources.run_html)
    static let reportStyle = HTML(trusted: PackageResources.report_css)
    /// The SHA-256 of the style, which the report's content security policy allows.
    ///
    /// A test checks that it is up to date.
    static let reportStyleHash = "sha256-6sJolw/o5mBfgqqbiCPJZTxdkuJRgKW1ughKO0MxJ8k="

    static let copiesPage = HTMLTemplate(PackageResources.copies_html)
    static let copiesStyle = HTML(trusted: PackageResources.copies_css)
    static let copiesScript = HTML(trusted: PackageResources.copies_js)
    /// The SHA-256 of both, which a test checks.
    static let copiesStyleHash = "sha256-PZ4sxDTgJyyeR5oh42oArD7IFz0Kj4pT3C3qgFQXfx0="
    static let copiesScriptHash = "sha256-1sy41SAfbV9Y8wWzdrbWf54Lzs5QjJsh60GBLb2ZslI="

    /// The scripts of the grid and the table, joined in the order in which they depend on each other.
    static let script = compacted(
        PackageResources.data_js, PackageResources.common_js, PackageResources.layout_js, PackageResources.view_js,
        PackageResources.placeholder_js, PackageResources.tiles_js, PackageResources.grid_js,
        PackageResources.keys_js, PackageResources.selection_js, PackageResources.scrubber_js,
        PackageResources.print_js,
        PackageResources.live_js, PackageResources.main_js)

    /// The scripts of the detail view, the list of keys and the selection's actions, which the page loads when it first
    /// needs one of them.
    static let detailScript = compacted(
        PackageResources.texts_js, PackageResources.actions_js, PackageResources.help_js, PackageResources.zoom_js,
        PackageResources.palette_js, PackageResources.stage_js, PackageResources.similar_js, labels,
        PackageResources.detail_js)

    /// The script that marks photos, which no mirror has.
    static let editScript = compacted(PackageResources.marks_js, PackageResources.edit_js)

    /// The script that joins photos to an archive, which the page loads for the first download.
    static let zipScript = compacted(PackageResources.zip_js)

    /// Joins scripts without indentation, empty lines and lines that are comments, which are a quarter of the scripts.
    ///
    /// No string in the scripts may span lines.
    static func compacted(_ scripts: [UInt8]...) -> [UInt8] {
        var result = Array("// SPDX-License-Identifier: MIT\n".utf8)
        for line in scripts.flatMap({ $0.split(separator: UInt8(ascii: "\n")) }) {
            let code = line.drop { $0 == UInt8(ascii: " ") }
            if code.isEmpty || code.starts(with: "//".utf8) { continue }
            result += code
            result.append(UInt8(ascii: "\n"))
        }
        return result
    }

    /// The script that lists the photo fields with a label, for the detail view.
    private static let labels: [UInt8] = {
        var writer = JSONWriter()
        writer.array { list in
            for field in PhotoField.all {
                guard case .ofFeed(_, let label?, let link) = field.gallery else { continue }
                list.object { object in
                    object.member("name", field.name)
                    object.member("label", label)
                    object.member("link", link ?? (field.kind == .link ? field.name : nil))
                    if field.kind == .date { object.member("isDate", true) }
                    if field.kind == .object { object.member("isObject", true) }
                }
            }
        }
        return Array("sluice.fields = ".utf8) + writer.bytes + Array(";\n\n".utf8)
    }()
}
