// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Reads a page's pictures and links from the elements of its document, in one pass.
final class WebPageReader: HTMLHandler {
    /// The maximum length of a page's JSON-LD in bytes.
    private static let maxStructuredLength = 2 << 20
    /// The maximum length of the scripts that are searched for data.
    private static let maxScriptLength = 4 << 20

    /// What surrounds the current position.
    private struct Context {
        var link: Int?
        var figure: Int?
        var picture: Int?
        var region = PageRegion.Kind.body
        var isInMedia = false
        /// Whether an item of type `ImageObject` is open, and whether it is a logo.
        var isImageItem = false
        var isLogo = false
    }

    private var page = WebPage()
    private struct Element {
        let name: String
        var context: Context
        let capture: PageText.Kind?
        /// A picture that its attributes name.
        let named: PagePicture?
        /// The number of pictures before it.
        let before: Int
    }

    private var open: [Element] = []
    private var text = PageText()
    /// The alternatives of the open `<picture>`.
    private var alternatives: [PagePicture.Source] = []
    private var structuredLength = 0
    private var scriptLength = 0
    private var item = PagePicture(.structured)
    /// The number of steps so far, which a test compares with the size of the document.
    private(set) var steps = 0

    /// Reads a document; `charset` is the encoding that the server states.
    static func page(
        of bytes: [UInt8], charset: String? = nil, token: CancellationToken
    ) throws(Failure) -> WebPage {
        let reader = WebPageReader()
        return try reader.read(bytes, charset: charset, token: token)
    }

    func read(_ bytes: [UInt8], charset: String?, token: CancellationToken) throws(Failure) -> WebPage {
        let problem = try HTMLParser.parse(bytes, charset: charset, into: self, token: token)
        while let last = open.last { endElement(last.name) }
        page.problem = problem
        return page
    }

    var wantsText: Bool { text.isCapturing }

    func addText(_ text: String) {
        steps += 1
        self.text.add(text)
    }

    func startElement(_ name: String, _ attributes: HTMLAttributes) {
        steps += 1 + attributes.count
        var context = open.last?.context ?? Context()
        context.region = PageRegion.kind(name, attributes, in: context.region)
        let before = page.pictures.count
        let capture = begin(name, attributes, &context)
        if let style = attributes["style"] { addBackgrounds(style, attributes, context) }
        let named = namedPicture(name, attributes, context)
        open.append(Element(name: name, context: context, capture: capture, named: named, before: before))
        readItem(name, attributes, context)
    }

    func endElement(_ name: String) {
        steps += 1
        // libxml2 closes elements in order; any other end has no meaning.
        guard open.last?.name == name, let ended = open.popLast() else { return }
        if let kind = ended.capture { finish(kind, text.end(kind), ended.context) }
        defer { if let named = ended.named { finish(named, after: ended.before) } }
        switch name {
        case "a": finishLink(ended.context)
        case "picture" where !alternatives.isEmpty: add(PagePicture(.image), HTMLAttributes(), ended.context)
        default:
            if ended.context.isImageItem, open.last?.context.isImageItem != true { finishItem(ended.context) }
        }
    }
}

// MARK: The beginning of elements

extension WebPageReader {
    /// Handles the beginning of an element; returns the kind of text that it contains, if it is of use.
    private func begin(_ name: String, _ attributes: HTMLAttributes, _ context: inout Context) -> PageText.Kind? {
        switch name {
        case "img", "amp-img", "image": add(PagePicture(.image), attributes, context)
        case "picture": (context.picture, alternatives) = (open.count, [])
        case "source": addAlternative(attributes, context)
        case "video", "audio", "svg", "canvas": context.isInMedia = true
        case "a", "area":
            beginLink(attributes, &context)
            return text.begin(.link)
        case "frame": if let source = attributes["src"], page.frames.count < 100 { page.frames.append(source) }
        case "base": page.base = page.base ?? attributes["href"]
        case "link": addRelation(attributes, context)
        case "meta": PageMeta(attributes).apply(to: &page)
        case "title": return context.isInMedia || page.title != nil ? nil : text.begin(.title)
        case "script": return beginScript(attributes)
        default:
            return beginFigure(name, attributes, &context)
        }
        return nil
    }

    private func beginScript(_ attributes: HTMLAttributes) -> PageText.Kind? {
        let type = attributes["type"]?.lowercased() ?? ""
        guard type.hasPrefix("application/ld+json") else {
            if type.isEmpty || type.contains("script") || type == "module" { page.hasScripts = true }
            let isData = attributes["src"] == nil && (page.hasScripts || type.contains("json"))
            return isData && scriptLength < Self.maxScriptLength ? text.begin(.script) : nil
        }
        return structuredLength < Self.maxStructuredLength ? text.begin(.structured) : nil
    }

