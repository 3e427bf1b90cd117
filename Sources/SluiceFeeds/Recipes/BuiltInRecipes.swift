// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Recipe {
    /// The photo service inside Sluice.
    static let demo = builtIn(PackageResources.demo_json)

    private static func builtIn(_ bytes: [UInt8]) -> Recipe {
        do {
            return try Recipe(JSON(parsing: bytes))
        } catch {
            preconditionFailure("a built-in recipe is wrong: \(error)")
        }
    }
}
