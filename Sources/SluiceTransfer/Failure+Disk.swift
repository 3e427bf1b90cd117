// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

extension Failure {
    /// What the disk says, in the words of transfers.
    static func onDisk<Value: ~Copyable>(_ body: @autoclosure () throws(FileError) -> Value) throws(Failure) -> Value {
        do { return try body() } catch { throw Failure(.disk, error.description) }
    }
}
