// SPDX-License-Identifier: MIT

public import SluiceEngine
package import SluiceFeeds
public import SluiceModel

/// The photo services that Sluice supports, and validation of recipes for others.
public enum Services {
    /// All built-in services.
    public static var all: [ServiceInfo] { Source.services }

    /// The names of all built-in services.
    ///
    /// Unlike ``all``, this parses no recipes.
    public static var names: [String] { Source.serviceNames }

    /// Returns the service with this name, or the one that a recipe file describes.
    public static func named(_ text: String) throws(MirrorError) -> ServiceInfo {
        do { return try Source.service(text) } catch { throw MirrorError(error) }
    }

    /// Returns all errors in a recipe file, in the order of their lines.
    public static func problems(inRecipeAt path: String) throws(MirrorError) -> [RecipeDiagnostic] {
        do { return try Source.problems(inRecipeAt: path) } catch { throw MirrorError(error) }
    }

    /// Returns what a recipe makes of a saved reply, without a request to the service.
    package static func preview(ofReplyAt path: String, with recipe: String) throws(MirrorError) -> ReplyPreview {
        do { return try Source.preview(ofReplyAt: path, with: recipe) } catch { throw MirrorError(error) }
    }
}
