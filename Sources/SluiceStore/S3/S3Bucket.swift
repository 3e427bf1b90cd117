// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// The connection to the bucket of a location.
package struct S3Bucket: Sendable {
    /// The location.
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
