// SPDX-License-Identifier: MIT

import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceFeeds

/// Reads replies of OAI-PMH repositories.
@Suite("OAI-PMH", .timeLimit(.minutes(10))) struct OAITests {
    private static let spaces = """
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" \
        xmlns:edm="http://www.europeana.eu/schemas/edm/" xmlns:ore="http://www.openarchives.org/ore/terms/" \
        xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:skos="http://www.w3.org/2004/02/skos/core#" \
        xmlns:ebucore="http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#"
        """

    private func reply(_ list: String) -> String {
        "<?xml version='1.0'?>\n<OAI-PMH xmlns=\"http://www.openarchives.org/OAI/2.0/\">\(list)</OAI-PMH>"
    }

    private func record(_ id: String, _ metadata: String) -> String {
        """
        <record><header><identifier>\(id)</identifier></header><metadata><x \(Self.spaces)>\(metadata)</x></metadata>\
        </record>
        """
    }

    private func page(of bytes: [UInt8]) throws -> Page {
        var manifests: [OAIPage.Manifest] = []
        return try OAIPage(bytes, token: CancellationToken()).page(
            1, manifests: &manifests, token: CancellationToken())
    }

    private func page(_ records: String...) throws -> Page {
        let bytes = Array(reply("<ListRecords>\(records.joined())</ListRecords>").utf8)
        return try page(of: bytes)
    }

    @Test("Dublin Core: addresses of pictures become photos, those of thumbnails previews, others the page")
    func dublinCore() throws {
        let page = try page(
            record(
                "oai:a:1",
                """
                <dc:title>A map</dc:title><dc:creator>Ida</dc:creator><dc:date>1912</dc:date><dc:date>2019-10-22</dc:date>
                <dc:identifier>map.jpg</dc:identifier><dc:identifier>https://a.test/detail/1</dc:identifier>
                <dc:identifier>https://a.test/Size1/1.jpg</dc:identifier>
                <dc:relation>vignette : https://a.test/thumb.ashx?i=1</dc:relation>
                <dc:relation>https://a.test/Size1/2.PNG</dc:relation><dc:subject>Maps</dc:subject><dc:subject>Seas</dc:subject>
                <dc:rights>Free to use</dc:rights><dc:rights>https://creativecommons.org/publicdomain/mark/1.0/</dc:rights>
                <dcterms:isPartOf>Atlas</dcterms:isPartOf>
                """),
            record(
                "oai:a:2", "<dc:source>https://a.test/utils/getthumbnail/2</dc:source><dc:publisher>A</dc:publisher>"),
            record("oai:a:3", "<dc:identifier>https://a.test/3.pdf</dc:identifier>"),
            "<record><header status='deleted'><identifier>oai:a:4</identifier></header></record>")
        #expect(page.photos.map(\.id) == ["oai:a:1", "oai:a:1#2", "oai:a:2"])
        let photo = page.photos[0]
        #expect(photo.variants.map(\.name) == ["original", "preview"])
        #expect(photo.variants.map(\.url) == ["https://a.test/Size1/1.jpg", "https://a.test/thumb.ashx?i=1"])
        #expect(photo.caption == "A map" && photo.author == "Ida" && photo.tags == "Maps, Seas")
        #expect(photo.pageURL == "https://a.test/detail/1" && photo.date == 1_571_702_400)
        #expect(photo.license == "Public Domain Mark 1.0" && photo.attribution == "Free to use")
        #expect(photo.collection == "Atlas" && page.photos[1].variants.map(\.name) == ["original"])
        #expect(page.photos[2].variants[0].url.hasSuffix("getthumbnail/2") && page.photos[2].attribution == "A")
        #expect(page.notes == ["page 1: 1 of 4 records have no picture", "page 1: 1 of 4 records are deleted"])
        #expect(page.next == nil && !page.mayBeEmpty)
    }

    @Test("Europeana Data Model: views become photos with the labels of the terms and persons of the record")
    func europeana() throws {
        let page = try page(
            record(
                "https://id.test/1",
                """
                <rdf:RDF><ore:Aggregation><edm:aggregatedCHO><edm:ProvidedCHO rdf:about="https://id.test/1">
                <dc:title xml:lang="nl">De brug</dc:title><dc:title xml:lang="en">The bridge</dc:title>
                <dc:creator rdf:resource="https://id.test/p"/><dc:subject rdf:resource="https://id.test/t"/>
                <dc:subject rdf:resource="https://id.test/unknown"/><edm:type>IMAGE</edm:type></edm:ProvidedCHO>
                </edm:aggregatedCHO><edm:isShownAt rdf:resource="https://a.test/1"/>
                <edm:isShownBy><edm:WebResource rdf:about="https://iiif.test/a/full/max/0/default.jpg">
                <dc:creator>The camera</dc:creator><ebucore:width>640</ebucore:width></edm:WebResource></edm:isShownBy>
                <edm:hasView rdf:resource="https://iiif.test/b"/><edm:hasView rdf:resource="https://a.test/c.mp3"/>
                <edm:hasView rdf:resource="https://iiif.test/b"/><edm:object rdf:resource="https://a.test/s"/>
                <edm:dataProvider>Museum</edm:dataProvider>
                <edm:rights rdf:resource="http://rightsstatements.org/vocab/InC/1.0/"/></ore:Aggregation>
                <edm:WebResource rdf:about="https://a.test/c.mp3"><dc:format>audio/mpeg</dc:format></edm:WebResource>
                <skos:Concept rdf:about="https://id.test/t"><skos:prefLabel xml:lang="nl">bruggen</skos:prefLabel>
                <skos:prefLabel xml:lang="en">bridges</skos:prefLabel></skos:Concept>
                <edm:Agent rdf:about="https://id.test/p"><skos:prefLabel>Ida</skos:prefLabel></edm:Agent></rdf:RDF>
                """),
            record("v", "<edm:isShownBy rdf:resource='https://a.test/v'/><edm:type>VIDEO</edm:type>"))
        #expect(page.photos.map(\.id) == ["https://id.test/1", "https://id.test/1#2"])
        let photo = page.photos[0]
        #expect(photo.variants.map(\.url) == ["https://iiif.test/a/full/max/0/default.jpg", "https://a.test/s"])
        #expect(photo.width == 640 && photo.caption == "The bridge" && photo.author == "Ida")
        #expect(photo.tags == "bridges, https://id.test/unknown" && photo.pageURL == "https://a.test/1")
        #expect(photo.license == "In Copyright" && photo.attribution == "Museum")
        #expect(page.photos[1].variants.map(\.url) == ["https://iiif.test/b"])
        #expect(page.notes == ["page 1: 1 of 2 records have no picture"])
    }

    private static let mets = """
        <m:mets xmlns:m="http://www.loc.gov/METS/" xmlns:x="http://www.w3.org/1999/xlink"><m:dmdSec><m:mdWrap><m:xmlData>
        <mods xmlns="http://www.loc.gov/mods/v3"><titleInfo><title>A book</title></titleInfo></mods></m:xmlData></m:mdWrap>
        </m:dmdSec><m:fileSec><m:fileGrp USE="THUMBS"><m:file ID="t1" MIMETYPE="image/jpeg"><m:FLocat x:href="http://a.test/t1.jpg"/>
        </m:file></m:fileGrp><m:fileGrp USE="MASTER"><m:file ID="m1" MIMETYPE="image/tiff"><m:FLocat x:href="http://a.test/1.tif"/>
        </m:file></m:fileGrp><m:fileGrp USE="DEFAULT"><m:file ID="d1" MIMETYPE="image/jpeg"><m:FLocat x:href="http://a.test/d1.jpg"/>
        </m:file><m:file ID="d2" MIMETYPE="image/jpeg"><m:FLocat x:href="http://a.test/d2.jpg"/></m:file><m:file ID="d3"
        MIMETYPE="image/jpeg"><m:FLocat x:href="file:///d3.jpg"/></m:file></m:fileGrp><m:fileGrp USE="MAX"><m:file ID="x1"
        MIMETYPE="image/jpeg"><m:FLocat x:href="http://a.test/x1.jpg"/></m:file></m:fileGrp><m:fileGrp USE="DOWNLOAD">
        <m:file ID="p" MIMETYPE="application/pdf"><m:FLocat x:href="http://a.test/p.pdf"/></m:file></m:fileGrp></m:fileSec>
        STRUCTURE</m:mets>
        """
    private static let structure = """
        <m:structMap TYPE="LOGICAL"><m:div><m:fptr FILEID="d1"/></m:div></m:structMap><m:structMap TYPE="PHYSICAL"><m:div>
        <m:fptr FILEID="p"/><m:fptr FILEID="t1"/><m:div TYPE="page"><m:fptr FILEID="d2"/></m:div><m:div TYPE="page">
        <m:fptr FILEID="t1"/><m:fptr FILEID="m1"/><m:fptr FILEID="d1"/><m:fptr FILEID="x1"/></m:div><m:div TYPE="page">
        <m:fptr FILEID="d3"/></m:div></m:div></m:structMap>
        """

    @Test("METS: each page of the physical structure is a photo with its renditions, the largest first")
    func mets() throws {
        let whole = Self.mets.replacing("STRUCTURE", with: Self.structure)
        let photos = try page(record("oai:m:1", whole)).photos
        #expect(photos.map(\.id) == ["oai:m:1", "oai:m:1#2"] && photos.allSatisfy { $0.caption == "A book" })
        #expect(photos[0].variants == [Variant(name: "original", url: "http://a.test/d2.jpg")])
        #expect(photos[1].variants.map(\.name) == ["original", "default", "thumbs", "master"])
        #expect(photos[1].variants.map(\.url.last) == ["g", "g", "g", "f"] && photos[1].variants[0].url.contains("x1"))
        let document = try page(of: Array(whole.utf8))
        #expect(document.photos.map(\.id) == ["http://a.test/d2.jpg", "http://a.test/x1.jpg"])
        #expect(ReplyKind(type: "text/xml", name: "x", bytes: Array(whole.utf8)) == .oai)
    }

    @Test("METS without a structure: the files of the best group")
    func metsFiles() throws {
        let photos = try page(record("oai:m:1", Self.mets.replacing("STRUCTURE", with: ""))).photos
        #expect(photos.map { $0.variants[0].url } == ["http://a.test/x1.jpg"])
    }

    @Test("MODS: files that end like pictures, or else the preview, with the facts of the object itself")
    func mods() throws {
        let page = try page(
            record(
                "oai:m:1",
                """
                <m:mods xmlns:m="http://www.loc.gov/mods/v3"><m:titleInfo><m:title>A group</m:title></m:titleInfo>
                <m:name><m:namePart>Ek, Ida</m:namePart><m:role><m:roleTerm>Contributor</m:roleTerm></m:role></m:name>
                <m:name><m:namePart type="date">1900</m:namePart><m:namePart>Berg, Ada</m:namePart><m:role>
                <m:roleTerm>Creator</m:roleTerm></m:role></m:name><m:subject><m:topic>Offices</m:topic></m:subject>
                <m:subject><m:geographic>Seattle</m:geographic><m:topic>News</m:topic></m:subject>
                <m:accessCondition>http://rightsstatements.org/vocab/InC/1.0/</m:accessCondition>
                <m:accessCondition>Ask the archive.</m:accessCondition>
                <m:originInfo><m:dateCreated>1891?</m:dateCreated><m:dateIssued>1891-02-03</m:dateIssued></m:originInfo>
                <m:location><m:url access="object in context" usage="primary">https://a.test/1</m:url></m:location>
                <m:location><m:url access="preview">https://a.test/1/thumbnail</m:url>
                <m:url access="raw object">https://a.test/1/view</m:url>
                <m:url access="raw object">https://a.test/1.jpg</m:url></m:location>
                <m:relatedItem type="host"><m:titleInfo><m:title>The archive</m:title></m:titleInfo><m:location>
                <m:url access="raw object">https://a.test/other.jpg</m:url></m:location></m:relatedItem></m:mods>
                """),
            record(
                "oai:m:2",
                """
                <m:mods xmlns:m="http://www.loc.gov/mods/v3"><m:location><m:url access="raw object">https://a.test/2</m:url>
                <m:url access="preview"> https://a.test/2?width=150 </m:url></m:location></m:mods>
                """),
            record("oai:m:3", "<m:mods xmlns:m='http://www.loc.gov/mods/v3'><m:abstract>B</m:abstract></m:mods>"))
        #expect(page.photos.map(\.id) == ["oai:m:1", "oai:m:2"])
        let photo = page.photos[0]
        #expect(photo.variants.map(\.url) == ["https://a.test/1.jpg", "https://a.test/1/thumbnail"])
        #expect(page.photos[1].variants.map(\.url) == ["https://a.test/2?width=150"])
        #expect(photo.caption == "A group" && photo.author == "Berg, Ada" && photo.tags == "Offices, News")
        #expect(photo.license == "In Copyright" && photo.attribution == "Ask the archive.")
        #expect(photo.pageURL == "https://a.test/1" && photo.collection == "The archive")
        #expect(photo.date == PublishedDate.seconds(of: "1891-02-03"))
        #expect(page.notes == ["page 1: 1 of 3 records have no picture"])
    }

    @Test(
        "The arguments of the address are completed, and a resumption token replaces them",
        arguments: [
            (
                "https://a.test/oai", "?verb=ListRecords&metadataPrefix=oai_dc",
                "?verb=ListRecords&resumptionToken=a%20b"
            ),
            (
                "https://a.test/oai?key=7&set=x&metadataPrefix=edm", "?verb=ListRecords&key=7&set=x&metadataPrefix=edm",
                "?verb=ListRecords&resumptionToken=a%20b&key=7"
            ),
            (
                "https://a.test/oai?identifier=1#top", "?verb=GetRecord&identifier=1&metadataPrefix=oai_dc",
                "?verb=ListRecords&resumptionToken=a%20b"
            ),
        ])
    func requests(address: String, first: String, next: String) {
        let request = OAIRequest(address)
        #expect(request.address == "https://a.test/oai" + first)
        #expect(request.address(resuming: "a b") == "https://a.test/oai" + next)
    }

    @Test("Other verbs, and texts that are no web address, are invalid sources")
    func invalid() {
        for text in ["oai:https://a.test/oai?verb=ListSets", "oai:a.test", "oai:"] {
            #expect(throws: SourceError.self) { try Source(text) }
        }
    }

    private func served(_ text: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
    }

    private func feed(_ source: String, port: UInt16? = nil) throws -> any Feed {
        try Source(source).feed(ports: port.map { ["oai.test": $0] } ?? [:]) {
            $0.retry = TransferOptions(userAgent: "Sluice/test").retry
        }
    }

    /// A page of records without pictures, and one that the repository no longer has, must not end the list.
    @Test("All pages are read, with or without the prefix, up to the page with an empty token")
    func walk() async throws {
        let picture = { (id: Int) in
            record("\(id)", "<dc:identifier>https://a.test/\(id).jpg</dc:identifier>")
        }
        func list(_ text: String) -> [RawServer.Step] { served(reply("<ListRecords>\(text)</ListRecords>")) }
        let server = try RawServer([
            "/oai?verb=ListRecords&metadataPrefix=oai_dc": list(picture(1) + "<resumptionToken>t/1</resumptionToken>"),
            "/oai?verb=ListRecords&resumptionToken=t%2F1": list(
                record("2", "") + "<resumptionToken>t2</resumptionToken>"),
            "/oai?verb=ListRecords&resumptionToken=t2": list(picture(3) + "<resumptionToken completeListSize='3'/>"),
        ])
        for source in ["oai:" + server.url("/oai"), server.url("/oai?verb=ListRecords&metadataPrefix=oai_dc")] {
            let pages = try await pages(of: feed(source))
            #expect(pages.map { $0.photos.map(\.id) } == [["1"], [], ["3"]])
        }
    }

    @Test("The pictures of the IIIF manifests that records name are read, with the facts of the records")
    func manifests() async throws {
        func named(_ id: Int, _ title: String = "") -> String {
            record(
                "oai:\(id)",
                "<dc:title>T\(title)</dc:title><dc:date>1999-01-02</dc:date>"
                    + "<dcterms:isReferencedBy rdf:resource='http://oai.test/\(id)/manifest.json'/>")
        }
        let canvas = { (id: String) in
            #"{"id":"\#(id)","items":[{"items":[{"body":{"type":"Image","id":"https://i.test/\#(id).jpg"}}]}]}"#
        }
        let items = [canvas("a"), canvas("b")].joined(separator: ",")
        let records = [
            record("oai:1", "<dc:identifier>https://a.test/1.jpg</dc:identifier>"), named(2), named(3, "3"),
            record("oai:4", "<dc:identifier>https://a.test/4.jpg</dc:identifier>"),
        ]
        let server = try RawServer([
            "/oai?verb=ListRecords&metadataPrefix=oai_dc": served(
                reply("<ListRecords>\(records.joined())</ListRecords>")),
            "/2/manifest.json": served(#"{"type":"Manifest","label":"Book","items":[\#(items)]}"#),
        ])
        for source in ["oai:http://oai.test/oai", "http://oai.test/oai?verb=ListRecords&metadataPrefix=oai_dc"] {
            let photos = try await pages(of: feed(source, port: server.port)).flatMap(\.photos)
            #expect(photos.map(\.id) == ["oai:1", "a", "b", "oai:3", "oai:4"])
            #expect(photos[1].caption == "Book" && photos[1].date == PublishedDate.seconds(of: "1999-01-02"))
            #expect(photos[3].caption == "T3" && photos[3].invalidReason?.cause == .httpClientError(404))
        }
    }

    /// An interrupted mirror failed again in each run, until its recorded pages were a day old.
    @Test("An expired resumption token is replaced by reading the list again, and one that stays invalid is an error")
    func expiredToken() async throws {
        let picture = { (id: Int) in
            record("\(id)", "<dc:identifier>https://a.test/\(id).jpg</dc:identifier>")
        }
        func list(_ text: String) -> [RawServer.Step] { served(reply("<ListRecords>\(text)</ListRecords>")) }
        let first = "/oai?verb=ListRecords&metadataPrefix=oai_dc"
        let next = "/oai?verb=ListRecords&resumptionToken="
        let error = "<error code=\"badResumptionToken\">The token is expired</error>"
        let server = try RawServer([
            first: list(picture(1) + "<resumptionToken>n2</resumptionToken>"),
            next + "n2": list(picture(2) + "<resumptionToken>n3</resumptionToken>"), next + "n3": list(picture(3)),
            next + "old": served(reply(error)),
        ])
        let feed = try feed("oai:" + server.url("/oai"))
        let old = Cursor(rawValue: "old")
        let page = try await feed.page(3, at: old, token: CancellationToken())
        #expect(page.photos.map(\.id) == ["3"] && page.next == nil)
        #expect(
            page.notes == [
                "the repository's resumption token had expired, so the list was read again from its beginning"
            ])
        #expect(server.requests.count == 4)
        // A list that has become shorter ends.
        let end = try await feed.page(5, at: old, token: CancellationToken())
        #expect(end.photos.isEmpty && end.next == nil && end.notes.count == 1)
        let failure = await #expect(throws: Failure.self) {
            try await feed.page(1001, at: old, token: CancellationToken())
        }
        #expect(failure?.detail == "The token is expired (badResumptionToken)")
    }

    @Test("A list without a matching record is empty, and other errors have the repository's words")
    func errors() async throws {
        let server = try RawServer([
            "/none?verb=ListRecords&metadataPrefix=oai_dc": served(reply("<error code=\"noRecordsMatch\"/>")),
            "/bad?verb=ListRecords&metadataPrefix=oai_dc": served(
                reply("<error code=\"badArgument\">No set of that name</error>")),
            "/page?verb=ListRecords&metadataPrefix=oai_dc": served("<html><body><img src='a.jpg'></body></html>"),
        ])
        let empty = try await pages(of: feed("oai:" + server.url("/none")))
        #expect(empty.map(\.notes) == [["the repository has no record that matches the request"]])
        let bad = await #expect(throws: Failure.self) { try await pages(of: feed("oai:" + server.url("/bad"))) }
        #expect(bad?.detail == "No set of that name (badArgument)" && bad?.cause == .unexpectedStatus)
        let other = await #expect(throws: Failure.self) { try await pages(of: feed("oai:" + server.url("/page"))) }
        #expect(other?.detail == "this is not a reply of an OAI-PMH repository")
    }

    /// One record with a control character would otherwise end the reading of a million.
    @Test("Of a reply that is not well-formed, the readable records and the token are used")
    func damage() throws {
        let good = { (id: Int) in
            record("\(id)", "<dc:identifier>https://a.test/\(id).jpg</dc:identifier>")
        }
        let bad = record("2", "<dc:title>A <b>bridge</dc:title><dc:identifier>https://a.test/2.jpg</dc:identifier>")
        let page = try page(good(1), bad, good(3), "<resumptionToken>t</resumptionToken>")
        #expect(page.photos.map(\.id).contains("1") && page.photos.map(\.id).contains("3"))
        #expect(page.next?.rawValue == "t" && page.notes.contains { $0.contains("is not well-formed") })
    }
}
