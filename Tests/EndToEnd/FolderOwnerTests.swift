// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Row E2 of the fault table: output folders that belong to another user.
    @Suite("Folder owner", .enabled(if: getuid() == 0, "only root can give a folder away"))
    struct FolderOwnerTests {
        @Test(
            "E2: another user's folder is refused if others may write to it, unless --force is given",
            arguments: [0o777, 0o775, 0o755])
        func others(rights: Int) throws {
            let mirror = try DemoMirror()
            try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.posixPermissions: rights, .ownerAccountID: 65534], ofItemAtPath: mirror.path)
            let result = try mirror.run("--pages", "1", "--per-page", "2")
            if rights & 0o022 == 0 {
                #expect(result.code == 0, "\(result.err)")
            } else {
                let sentence =
                    "cannot use '\(mirror.path)' as the output folder: it belongs to another user and is writable by others"
                #expect(result.code == 5 && result.err.hasPrefix("sluice: \(sentence)\nhint: "), "\(result.err)")
                #expect(try mirror.tree().names == [])
                #expect(try mirror.run("--pages", "1", "--per-page", "2", "--force").code == 0)
            }
        }

        @Test("E2: the user's own folder may be writable by others")
        func own() throws {
            let mirror = try DemoMirror()
            try FileManager.default.createDirectory(atPath: mirror.path, withIntermediateDirectories: true)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: mirror.path)
            #expect(try mirror.run("--pages", "1", "--per-page", "2").code == 0)
        }
    }
}
