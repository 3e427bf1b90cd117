// SPDX-License-Identifier: MIT

package import SluiceFiles
internal import SluiceModel

extension S3Store {
    /// Calls `body` for each object in the order of the service, until it returns false.
    ///
    /// Memory depends on the size of a page, and not on the number of objects.
    package func forEachFile(_ body: (String) -> Bool) throws(FileError) {
        var objects = StoredObjects(client, location: place, prefix: place.keyPrefix)
        var filter = ShownObjects()
        while let page = try objects.next() {
            for object in page {
                let isShown = try filter.shows(object.name) { (folder) throws(FileError) in
                    try isMirror(folder)
                }
                if isShown, !body(object.name) { return }
            }
        }
    }

    /// Whether another mirror is in a folder.
    private func isMirror(_ folder: String) throws(FileError) -> Bool {
        try converting("list", folder) { () throws(S3Error) in
            let prefix = place.key(of: "\(folder)/\(LocalStore.stateFolder)/")
            var listing = S3Listing(client, prefix: prefix, pageSize: 1)
            return try listing.next()?.objects.isEmpty == false
        }
    }
}

/// Decides which objects of a sorted listing are neither hidden nor in other mirrors.
///
/// It keeps only the folders of the last object.
struct ShownObjects {
    private var folders: [String] = []
    /// The number of folders down to the mirror that has the last object; `nil` if it is in no other mirror.
    private var mirrorDepth: Int?

    /// Whether to show the object with this name; `isMirror` is asked about a folder if the order of the names leaves
    /// that open.
    mutating func shows(_ name: String, isMirror: (String) throws(FileError) -> Bool) throws(FileError) -> Bool {
        let parts = name.pathComponents
        let shown = parts.prefix { !$0.hasPrefix(".") && !$0.isEmpty }
        let common = zip(folders, shown.dropLast(shown.count == parts.count ? 1 : 0)).prefix { $0 === $1 }.count
        folders.removeSubrange(common...)
        if let depth = mirrorDepth, depth > common { mirrorDepth = nil }
        while mirrorDepth == nil, folders.count + 1 < parts.count, folders.count < shown.count {
            folders.append(shown[folders.count])
            let next = parts[folders.count]
            var isFound = next === LocalStore.stateFolder
            // The name of a mirror's state folder sorts before most others.
            if next.utf8.lexicographicallyPrecedes(LocalStore.stateFolder.utf8) {
                isFound = try isMirror(folders.joined(separator: "/"))
            }
            if isFound { mirrorDepth = folders.count }
        }
        return shown.count == parts.count && mirrorDepth == nil
    }
}
