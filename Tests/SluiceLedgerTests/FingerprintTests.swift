// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceLedger

@Suite("Fingerprint", .timeLimit(.minutes(10))) struct FingerprintTests {
    private static let whole: Photo = {
        var photo = Samples.photo("a")
        (photo.date, photo.camera) = (1_700_000_000, "Box camera, f/8")
        return photo
    }()

    @Test("Every changed, added or removed fact changes the fingerprint")
    func facts() {
        var whole = Self.whole
        whole.columns = #"{"score":1}"#
        whole.source = "a.csv"
        whole.tags = "lake"
        var photos = [whole]
        func change(_ body: (inout Photo) -> Void) {
            var photo = photos[0]
            body(&photo)
            photos.append(photo)
        }
        change { $0.variants[0].url += "x" }
        change { $0.variants[0].name = "RAW" }
        change { $0.variants[0].width = nil }
        change { $0.variants[1].height = 7 }
        change { $0.variants.swapAt(0, 1) }
        change { $0.variants.removeAll() }
        change { ($0.width, $0.height) = ($0.height, $0.width) }
        for field in PhotoField.all where field.ledger != .key {
            switch field.property {
            case .text(let path):
                change { $0[keyPath: path] = nil }
                change { $0[keyPath: path] = "" }
                change { $0[keyPath: path]? += "x" }
            case .number(let path):
                change { $0[keyPath: path] = nil }
                change { $0[keyPath: path] = 7 }
            }
        }
        #expect(Set(photos.map { $0.fingerprint.value }).count == photos.count)
    }

    @Test("The fingerprint is the same in every run and build")
    func stable() {
        #expect(Photo(id: "a").fingerprint.value == Photo(id: "b").fingerprint.value)
        #expect(Photo(id: "a").fingerprint.value == 7_446_876_705_443_717_225)
        #expect(Self.whole.fingerprint.value == 7_003_168_720_898_371_201)
    }
}
