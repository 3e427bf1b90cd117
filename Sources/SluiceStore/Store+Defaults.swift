// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

// The behaviour of stores with one writer and without records of their files: local folders.

extension Store {
    /// Opens a file of this machine.
    public func openWithStamp(_ name: String) throws(FileError) -> StampedFile {
        let file = try open(name)
        let stamp = try file.stamp
        return StampedFile(file, stamp: stamp)
    }

    /// Removes all: a local folder has one writer.
    public func removeUnchanged(_ files: [StoredFile]) throws(FileError) -> [StoredFile] {
        try remove(files.map(\.path), durability: .none)
        return []
    }

    /// One: a commit waits for the disk, which later commits would only slow down.
    public var concurrentCommits: Int { 1 }

    /// 0: staged files are renamed.
    public var memoryForStaging: Int { 0 }

    /// None: what a commit stores is durable, or each file is flushed.
    public var flushing: (any JointFlushing)? { nil }

    /// Nothing: a file system records no checksums.
    public func recordedContent(of name: String) throws(FileError) -> RecordedContent? { nil }
}