    /// Handles figures, in HTML's own elements and in the classes of common systems.
    private func beginFigure(
        _ name: String, _ attributes: HTMLAttributes, _ context: inout Context
    ) -> PageText.Kind? {
        let classes = attributes.words("class")
        if name == "figure" || !PageRegion.figureClasses.isDisjoint(with: classes) {
            if page.figures.count < WebPage.maxEntries {
                context.figure = page.figures.count
                page.figures.append(WebPage.Figure())
            }
            return nil
        }
        guard context.figure != nil else { return nil }
        if PageRegion.isCredit(classes, attributes["itemprop"]) { return text.begin(.credit) }
        let isCaption = name == "figcaption" || !PageRegion.captionClasses.isDisjoint(with: classes)
        return isCaption ? text.begin(.caption) : nil
    }

    private func beginLink(_ attributes: HTMLAttributes, _ context: inout Context) {
        guard let address = attributes["href"] else { return }
        let relations = attributes.words("rel")
        if relations.contains("license") { addLicense(address, context) }
        if relations.contains("next") { page.next = page.next ?? address }
        guard page.links.count < WebPage.maxEntries else { return }
        context.link = page.links.count
        let target = AddressAttribute.picture(inScript: address) ?? address
        page.links.append(WebPage.Link(address: target, isNoFollow: relations.contains("nofollow")))
    }

    private func addLicense(_ address: String, _ context: Context) {
        guard let figure = context.figure else {
            page.license = page.license ?? address
            return
        }
        page.figures[figure].license = page.figures[figure].license ?? address
    }

    private func addRelation(_ attributes: HTMLAttributes, _ context: Context) {
        guard let address = attributes["href"] else { return }
        for relation in attributes.words("rel") {
            if page.relations.count < 64, page.relations[relation] == nil { page.relations[relation] = address }
            switch relation {
            case "canonical": page.canonical = page.canonical ?? address
            case "next": page.next = page.next ?? address
            case "license": page.license = page.license ?? address
            case "image_src": addPreview(address)
            default: break
            }
        }
    }

    private func addPreview(_ address: String) {
        guard page.previews.count < WebPage.maxEntries else { return }
        var picture = PagePicture(.preview)
        picture.sources = [PagePicture.Source(address: address)]
        page.previews.append(picture)
    }
}

// MARK: Pictures

extension WebPageReader {
    private func add(_ new: PagePicture, _ attributes: HTMLAttributes, _ context: Context) {
        guard page.pictures.count < WebPage.maxEntries, !context.isInMedia else { return }
        var picture = new
        picture.sources = ImageSources(attributes).all
        if context.picture != nil {
            picture.sources += alternatives
            alternatives = []
        }
        steps += picture.sources.count
        (picture.width, picture.height) = PageRegion.size(attributes)
        describe(&picture, attributes, context)
        picture.link = context.link
        if let link = context.link {
            page.links[link].hasPicture = true
            let address = page.links[link].address
            if PictureName.isPicture(address) {
                picture.sources.append(PagePicture.Source(address: address, isFull: true))
            }
        }
        page.pictures.append(picture)
    }

    /// Adds the pictures behind an element, which many galleries show in place of image elements.
    private func addBackgrounds(_ style: String, _ attributes: HTMLAttributes, _ context: Context) {
        for address in StyleImages.addresses(in: style) where page.pictures.count < WebPage.maxEntries {
            var picture = PagePicture(.background)
            picture.sources = [PagePicture.Source(address: address)]
            describe(&picture, attributes, context)
            page.pictures.append(picture)
        }
    }

    /// Returns the picture that the attributes of an element name, if it shows none itself.
    private func namedPicture(_ name: String, _ attributes: HTMLAttributes, _ context: Context) -> PagePicture? {
        let others = ["img", "amp-img", "image", "picture", "source", "link", "meta", "script", "iframe", "input"]
        guard !others.contains(name), !context.isInMedia else { return nil }
        let found = attributes.pairs.compactMap { AddressAttribute($0.name, $0.value) }.filter { $0.role != .reduced }
        guard !found.isEmpty else { return nil }
        let isBackground = found.allSatisfy { $0.role == .background }
        var picture = PagePicture(isBackground ? .background : .attribute)
        let usual = found.filter { $0.role != .full }.flatMap(\.sources)
        picture.sources = Array((AddressAttribute.full(found) + usual).prefix(SrcSet.maxCandidates))
        describe(&picture, attributes, context)
        return picture
    }

