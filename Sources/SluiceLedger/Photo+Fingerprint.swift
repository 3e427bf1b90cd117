// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Photo {
    /// A number that tells whether what a feed says of the photo, but its key, has changed since it was written down.
    var fingerprint: Fingerprint {
        var print = Fingerprint()
        for variant in variants {
            print.add(variant.name)
            print.add(variant.url)
            print.add(variant.width)
            print.add(variant.height)
        }
        print.add(width)
        print.add(height)
        for text in [caption, author, authorURL, pageURL, license, licenseURL, attribution, color, placeholder] {
            print.add(text)
        }
        // Later facts: photos without them keep the number that ledgers have.
        if let ping { print.add(ping) }
        if let date { print.add("date \(date)") }
        if let camera { print.add("camera \(camera)") }
        return print
    }
}
