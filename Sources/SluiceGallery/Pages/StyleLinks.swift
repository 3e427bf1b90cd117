// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The style sheets behind the gallery's own: dark colours where they are wanted, and the user's.
///
/// Paper is light, whatever the screen is.
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

/// What the browser's own parts, such as scroll bars, look like.
func colorScheme(of options: GalleryOptions) -> HTML {
    html { $0.text(options.theme == .auto ? "light dark" : options.theme.rawValue) }
}
