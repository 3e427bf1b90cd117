// SPDX-License-Identifier: MIT

internal import CXML2
internal import SluiceModel

/// Parses untrusted XML: loads no external resource, rejects entity declarations, and limits depth and size.
enum XMLDocument {
    /// The maximum nesting of elements.
    static let maxDepth = 64
    /// The maximum number of elements.
    static let maxElements = 500_000
    /// The maximum number of attributes and namespace declarations of an element.
    static let maxAttributes = 500
    /// The maximum number of namespace declarations that apply to an element.
    ///
    /// libxml2 searches all of them for the prefix of each element.
    static let maxNamespaces = 1000
    /// The maximum length of a start tag in bytes.
    ///
    /// libxml2 compares every attribute of a tag with all others, which takes hours for a tag of several megabytes.
    static let maxTagLength = 256 << 10
    private static let chunkSize = 64 << 10

    /// Parses a document and returns its root element; checks the token before each chunk.
    ///
    /// A document that is not well-formed is repaired once, as far as that is harmless.
    static func root(
        of bytes: [UInt8], timeLimit: Duration = ParsingTime.limit, token: CancellationToken
    ) throws(Failure) -> XMLElement {
        let document = XMLCleaning.trimmed(bytes)
        do throws(Failure) {
            return try parse(document, timeLimit: timeLimit, token: token)
        } catch {
            guard isHarmless(error), let repaired = XMLCleaning.repaired(document) else { throw error }
            do throws(Failure) { return try parse(repaired[...], token: token) } catch let other {
                // The first error has the position in the feed's own text.
                throw other.cause == .feedParse ? error : other
            }
        }
    }

    /// Parses what can be read of a document that is not well-formed, for example because its end is missing.
    ///
    /// Elements with a missing end tag contain their successors.
    static func readablePart(of bytes: [UInt8], token: CancellationToken) throws(Failure) -> XMLElement {
        let document = XMLCleaning.trimmed(bytes)
        return try parse(XMLCleaning.repaired(document)?[...] ?? document, recovers: true, token: token)
    }

    /// Whether an error is one of notation, and none of a document that is not allowed.
    static func isHarmless(_ error: Failure) -> Bool {
        error.cause == .feedParse && !error.detail.contains("not allowed") && !error.detail.contains("more than")
    }

    private static func parse(
        _ bytes: ArraySlice<UInt8>, recovers: Bool = false, timeLimit: Duration = ParsingTime.limit,
        token: CancellationToken
    ) throws(Failure) -> XMLElement {
        let builder = XMLBuilder()
        var handler = unsafe xmlSAXHandler()
        unsafe setCallbacks(of: &handler)
        // The parser only holds the builder's address; the builder outlives it.
        let data = unsafe Unmanaged.passUnretained(builder).toOpaque()
        guard let parser = unsafe xmlCreatePushParserCtxt(&handler, data, nil, 0, nil) else {
            throw Failure(.internal, "libxml2 is out of memory")
        }
        defer {
            // libxml2 makes a document for declared entities, and leaves it to the caller.
            if let document = unsafe parser.pointee.myDoc { unsafe xmlFreeDoc(document) }
            unsafe xmlFreeParserCtxt(parser)
        }
        builder.stopParser = {
            defer { unsafe xmlStopParser(parser) }
            return unsafe Int(xmlSAX2GetLineNumber(parser))
        }
        var options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        if recovers { options |= XML_PARSE_RECOVER.rawValue }
        _ = unsafe xmlCtxtUseOptions(parser, Int32(options))
        let limit = max(bytes.endIndex, bytes.startIndex + 1)
        let time = ParsingTime(limit: timeLimit)
        for start in stride(from: bytes.startIndex, to: limit, by: chunkSize) {
            try token.check()
            try time.check()
            let end = min(start + chunkSize, bytes.endIndex)
            let chunk = bytes[start..<end]
            let code = unsafe chunk.withUnsafeBufferPointer { chunk in
                unsafe chunk.withMemoryRebound(to: CChar.self) { chunk in
                    unsafe xmlParseChunk(parser, chunk.baseAddress, Int32(chunk.count), end == bytes.endIndex ? 1 : 0)
                }
            }
            if unsafe openTagLength(in: parser) > maxTagLength { builder.reject("a tag is longer than 256 KiB") }
            if let problem = builder.problem { throw Failure(.feedParse, "line \(builder.line): \(problem)") }
            // An undeclared namespace is an error, but the document stays well-formed.
            let isBroken = unsafe code != 0 && (parser.pointee.wellFormed == 0 || parser.pointee.disableSAX != 0)
            guard !isBroken || recovers else { throw unsafe failure(of: parser) }
        }
        builder.close()
        return try withExtendedLifetime(builder) { () throws(Failure) in
            guard let root = builder.root else { throw Failure(.feedParse, "line 1: the document has no element") }
            return root
        }
    }