    /// Adds the picture that an element's attributes name, or its addresses to the one picture in the element.
    private func finish(_ named: PagePicture, after count: Int) {
        if page.pictures.count == count + 1, named.place == .attribute {
            page.pictures[count].sources += named.sources.map { source in
                var source = source
                source.isFull = true
                return source
            }
        } else if page.pictures.count < WebPage.maxEntries {
            page.pictures.append(named)
        }
    }

    private func describe(_ picture: inout PagePicture, _ attributes: HTMLAttributes, _ context: Context) {
        picture.caption = attributes["alt"] ?? attributes["aria-label"] ?? attributes["title"]
        picture.words = attributes.words("class") + attributes.words("id")
        (picture.figure, picture.region) = (context.figure, context.region)
    }

    private func addAlternative(_ attributes: HTMLAttributes, _ context: Context) {
        let type = attributes["type"]?.lowercased() ?? "image/"
        guard context.picture != nil, !context.isInMedia, type.hasPrefix("image/"), !type.hasPrefix("image/svg"),
            alternatives.count < SrcSet.maxCandidates
        else { return }
        let (viewport, width) = (SrcSet.viewport(attributes["media"] ?? ""), PageRegion.size(attributes).width)
        alternatives += ImageSources(attributes).all.map { source in
            var source = source
            (source.isAlternative, source.viewport) = (true, viewport)
            // The size that `source` states is the one at the density 1.
            if let width { source.width = source.width ?? Int(Double(width) * (source.density ?? 1)) }
            return source
        }
    }

    /// Adds a link to a picture file that shows no picture itself.
    private func finishLink(_ context: Context) {
        guard let index = context.link, page.pictures.count < WebPage.maxEntries else { return }
        let link = page.links[index]
        guard !link.hasPicture, PictureName.isPicture(link.address) else { return }
        var picture = PagePicture(.link)
        picture.sources = [PagePicture.Source(address: link.address)]
        picture.caption = link.text.isEmpty ? nil : link.text
        (picture.figure, picture.region) = (context.figure, context.region)
        page.pictures.append(picture)
    }
}

// MARK: Texts and microdata

extension WebPageReader {
    private func finish(_ kind: PageText.Kind, _ text: String, _ context: Context) {
        switch kind {
        case .structured:
            structuredLength += text.utf8.count
            if structuredLength <= Self.maxStructuredLength { page.structuredTexts.append(text) }
        case .script:
            scriptLength += text.utf8.count
            if text.contains("{"), PictureName.mayOccur(in: text) { page.scriptTexts.append(text) }
        case .title: page.title = PageText.line(text)
        case .link: if let link = context.link { page.links[link].text = PageText.line(text) ?? "" }
        case .caption:
            if let figure = context.figure, page.figures[figure].caption == nil {
                page.figures[figure].caption = PageText.line(text)
            }
        case .credit:
            if let figure = context.figure { page.figures[figure].credit = PageText.line(text) }
        }
    }

    /// Reads properties of microdata that name a picture.
    private func readItem(_ name: String, _ attributes: HTMLAttributes, _ context: Context) {
        let properties = attributes.words("itemprop")
        if attributes.has("itemscope") {
            let parent = open.dropLast().last?.context
            var own = context
            own.isImageItem = attributes["itemtype"]?.lowercased().hasSuffix("/imageobject") == true
            own.isLogo = parent?.isLogo == true || properties.contains("logo")
            open[open.count - 1].context = own
            if own.isImageItem { item = PagePicture(.structured) }
            return
        }
        guard !properties.isEmpty, !context.isLogo else { return }
        let value = attributes["content"] ?? attributes["href"] ?? attributes["src"]
        guard let value, name == "meta" || name == "link" || context.isImageItem && name != "img" else { return }
        if context.isImageItem {
            // The `url` of a link may be that of a page about the picture.
            if name != "a" || PictureName.isPicture(value) { readImageItem(properties, value) }
        } else if properties.contains("image") || properties.contains("contenturl") {
            addPreview(value)
        }
    }

    private func readImageItem(_ properties: [String], _ value: String) {
        if properties.contains("contenturl") || properties.contains("url") {
            if item.sources.isEmpty { item.sources = [PagePicture.Source(address: value)] }
        } else if properties.contains("width") {
            item.width = PageRegion.pixels(value)
        } else if properties.contains("height") {
            item.height = PageRegion.pixels(value)
        } else if properties.contains("license") {
            item.license = value
        }
    }

    private func finishItem(_ context: Context) {
        if !item.sources.isEmpty, !context.isLogo, page.previews.count < WebPage.maxEntries {
            page.previews.append(item)
        }
        item = PagePicture(.structured)
    }
}
