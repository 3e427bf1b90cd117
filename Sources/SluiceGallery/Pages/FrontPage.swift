// SPDX-License-Identifier: MIT

/// `index.html`: the frame that the script fills, with everything that can be said without it.
struct FrontPage {
    let options: GalleryOptions
    let tally: Tally

    var bytes: [UInt8] {
        Assets.frontPage.filled([
            "title": html { $0.text(title(of: options)) }, "counts": counts, "facts": facts,
            "scheme": colorScheme(of: options), "styles": styleLinks(of: options, in: "gallery/"), "links": links,
            "empty": empty, "plain": plain,
            "tools": html { if tally.items == 0 { $0.markup(" hidden") } },
        ])
    }

    /// What the script must know before any data is there; attributes, since the page allows no script within it.
    private var facts: HTML {
        html {
            $0.attribute("data-items", tally.items)
            $0.attribute("data-chunk", GalleryWriter.chunkLength)
            $0.attribute("data-blocks", tally.blocks)
            $0.attribute("data-sections", tally.sections)
            $0.attribute("data-goes-on", options.goesOn ? "" : nil)
            $0.attribute("data-running", options.isRunning ? "" : nil)
        }
    }

    private var counts: HTML {
        html {
            if tally.items == 0, options.isRunning { return $0.markup("Just begun") }
            if tally.items == 0 { return $0.markup("No photos yet") }
            $0.text(tally.words(isRunning: options.isRunning, expected: options.expected))
            guard options.isRunning else { return }
            // A run that is killed leaves the page as it is: it must go on being true.
            $0.markup(" <span class=\"running\">")
            $0.text("a run was under way" + (options.moment.map { " at \($0)" } ?? ""))
            $0.markup("</span>")
            guard options.goesOn else { return }
            $0.markup(
                "<span class=\"resume\">If it was stopped, <code>sluice mirror</code> in this folder goes on.</span>")
        }
    }

    private var links: HTML {
        html {
            if tally.items > 0 { $0.markup("<a href=\"gallery/pages/1.html\">Plain pages</a>") }
            guard let report = options.report.map(relativeAddress), !report.isEmpty else { return }
            $0.markup("<a")
            $0.attribute("href", report)
            $0.markup(">Report of the run</a>")
        }
    }

    private var plain: HTML {
        html {
            guard tally.items > 0 else { return }
            $0.markup("<noscript><p class=\"notice\">This page is livelier with JavaScript. Without it, ")
            $0.markup("<a href=\"gallery/pages/1.html\">all photos stand on plain pages</a>.</p></noscript>")
        }
    }

    private var empty: HTML {
        html {
            guard tally.items == 0 else { return }
            $0.markup("<div class=\"empty\"><svg aria-hidden=\"true\"><use href=\"#icon-photos\"/></svg>")
            if options.isRunning {
                $0.markup("<h2>The first photos are on their way</h2><p>Reload this page to see what has arrived.</p>")
            } else {
                $0.markup("<h2>There is nothing here yet</h2><p>Photos appear as soon as a run has fetched some.</p>")
            }
            $0.markup("</div>")
        }
    }
}

/// The heading: the title, bounded, and never nothing.
func title(of options: GalleryOptions) -> String {
    options.title.shown(upTo: 300) ?? "Photos"
}

/// HTML that a closure builds.
func html(_ build: (inout HTML) -> Void) -> HTML {
    var html = HTML()
    build(&html)
    return html
}
