// SPDX-License-Identifier: MIT

/// The gallery's static files, which are embedded in the code.
enum Assets {
    static let style = PackageResources.style_css
    static let dark = PackageResources.dark_css
    static let frontPage = HTMLTemplate(PackageResources.index_html)
    static let plainPage = HTMLTemplate(PackageResources.page_html)

    static let reportPage = HTMLTemplate(PackageResources.report_html)
    static let reportStyle = HTML(trusted: PackageResources.report_css)
    /// The SHA-256 of the style, which the report's content security policy allows.
    ///
    /// A test checks that it is up to date.
    static let reportStyleHash = "sha256-dSRvggcAM66AIGQlXivTq3mYJvievTbEEfb2ltg3rMc="

    /// All scripts joined into one file, in the order in which they depend on each other.
    static let script: [UInt8] =
        PackageResources.data_js + PackageResources.layout_js + PackageResources.view_js
        + PackageResources.placeholder_js + PackageResources.tiles_js + PackageResources.grid_js
        + PackageResources.keys_js + PackageResources.detail_js + PackageResources.live_js
        + PackageResources.main_js
}
