// SPDX-License-Identifier: MIT

import Foundation
import TestSupport

/// A file with a list in a folder of its own, which goes with it.
final class TemporaryList {
    private let folder: TemporaryFolder
    let path: String

    init(_ bytes: some Collection<UInt8>, named name: String = "list") throws {
        folder = try TemporaryFolder()
        path = folder.path(name)
        try Data(bytes).write(to: URL(filePath: path))
    }

    convenience init(_ text: String, named name: String = "list") throws { try self.init(text.utf8, named: name) }
}
