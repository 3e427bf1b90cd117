// SPDX-License-Identifier: MIT

import SluiceLedger
import SluiceModel
import Testing

@testable import SluiceCluster

@Suite("Rows of a plan", .timeLimit(.minutes(10))) struct PlanRowTests {
    /// Writes an item and reads it again.
    private func copy(of planned: PlannedItem) -> PlannedItem? {
        var writer = JSONWriter()
        PlanRow.write(planned, to: &writer)
        return PlanRow.item(in: writer.bytes.dropLast()[...], ofFeed: planned.item.feed)
    }

    @Test("A row has every fact of a photo, its position, its page and its name")
    func facts() throws {
        var photo = Photo(id: "a \"b\" <c>\n")
        for (index, field) in PhotoField.all.enumerated() {
            switch field.property {
            case .text(let path): photo[keyPath: path] = "\(field.name) \u{2028} é"
            case .number(let path): photo[keyPath: path] = index
            }
        }
        var raw = Variant(name: "raw", url: "https://a.example/?a=1&b=<2>", width: 3, height: 4)
        raw.checksum = Checksum(.md5, String(repeating: "ab", count: 16))
        photo.variants = [raw, Variant(name: "", url: "https://a.example/2")]
        let planned = PlannedItem(Item(seq: 12, feed: "list", page: 3, photo: photo), name: "00012-a")
        #expect(try #require(copy(of: planned)) == planned)
    }

    @Test("An invalid photo stays invalid, with its reason")
    func invalid() throws {
        var photo = Photo(id: "")
        photo.invalidReason = Failure(.feedParse, "line 3: no address", finalURL: "list.txt")
        let planned = PlannedItem(Item(seq: 1, feed: "list", page: 1, photo: photo), name: nil)
        #expect(try #require(copy(of: planned)) == planned)
    }

    @Test("Other lines are no rows", arguments: ["", "{}", #"{"seq":0,"page":1,"variants":[]}"#, "[1]"])
    func malformed(line: String) {
        #expect(PlanRow.item(in: Array(line.utf8)[...], ofFeed: "list") == nil)
    }
}

@Suite("Merkle trees", .timeLimit(.minutes(10))) struct MerkleTreeTests {
    /// The leaves and roots of the test vectors of RFC 6962's reference implementation.
    @Test(
        "Roots are those of RFC 6962",
        arguments: [
            (0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
            (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
            (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
            (7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
            (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
        ])
    func roots(count: Int, root: String) {
        let leaves: [[UInt8]] = [
            [], [0], [0x10], [0x20, 0x21], [0x30, 0x31], [0x40, 0x41, 0x42, 0x43], Array(0x50...0x57),
            Array(0x60...0x6F),
        ]
        var tree = MerkleTree()
        for leaf in leaves.prefix(count) { tree.add(leaf[...]) }
        #expect(tree.root == root)
    }
}
