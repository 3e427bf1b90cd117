// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// Reads an open list, record by record.
final class ListReader {
    /// How many records were read.
    private(set) var count = 0
    private var bytes: ListBytes
    private var format: any ListFormat

    /// Opens a file, a pipe, or standard input for `-`, and tells its format.
    init(_ path: String, options: ListOptions, token: Token) throws(Failure) {
        let file: InputFile
        do throws(FileError) { file = try InputFile(path) } catch { throw Failure(.disk, "\(error)", finalURL: path) }
        var bytes = ListBytes(file, token: token)
        format = try ListFormats.sniff(&bytes, options: options)
        self.bytes = bytes
    }

    /// What is worth a line about the list as a whole, once something was read.
    var note: String? { format.note }

    /// The next record's photo; `nil` behind the last.
    func next() throws(Failure) -> Photo? {
        guard let photo = try format.next(from: &bytes) else { return nil }
        count += 1
        return photo
    }
}
