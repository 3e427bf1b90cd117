// SPDX-License-Identifier: MIT

/// The gallery's own files, which the package carries in its code.
enum Assets {
    static let style = PackageResources.style_css
    static let dark = PackageResources.dark_css
    static let frontPage = Template(PackageResources.index_html)
    static let plainPage = Template(PackageResources.page_html)

    static let reportPage = Template(PackageResources.report_html)
    static let reportStyle = HTML(ours: PackageResources.report_css)
    /// The style's SHA-256, by which the report's page lets it in and nothing else; a test tells when it changes.
    static let reportStyleHash = "sha256-dSRvggcAM66AIGQlXivTq3mYJvievTbEEfb2ltg3rMc="

    /// One script of many files: fewer names on disk, and the order is fixed.
    static let script: [UInt8] =
        PackageResources.data_js + PackageResources.layout_js + PackageResources.view_js
        + PackageResources.placeholder_js + PackageResources.tiles_js + PackageResources.grid_js
        + PackageResources.keys_js + PackageResources.detail_js + PackageResources.live_js
        + PackageResources.main_js
}
