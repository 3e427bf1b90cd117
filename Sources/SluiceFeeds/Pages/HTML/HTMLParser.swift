// SPDX-License-Identifier: MIT

internal import CXML2
internal import SluiceModel

/// Parses untrusted HTML piece by piece with libxml2: loads nothing, runs nothing, and limits depth and attributes.
enum HTMLParser {
    /// The maximum nesting of elements; the parser stops there.
    static let maxDepth = 400
    /// The maximum number of elements; the parser stops there.
    static let maxElements = 500_000
    private static let chunkSize = 64 << 10

    /// Parses a document and returns the reason why the parser stopped before its end, if it did.
    ///
    /// `charset` is the encoding that the server states; UTF-8 is recognised without it.
    static func parse(
        _ bytes: [UInt8], charset: String?, into handler: any HTMLHandler, timeLimit: Duration = ParsingTime.limit,
        token: CancellationToken
    ) throws(Failure) -> String? {
        let time = ParsingTime(limit: timeLimit)
        let text = HTMLEncoding(bytes, charset: charset)
        let bounded = HTMLTagFilter.bounded(text.bytes)
        let events = HTMLEvents(handler)
        var callbacks = unsafe htmlSAXHandler()
        unsafe setCallbacks(of: &callbacks)
        // The parser only holds the address of the events, which outlive it.
        let data = unsafe Unmanaged.passUnretained(events).toOpaque()
        let encoding = text.isUTF8 ? XML_CHAR_ENCODING_UTF8 : XML_CHAR_ENCODING_NONE
        guard let parser = unsafe htmlCreatePushParserCtxt(&callbacks, data, nil, 0, nil, encoding) else {
            throw Failure(.internal, "libxml2 is out of memory")
        }
        defer {
            if let document = unsafe parser.pointee.myDoc { unsafe xmlFreeDoc(document) }
            unsafe htmlFreeParserCtxt(parser)
        }
        events.stopParser = { unsafe xmlStopParser(parser) }
        var options = HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        if text.isUTF8 { options |= HTML_PARSE_IGNORE_ENC.rawValue }
        _ = unsafe htmlCtxtUseOptions(parser, Int32(options))
        if let name = text.charset, let converter = unsafe xmlFindCharEncodingHandler(name) {
            _ = unsafe xmlSwitchToEncoding(parser, converter)
        }
        for start in stride(from: 0, to: max(bounded.count, 1), by: chunkSize) {
            try token.check()
            try time.check()
            let end = min(start + chunkSize, bounded.count)
            unsafe bounded[start..<end].withUnsafeBufferPointer { chunk in
                unsafe chunk.withMemoryRebound(to: CChar.self) { chunk in
                    _ = unsafe htmlParseChunk(
                        parser, chunk.baseAddress, Int32(chunk.count), end == bounded.count ? 1 : 0)
                }
            }
            if events.problem != nil { break }
        }
        return withExtendedLifetime(events) { events.problem }
    }

    private static func setCallbacks(of handler: inout htmlSAXHandler) {
        unsafe handler.startElement = { data, name, attributes in
            guard let events = unsafe HTMLEvents.from(data), let name = unsafe name else { return }
            unsafe events.startElement(String(cString: name), HTMLParser.attributes(attributes))
        }
        unsafe handler.endElement = { data, name in
            guard let events = unsafe HTMLEvents.from(data), let name = unsafe name else { return }
            unsafe events.endElement(String(cString: name))
        }
        let addText: charactersSAXFunc = { data, bytes, count in
            guard let events = unsafe HTMLEvents.from(data), events.wantsText, let bytes = unsafe bytes else { return }
            let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
            unsafe events.addText(String(decoding: buffer, as: UTF8.self))
        }
        unsafe handler.characters = addText
        unsafe handler.cdataBlock = addText
        unsafe handler.ignorableWhitespace = addText
    }

    /// Converts libxml2's attributes: names and values in turn, up to a missing name.
    private static func attributes(
        _ pointers: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
    ) -> HTMLAttributes {
        var attributes = HTMLAttributes()
        guard let pointers = unsafe pointers else { return attributes }
        var index = 0
        while let name = unsafe pointers[index] {
            let value = unsafe pointers[index + 1].map { unsafe String(cString: $0) } ?? ""
            unsafe attributes.add(String(cString: name).lowercased(), value)
            index += 2
        }
        return attributes
    }
}

