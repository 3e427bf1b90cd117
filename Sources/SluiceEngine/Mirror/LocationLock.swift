// SPDX-License-Identifier: MIT

package import SluiceFiles

/// A lock on a folder, or on a location in a bucket.
package enum LocationLock: ~Copyable {
    case folder(FolderLock)
    case bucket(BucketFiles)

    /// Releases the lock.
    package consuming func release() {}
}
