// SPDX-License-Identifier: MIT

/// The user's options for buckets; what they leave open comes from the environment and AWS's configuration files.
public struct S3Options: Sendable, Hashable {
    /// How a request names the bucket.
    public enum Addressing: String, Sendable, Hashable, CaseIterable {
        /// In the host for AWS, and in the path for other services.
        case auto
        /// In the path: `https://host/bucket/key`.
        case path
        /// In the host: `https://bucket.host/key`.
        case host
    }

    /// The address of the service; `nil` for AWS.
    public var endpoint: String?
    /// The region that the requests are signed for.
    public var region: String?
    /// The profile in AWS's configuration files.
    public var profile: String?
    /// Whether the keys are those of a role, which services of the machine's provider hand out.
    public var usesRole = false
    /// Whether the buckets of sources are read without signing requests, as public ones allow.
    public var readsAnonymously = false
    /// How a request names the bucket.
    public var addressing = Addressing.auto
    /// Whether a store that ignores conditions may be written to, by a single writer.
    public var allowsUnsafeCommits = false

    /// How long a run keeps a location after the last renewal of its lease, in seconds; another run may then take it
    /// over.
    public var leaseSeconds = 60

    /// The local folder for the ledger of a mirror in a bucket; `nil` for one in the user's folder for state.
    public var stateFolder: String?

    /// Leaves everything open.
    public init() {}
}
