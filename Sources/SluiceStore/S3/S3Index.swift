// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The sizes of all objects below a prefix, from one listing and from the changes of their only writer.
final class S3Index: Sendable {
    private let client: S3Client
    private let prefix: String
    /// `nil` until the first question.
    private let sizes = Locked<ObjectSizes?>(nil)

    init(_ client: S3Client, prefix: String) {
        self.client = client
        self.prefix = prefix
    }

    /// Returns the size of an object, `nil` if it does not exist; lists the objects before the first answer.
    func size(of key: String) throws(S3Error) -> Int? {
        try sizes.withLock { sizes throws(S3Error) in
            if let sizes { return sizes[key] }
            var listed = ObjectSizes()
            var listing = S3Listing(client, prefix: prefix)
            while let page = try listing.next() {
                for object in page.objects { listed[object.key] = object.size }
            }
            sizes = listed
            return listed[key]
        }
    }

    /// Records a change; `nil` is a removal.
    func set(_ size: Int?, of key: String) {
        sizes.withLock { $0?[key] = size }
    }
}
