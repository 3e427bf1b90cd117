// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel

/// Returns the names of objects.
package typealias NameLister = @Sendable (CancellationToken) -> Result<[String], FileError>

/// Opens sources in buckets.
///
/// The caller supplies it because this module does not know buckets.
package protocol BucketOpening: Sendable {
    /// Creates a feed of the pictures below a location.
    func pictures(at location: String) throws(SourceError) -> any Feed

    /// Returns a function that lists the names of all objects below a location; it blocks the calling thread.
    func names(below location: String) throws(SourceError) -> NameLister

    /// Returns a function that opens a list.
    func opener(ofListAt location: String) throws(SourceError) -> ListOpener

    /// Returns a function that opens a list in a Parquet file, of which it requests parts.
    func parts(ofListAt location: String) throws(SourceError) -> PartsOpener
}
