// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// The connection to the bucket of a location.
package struct S3Bucket: Sendable {
    package let location: S3Location
    let client: S3Client

    /// Finds the credentials and the service without a request; throws if either is missing.
    ///
    /// A source can be read without credentials, if the options say so.
    package init(
        _ location: S3Location, isSource: Bool = false, options: S3Options, transfer: TransferOptions
    ) throws(FileError) {
        do throws(S3Error) {
            var options = options
            if !isSource { options.readsAnonymously = false }
            self.init(
                location, client: try S3Client(bucket: location.bucket, options: options, transfer: transfer))
        } catch {
            throw error.fileError("use", location.description, bucket: location.bucket)
        }
    }

    /// Runs `body`, which blocks for requests, and suspends until it has returned.
    package func withRequests<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await client.threads.run(body)
    }

    init(_ location: S3Location, client: S3Client) {
        self.location = location
        self.client = client
    }
}

// Reading objects that others have stored.

extension S3Bucket {
    /// Lists all objects below the location, also hidden ones, in the order of the service.
    package func objects() -> StoredObjects {
        StoredObjects(client, location: location, prefix: location.keyPrefix)
    }

    /// Downloads an object into a partial file, unless its entity tag is still `known`.
    ///
    /// Blocks the calling thread. An interrupted download of the same version is resumed. An error of the service fails
    /// only the item.
    package func download(
        _ name: String, into partial: PartialFile, limit: Int, unless known: String?, token: CancellationToken,
        earlyCheck: @escaping EarlyCheck
    ) throws(Failure) -> DownloadResult {
        let url = location.appending(name)
        do throws(S3Error) {
            let download = try client.download(
                location.key(of: name), into: partial, limit: limit, unless: known, earlyCheck: earlyCheck,
                token: token)
            switch download {
            case .rejected(let rejection): return .rejected(rejection)
            case .unchanged: return .unchanged(Response(unchangedAt: url))
            case .complete(let response):
                guard response.bytes > 0 else { throw S3Error(Failure(.emptyBody, "")) }
                return .complete(
                    Response(
                        status: nil, url: url, headers: response.headers, body: [], bytes: response.bytes,
                        sha256: response.sha256 ?? ""))
            }
        } catch {
            throw error.failure(at: url, bucket: location.bucket)
        }
    }

    /// Opens the object at the location itself, to read its bytes in order.
    package func reader() throws(FileError) -> ObjectReader { try ObjectReader(client, location) }

    /// Opens the object at the location itself, to read parts of it.
    package func parts() throws(FileError) -> ObjectParts { try ObjectParts(client, location) }
}
