// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The front page, `index.html`: the frame that the script fills, and what can be shown without the script.
struct FrontPage {
    let options: GalleryOptions
    let counts: GalleryCounts
    /// The first photos, which browsers without JavaScript show.
    let first: [Tile]
    /// The number of photos that ``first`` holds at most.
    static let firstLength = 48

    var bytes: [UInt8] {
        Assets.frontPage.filled([
            "title": html { $0.text(title(of: options)) }, "counts": countsText, "facts": facts,
            "scheme": colorScheme(of: options), "styles": styleLinks(of: options, in: "gallery/"), "links": links,
            "empty": empty, "plain": plain,
            "tools": html { if counts.items == 0 { $0.markup(" hidden") } },
        ])
    }

    /// The facts that the script needs before it loads data.
    ///
    /// Attributes, because the page's policy forbids inline scripts.
    private var facts: HTML {
        html {
            $0.attribute("data-items", counts.items)
            $0.attribute("data-chunk", GalleryWriter.chunkLength)
            $0.attribute("data-blocks", counts.blocks)
            $0.attribute("data-sections", counts.sections)
            $0.attribute("data-formats", formats)
            $0.attribute("data-columns", columns)
            $0.attribute("data-resumable", options.isResumable ? "" : nil)
            $0.attribute("data-running", options.isRunning ? "" : nil)
        }
    }

    /// The formats that the page can filter by, each with its letter in the index: `jpeg=j png=p other=o`.
    private var formats: String {
        let letters = StoredFormat.all.map { ($0.name, $0.indexLetter) } + [("other", StoredFormat.otherLetter)]
        return letters.map { "\($0)=\($1)" }.joined(separator: " ")
    }

    /// The columns that the table shows.
    private var columns: String {
        TableColumn.allCases.filter { !counts.emptyColumns.contains($0) }.map(\.rawValue).joined(separator: " ")
    }

    private var countsText: HTML {
        html {
            if counts.items == 0, options.isRunning { return $0.markup("Just started") }
            if counts.items == 0 { return $0.markup("No photos yet") }
            $0.markup("<span>")
            $0.append(counts.html(isRunning: options.isRunning, expected: options.expectedCount))
            $0.markup("</span>")
            guard options.isRunning else { return }
            // The text must remain true if the run is killed and the page is never updated.
            $0.markup(" <span class=\"running\">")
            $0.text("a run was in progress" + (options.updatedAt.map { " at \($0)" } ?? ""))
            $0.markup("</span>")
            guard options.isResumable else { return }
            $0.markup(
                "<span class=\"resume\">If it was stopped, <code>sluice mirror</code> in this folder resumes it.</span>"
            )
        }
    }

    private var links: HTML {
        html {
            if counts.items > 0 { $0.markup("<a href=\"gallery/pages/1.html\">Plain pages</a>") }
            guard let report = options.report.map(relativeAddress), !report.isEmpty else { return }
            $0.markup("<a")
            $0.attribute("href", report)
            $0.markup(">Run report</a>")
        }
    }

    private var plain: HTML {
        html {
            guard counts.items > 0 else { return }
            $0.markup("<noscript>")
            $0.append(PlainFigures(tiles: first, root: "", isResumable: options.isResumable).html)
            $0.markup("<p class=\"notice\">")
            if counts.items > first.count {
                $0.text("These are the first \(first.count) of \(grouped(counts.items)) photos. ")
                $0.markup("<a href=\"gallery/pages/1.html\">Show all photos</a>. ")
            }
            $0.markup("Search, filters and the detail view need JavaScript.</p></noscript>")
        }
    }

    private var empty: HTML {
        html {
            guard counts.items == 0 else { return }
            $0.markup("<div class=\"empty\"><svg aria-hidden=\"true\"><use href=\"#icon-photos\"/></svg>")
            if options.isRunning {
                $0.markup("<h2>The first photos are being downloaded</h2><p>Reload this page to see them.</p>")
            } else {
                $0.markup("<h2>This gallery is empty</h2><p>Photos appear here after a run has downloaded some.</p>")
            }
            $0.markup("</div>")
        }
    }
}

/// The heading: the title, limited in length, or a default.
func title(of options: GalleryOptions) -> String {
    options.title.shown(upTo: 300) ?? "Photos"
}

func html(_ build: (inout HTML) -> Void) -> HTML {
    var html = HTML()
    build(&html)
    return html
}
