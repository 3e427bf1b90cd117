// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Statements in files about mining their data and training models with them.
@Suite("Usage assertions", .timeLimit(.minutes(5))) struct UsageAssertionTests {
    // MARK: Builders

    private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        UInt32(content.count + 8).bigEndianBytes + Array(type.utf8) + content
    }

    /// A superbox with its description.
    private static func superbox(_ type: String, _ label: String, _ content: [UInt8]) -> [UInt8] {
        let suffix: [UInt8] = [0, 0x11, 0, 0x10, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        return box("jumb", box("jumd", Array(type.utf8) + suffix + [3] + Array(label.utf8) + [0]) + content)
    }

    private static func text(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        return (bytes.count < 24 ? [0x60 + UInt8(bytes.count)] : [0x78, UInt8(bytes.count)]) + bytes
    }

    private static func map(_ members: [(String, [UInt8])]) -> [UInt8] {
        [0xA0 + UInt8(members.count)] + members.flatMap { text($0) + $1 }
    }

    private static func uses(_ uses: [(String, String)]) -> [UInt8] {
        map(uses.map { ($0, map([("use", text($1))])) })
    }

    private static func assertion(_ label: String, _ cbor: [UInt8]) -> [UInt8] {
        superbox("cbor", label, box("cbor", cbor))
    }

    private static func manifest(_ assertions: [UInt8], type: String = "c2ma", label: String = "urn:c2pa:1") -> [UInt8]
    {
        let hash = assertion("c2pa.hash.data", map([("pad", [0x40])]))
        return superbox(type, label, superbox("c2as", "c2pa.assertions", hash + assertions))
    }

    private static func store(_ manifests: [UInt8]...) -> [UInt8] {
        superbox("c2pa", "c2pa", manifests.flatMap(\.self))
    }

    /// The example of the assertion's specification.
    private static let example = assertion(
        "cawg.training-mining",
        map([
            (
                "entries",
                map([
                    ("cawg.ai_training", map([("use", text("allowed"))])),
                    ("cawg.ai_generative_training", map([("use", text("notAllowed"))])),
                    (
                        "cawg.data_mining",
                        map([
                            ("use", text("constrained")),
                            ("constraint_info", text("may only be mined on days whose names end in 'y'")),
                        ])
                    ),
                ])
            )
        ]))
    private static let ofExample = UsageAssertion(
        name: "cawg.training-mining",
        value: "cawg.ai_training=allowed, cawg.ai_generative_training=notAllowed, cawg.data_mining=constrained")

    /// Puts a manifest store into a picture.
    private static func file(_ format: ImageFormat, with store: [UInt8]) throws -> [UInt8] {
        let file = try CreditTests.file(format)
        switch format {
        case .jpeg:
            // Parts of different lengths; each but the first repeats the head of the box.
            let head = Array(store.prefix(8))
            var (segments, rest, number) = ([UInt8](), store[...], 1)
            while !rest.isEmpty {
                let part = (number == 1 ? [] : head) + rest.prefix(60 + number)
                rest = rest.dropFirst(60 + number)
                let body = Array("JP".utf8) + [0, 7] + UInt32(number).bigEndianBytes + part
                segments += [0xFF, 0xEB] + UInt16(body.count + 2).bigEndianBytes + body
                number += 1
            }
            // Another box in APP11 comes first.
            let other = Array("JP".utf8) + [0, 1, 0, 0, 0, 1] + superbox("json", "other", box("json", [0x7B, 0x7D]))
            return Array(file.prefix(2)) + [0xFF, 0xEB] + UInt16(other.count + 2).bigEndianBytes + other + segments
                + file.dropFirst(2)
        case .png:
            let chunk = UInt32(store.count).bigEndianBytes + Array("caBX".utf8) + store + [0, 0, 0, 0]
            return Array(file.prefix(33)) + chunk + file.dropFirst(33)
        case .webp:
            let size = (0..<4).map { UInt8(store.count >> ($0 * 8) & 0xFF) }
            let chunk = Array("C2PA".utf8) + size + store + (store.count % 2 == 1 ? [0] : [])
            var extended = try CreditTests.file(.webp, xmp: CreditTests.xmp) + chunk
            let total = extended.count - 8
            extended.replaceSubrange(4..<8, with: (0..<4).map { UInt8(total >> ($0 * 8) & 0xFF) })
            return extended
        default:
            let type: [UInt8] = [
                0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
            ]
            let purpose = Array("manifest".utf8) + [0]
            return file + box("uuid", type + [0, 0, 0, 0] + purpose + [0, 0, 0, 0, 0, 0, 0, 0] + store)
        }
    }

    private func assertions(_ file: [UInt8]) throws -> [UsageAssertion] {
        let input = ImageInput(file)
        return try ImageHeader(of: input).usageAssertions(in: input)
    }

    private func assertions(in store: [UInt8]) throws -> [UsageAssertion] {
        var store = ManifestStore(store)
        return try store.trainingAssertions()
    }

    // MARK: C2PA

    @Test("The specification's example is read from each format", arguments: [ImageFormat.jpeg, .png, .webp, .avif])
    func formats(format: ImageFormat) throws {
        let store = Self.store(Self.manifest(Self.example))
        #expect(try assertions(Self.file(format, with: store)) == [Self.ofExample])
        #expect(try assertions(CreditTests.file(format)) == [])
    }

    @Test("The active manifest counts, and manifests that only add to it and ingredients do not")
    func active() throws {
        let refusal = Self.assertion(
            "c2pa.training-mining__2", Self.map([("entries", Self.uses([("c2pa.ai_training", "notAllowed")]))]))
        let update = Self.manifest([], type: "c2um", label: "urn:c2pa:3")
        let found = try assertions(in: Self.store(Self.manifest(refusal), Self.manifest(Self.example), update))
        #expect(found == [Self.ofExample])
        #expect(
            try assertions(in: Self.store(Self.manifest(refusal))) == [
                UsageAssertion(name: "c2pa.training-mining", value: "c2pa.ai_training=notAllowed")
            ])
        #expect(try assertions(in: Self.store(update)) == [])
        // Version 1.0 had no member around the entries.
        let flat = Self.assertion("cawg.training-mining", Self.uses([("cawg.ai_training", "notAllowed")]))
        #expect(try assertions(in: Self.store(Self.manifest(flat))).map(\.value) == ["cawg.ai_training=notAllowed"])
    }

    @Test("Every damaged store ends without assertions or with an error, and never with a crash")
    func damage() throws {
        let store = Self.store(Self.manifest(Self.example))
        for length in 0..<store.count { _ = try? assertions(in: Array(store.prefix(length))) }
        for index in store.indices {
            var damaged = store
            damaged[index] ^= 0xFF
            _ = try? assertions(in: damaged)
        }
        // A claim of many items, deep nesting, and endless texts.
        for bytes: [UInt8] in [
            [0xBB] + Array(repeating: 0xFF, count: 8), Array(repeating: 0x81, count: 100_000), [0x7F, 0x61, 0x61],
            [0x5B] + Array(repeating: 0xFF, count: 8), [0x9F], [0xBF, 0x61, 0x61], [0x1C], [0xC0], [],
        ] {
            #expect(CBORItem(parsing: bytes[...]) == nil, "\(bytes.prefix(9))")
        }
        let indefinite: [UInt8] = [
            0xBF, 0x7F, 0x61, 0x61, 0x61, 0x62, 0xFF, 0x9F, 0x01, 0xFF, 0x61, 0x63, 0xD8, 1, 0x61, 0x64, 0xFF,
        ]
        #expect(CBORItem(parsing: indefinite[...])?["c"] == .text("d"))
        #expect(CBORItem(parsing: indefinite[...])?["ab"] == .other)
    }

    // MARK: IPTC

    @Test(
        "IPTC's property Data Mining is read in all forms",
        arguments: [
            (#"<plus:DataMining>http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED</plus:DataMining>"#, "DMI-PROHIBITED"),
            (
                #"<rdf:Description plus:DataMining="http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-AIMLTRAINING"/>"#,
                "DMI-PROHIBITED-AIMLTRAINING"
            ),
            (#"<plus:DataMining rdf:resource='http://ns.useplus.org/ldf/vocab/DMI-ALLOWED'/>"#, "DMI-ALLOWED"),
            (
                #"<x xmlns:lic="http://ns.useplus.org/ldf/xmp/1.0/"><lic:DataMining> DMI-UNSPECIFIED </lic:DataMining>"#,
                "DMI-UNSPECIFIED"
            ),
            ("<plus:DataMining/>", nil), ("<plus:DataMining", nil), ("plus:DataMining=", nil), ("", nil),
        ] as [(String, String?)])
    func dataMining(xmp: String, term: String?) throws {
        #expect(XMPPacket(Array(xmp.utf8)).dataMining == term)
        guard let term else { return }
        for format in [ImageFormat.jpeg, .png, .webp, .avif] {
            let file = try CreditTests.file(format, xmp: Array(xmp.utf8))
            #expect(try assertions(file) == [UsageAssertion(name: "iptc data-mining", value: term)], "\(format)")
        }
    }
}