    /// The number of bytes of an unfinished start tag, which the parser holds until it has all of it.
    private static func openTagLength(in parser: xmlParserCtxtPtr) -> Int {
        guard unsafe parser.pointee.instate == XML_PARSER_START_TAG, let input = unsafe parser.pointee.input else {
            return 0
        }
        return unsafe input.pointee.end - input.pointee.cur
    }

    /// Converts libxml2's last error, with its line and column.
    private static func failure(of parser: xmlParserCtxtPtr) -> Failure {
        guard let error = unsafe xmlCtxtGetLastError(parser), let message = unsafe error.pointee.message else {
            return Failure(.feedParse, "line \(unsafe xmlSAX2GetLineNumber(parser)): not well-formed XML")
        }
        let text = unsafe String(cString: message).trimmed
        return Failure(.feedParse, unsafe "line \(error.pointee.line), column \(error.pointee.int2): \(text)")
    }

    private static func setCallbacks(of handler: inout xmlSAXHandler) {
        unsafe handler.initialized = UInt32(XML_SAX2_MAGIC)
        unsafe handler.startElementNs = { data, name, prefix, space, spaces, _, count, _, attributes in
            guard let builder = unsafe XMLBuilder.from(data),
                builder.allows(attributes: Int(count), namespaces: Int(spaces))
            else { return }
            unsafe builder.startElement(
                XMLDocument.text(name), XMLDocument.namespace(space, prefix), XMLDocument.pairs(attributes, count),
                namespaces: Int(spaces))
        }
        unsafe handler.endElementNs = { data, _, _, _ in unsafe XMLBuilder.from(data)?.endElement() }
        unsafe handler.characters = { data, bytes, count in
            guard let bytes = unsafe bytes else { return }
            let buffer = unsafe UnsafeBufferPointer(start: bytes, count: Int(count))
            unsafe XMLBuilder.from(data)?.add(String(decoding: buffer, as: UTF8.self))
        }
        unsafe handler.entityDecl = { data, _, _, _, _, _ in
            unsafe XMLBuilder.from(data)?.reject("entity declarations are not allowed")
        }
        // A declared default would add attributes to every element.
        unsafe handler.attributeDecl = { data, _, _, _, _, _, values in
            unsafe xmlFreeEnumeration(values)
            unsafe XMLBuilder.from(data)?.reject("attribute declarations are not allowed")
        }
    }

    /// Returns an element's namespace; for an undeclared prefix, the one that feeds mean by it.
    private static func namespace(_ space: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?) -> String {
        if unsafe space != nil { return unsafe text(space) }
        return unsafe prefix == nil ? "" : Namespaces.usual[text(prefix)] ?? ""
    }

    private static func text(_ pointer: UnsafePointer<xmlChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }

    /// Converts libxml2's attributes: five pointers each, to the name, prefix, namespace, and start and end of the
    /// value.
    private static func pairs(
        _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int32
    ) -> [(String, String)] {
        guard let attributes = unsafe attributes else { return [] }
        var pairs: [(String, String)] = []
        for index in 0..<Int(count) {
            let field = unsafe attributes + 5 * index
            guard let begin = unsafe field[3], let end = unsafe field[4] else { continue }
            let value = unsafe UnsafeBufferPointer(start: begin, count: end - begin)
            // libxml2 writes an ampersand in a value as a reference, because it does not replace entities.
            let decoded = unsafe String(decoding: value, as: UTF8.self).replacing("&#38;", with: "&")
            unsafe pairs.append((text(field[0]), decoded))
        }
        return pairs
    }
}
