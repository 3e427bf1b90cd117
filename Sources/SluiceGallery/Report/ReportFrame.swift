// SPDX-License-Identifier: MIT

/// The frame of all reports: one self-contained page without scripts, with a heading and the report's style.
struct ReportFrame {
    /// The kind of report, above the heading.
    let kind: String
    /// The kind in the browser's tab.
    let tab: String
    let title: String
    /// The line below the heading.
    let counts: String
    /// The address of the gallery; `nil` shows no link.
    var gallery: String?

    func page(_ main: HTML) -> [UInt8] {
        Assets.reportFrame.filled([
            "style": html { $0.append(Assets.reportStyle) }, "hash": html { $0.text(Assets.reportStyleHash) },
            "kind": html { $0.text(kind) }, "tab": html { $0.text(tab) }, "title": html { $0.text(title) },
            "counts": html { $0.text(counts) }, "gallery": link, "main": main,
        ])
    }

    private var link: HTML {
        html { html in
            guard let gallery else { return }
            html.markup(" · <a")
            html.attribute("href", gallery)
            html.markup(">Gallery</a>")
        }
    }
}
