// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// Opens sources in buckets with the user's options.
struct BucketOpener: BucketOpening {
    let options: S3Options

    func pictures(at location: String) throws(SourceError) -> any Feed {
        BucketFeed([try bucket(at: location)], by: .paths)
    }

    func names(below location: String) throws(SourceError) -> NameLister {
        let bucket = try bucket(at: location)
        return { token in
            Result { () throws(FileError) in
                var objects = bucket.objects()
                var names: [String] = []
                while !token.isCancelled, let page = try objects.next() { names += page.map(\.name) }
                return names
            }
        }
    }

    func opener(ofListAt location: String) throws(SourceError) -> ListOpener {
        let bucket = try bucket(at: location)
        return { () throws(FileError) in ObjectInput(try bucket.reader()) }
    }

    func parts(ofListAt location: String) throws(SourceError) -> PartsOpener {
        let bucket = try bucket(at: location)
        return { () throws(FileError) in
            let object = try bucket.parts()
            let start = max(0, object.size - RequestedParts.endSize)
            return RequestedParts(size: object.size, end: try object.read(start..<object.size)) {
                (range) throws(FileError) in try object.read(range)
            }
        }
    }

    private func bucket(at location: String) throws(SourceError) -> S3Bucket {
        guard let parsed = S3Location(location) else {
            throw SourceError("cannot read '\(location)': expected s3://BUCKET/PREFIX")
        }
        do throws(MirrorError) {
            return try S3Bucket(parsed, isSource: true, for: options)
        } catch {
            throw SourceError(error.message, hint: error.hint)
        }
    }
}

private final class ObjectInput: ListInput {
    private var reader: ObjectReader

    init(_ reader: consuming ObjectReader) { self.reader = reader }

    var size: Int? { reader.size }
    var bytesRead: Int { reader.bytesRead }

    /// `true`: reading blocks until bytes have arrived.
    func isReady(within milliseconds: Int32) -> Bool { true }

    func read(_ count: Int) throws(FileError) -> [UInt8] { try reader.read(count) }
}