/// Passes libxml2's callbacks to a handler, and stops the parser at the limits.
private final class HTMLEvents {
    /// The limit that stopped the parser.
    private(set) var problem: String?
    var stopParser: () -> Void = {}

    private let handler: any HTMLHandler
    private var depth = 0
    private var count = 0

    init(_ handler: any HTMLHandler) { self.handler = handler }

    /// Returns the events for the user data pointer of a callback.
    static func from(_ data: UnsafeMutableRawPointer?) -> HTMLEvents? {
        guard let data = unsafe data else { return nil }
        return unsafe Unmanaged<HTMLEvents>.fromOpaque(data).takeUnretainedValue()
    }

    var wantsText: Bool { problem == nil && handler.wantsText }

    func startElement(_ name: String, _ attributes: HTMLAttributes) {
        guard problem == nil else { return }
        depth += 1
        count += 1
        if depth > HTMLParser.maxDepth { stop("nested more than \(HTMLParser.maxDepth) levels deep") }
        if count > HTMLParser.maxElements { stop("more than \(HTMLParser.maxElements) elements") }
        // Only a tag that the filter did not see as one has more.
        if attributes.count > 2 * HTMLTagFilter.maxAttributes { stop("a tag with \(attributes.count) attributes") }
        if problem == nil { handler.startElement(name, attributes) }
    }

    func endElement(_ name: String) {
        guard problem == nil else { return }
        depth -= 1
        handler.endElement(name)
    }

    func addText(_ text: String) { handler.addText(text) }

    private func stop(_ problem: String) {
        self.problem = problem
        stopParser()
    }
}

/// The bytes of an HTML document, and how to decode them.
struct HTMLEncoding {
    /// The document, without a byte order mark.
    let bytes: [UInt8]
    /// Whether the bytes are UTF-8, whatever the document says.
    let isUTF8: Bool
    /// The encoding to decode, if the server states one; the document may state it otherwise.
    let charset: String?

    /// Recognises UTF-8 and UTF-16 by their bytes; other encodings must be stated.
    init(_ bytes: [UInt8], charset: String?) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            var text = UTF16Text()
            self.bytes = text.decode(bytes, isLast: true)
            (isUTF8, self.charset) = (true, nil)
        } else if String(validating: bytes, as: UTF8.self) != nil {
            self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
            (isUTF8, self.charset) = (true, nil)
        } else {
            self.bytes = bytes
            isUTF8 = false
            // A page that is almost UTF-8 stays that, with replacement characters.
            self.charset = charset?.lowercased()
        }
    }
}

/// The attributes of an element, by their names in lower case.
struct HTMLAttributes {
    /// The names and values in the order of the tag.
    private(set) var pairs: [(name: String, value: String)] = []

    /// Adds an attribute; of several with one name, the first counts.
    mutating func add(_ name: String, _ value: String) { pairs.append((name, value)) }

    var count: Int { pairs.count }

    /// The value without surrounding white space; `nil` if it is missing or empty.
    subscript(name: String) -> String? {
        guard let value = pairs.first(where: { $0.name == name })?.value.trimmed, !value.isEmpty else { return nil }
        return value
    }

    /// Whether the attribute is present, with any value.
    func has(_ name: String) -> Bool { pairs.contains { $0.name == name } }

    /// The values in the order of the tag.
    var values: [String] { pairs.map(\.value.trimmed) }

    /// The words of a value that is a list of words, in lower case.
    func words(_ name: String) -> [String] {
        self[name].map { $0.lowercased().split(whereSeparator: \.isWhitespace).prefix(32).map(String.init) } ?? []
    }
}

/// Receives the elements and texts of an HTML document in order.
protocol HTMLHandler: AnyObject {
    /// Whether texts at this position are of use.
    var wantsText: Bool { get }

    func startElement(_ name: String, _ attributes: HTMLAttributes)
    func endElement(_ name: String)
    func addText(_ text: String)
}
