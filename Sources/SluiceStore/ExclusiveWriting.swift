// SPDX-License-Identifier: MIT

public import SluiceFiles

/// Stores a file unless its name is taken, so that one of several writers wins.
public protocol ExclusiveWriting: Sendable {
    /// Stores a whole file durably; returns false, without any change, if a file with that name exists.
    ///
    /// Writers of the same name need different `temporary` names.
    func writeIfAbsent(_ bytes: [UInt8], to name: String, temporary: String) throws(FileError) -> Bool
}

extension Store {
    /// None: a store has to guarantee it.
    public var exclusiveWriting: (any ExclusiveWriting)? { nil }
}
