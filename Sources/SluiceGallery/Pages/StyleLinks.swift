// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Links to the style sheets that follow the gallery's own: dark colours if the theme has them, and the user's.
///
/// The dark colours apply to screens only; printed pages are always light.
func styleLinks(of options: GalleryOptions, in folder: StaticString) -> HTML {
    html { html in
        func sheet(_ name: StaticString, _ media: StaticString?) {
            html.markup("<link rel=\"stylesheet\" href=\"")
            html.markup(folder)
            html.markup(name)
            html.markup("\"")
            html.attribute("media", media?.description)
            html.markup(">")
        }
        switch options.theme {
        case .auto: sheet("dark.css", "screen and (prefers-color-scheme: dark)")
        case .dark: sheet("dark.css", "screen")
        case .light: break
        }
        if options.style != nil { sheet("user.css", nil) }
    }
}

/// The colour scheme of the browser's own controls, such as scroll bars.
func colorScheme(of options: GalleryOptions) -> HTML {
    html { $0.text(options.theme == .auto ? "light dark" : options.theme.rawValue) }
}
