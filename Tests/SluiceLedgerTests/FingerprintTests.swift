// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceLedger

@Suite("Fingerprint", .timeLimit(.minutes(10))) struct FingerprintTests {
    @Test("Every changed, added or removed fact changes the fingerprint")
    func facts() {
        var photos = [Samples.photo("a")]
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
        change { $0.width = 4001 }
        change { $0.height = nil }
        change { swap(&$0.width, &$0.height) }
        change { $0.date = 7 }
        change { $0.camera = "7" }
        let texts: [WritableKeyPath<Photo, String?>] = [
            \.caption, \.author, \.authorURL, \.pageURL, \.license, \.licenseURL, \.attribution, \.color, \.placeholder,
        ]
        for text in texts {
            change { $0[keyPath: text] = nil }
            change { $0[keyPath: text] = "" }
            change { $0[keyPath: text]? += "x" }
        }
        #expect(Set(photos.map { $0.fingerprint.value }).count == photos.count)
    }

    @Test("The fingerprint is the same in every run and build")
    func stable() {
        #expect(Photo(id: "a").fingerprint.value == Photo(id: "b").fingerprint.value)
        #expect(Photo(id: "a").fingerprint.value == 7_446_876_705_443_717_225)
    }
}
