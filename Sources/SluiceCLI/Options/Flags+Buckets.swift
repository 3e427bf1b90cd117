// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Flag {
    /// The commands that open buckets.
    private static let users: [CommandName] = [
        .mirror, .thumbs, .plan, .work, .merge, .verify, .explain, .diff, .gallery, .duplicates, .serve, .export,
    ]

    /// Options for S3-compatible buckets.
    static let buckets: [Flag] = [
        Flag(
            long: "s3-endpoint", value: "URL", commands: users, isRare: true,
            help: "Address of the S3-compatible service (default AWS)",
            longHelp: """
                The address of the service that has the buckets, e.g. https://storage.example.org. By default it comes \
                from AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or the profile, and else it is that of AWS. The address may \
                be on a private network.
                """,
            apply: { $0.mirror.buckets.endpoint = try $1.singleLine("a URL") }),
        Flag(
            long: "s3-region", value: "REGION", commands: users, isRare: true,
            help: "Region of the bucket, e.g. eu-west-1",
            longHelp: """
                The region that requests are signed for. By default it comes from AWS_REGION, AWS_DEFAULT_REGION or \
                the profile, and else it is us-east-1, which most other services accept.
                """,
            apply: { $0.mirror.buckets.region = try $1.singleLine("a region") }),
        Flag(
            long: "s3-profile", value: "NAME", commands: users, isRare: true,
            help: "Profile in ~/.aws with credentials and settings",
            longHelp: """
                The profile in the files credentials and config of the folder ~/.aws. Its credentials then come before \
                those in the environment. By default AWS_PROFILE names it.
                """,
            apply: { $0.mirror.buckets.profile = try $1.singleLine("a profile") }),
        Flag(
            long: "s3-role", commands: users, isRare: true,
            help: "Use the role of this machine, container or identity",
            longHelp: """
                Takes temporary keys from a service of the machine's provider, and renews them before they expire: for \
                the token in AWS_WEB_IDENTITY_TOKEN_FILE and the role AWS_ROLE_ARN, from the container service that \
                AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI names, or else from the metadata service of an \
                EC2 instance. Other keys are then ignored. Without this option, none of these services is asked.
                """,
            apply: { $0.mirror.buckets.usesRole = $1.isOn }),
        Flag(
            long: "s3-anonymous", commands: [.mirror, .thumbs, .plan, .work, .merge], others: .anyCommand, isRare: true,
            help: "Read public source buckets without credentials",
            longHelp: """
                Sends the requests to buckets that are sources without a signature, as buckets for the public allow. \
                Credentials are neither needed nor used for them. Other buckets, such as --out, need credentials as always.
                """,
            apply: { $0.mirror.buckets.readsAnonymously = $1.isOn }),
        Flag(
            long: "s3-addressing", value: .choice(of: S3Options.Addressing.self), commands: users, isRare: true,
            help: "Where a request names the bucket", default: defaults.addressing.rawValue,
            longHelp: """
                With host, the bucket is part of the host name, and with path, of the path. auto uses the host for \
                AWS, and the path for other services and for buckets with a dot in their names.
                """,
            apply: { $0.mirror.buckets.addressing = try $1.choice(of: S3Options.Addressing.self) }),
        Flag(
            long: "s3-unsafe-commits", commands: [.mirror, .thumbs, .gallery, .export], isRecorded: false, isRare: true,
            help: "Allow a service that cannot refuse to replace objects",
            longHelp: """
                Writes to a bucket even if its service ignores the condition that an object must not exist yet. Two runs \
                could then overwrite each other's objects, so use it only if no other run writes to the location.
                """,
            apply: { $0.mirror.buckets.allowsUnsafeCommits = $1.isOn }),
        Flag(
            long: "s3-lease", value: "TIME", commands: [.mirror, .thumbs, .plan, .work, .merge, .gallery, .export],
            isRare: true,
            help: "Time after which another run may take over", default: "\(defaults.leaseSeconds)s",
            longHelp: """
                How long a run keeps a location in a bucket after the last renewal of its lease, from 2s to 1h. If \
                its machine is lost, a run on another machine can continue after this time. The run renews its \
                lease four times as often.
                """,
            apply: { options, argument in
                let time = try argument.duration()
                guard (.seconds(2)...(.seconds(3600))).contains(time) else {
                    throw InvalidValue("a time from 2s to 1h")
                }
                options.mirror.buckets.leaseSeconds = Int(time.components.seconds)
            }),
        Flag(
            long: "state", value: ValuePlaceholder("DIR", .folder), commands: users.filter { $0 != .serve },
            isRecorded: false, isRare: true,
            help: "Local folder for the ledger of a bucket or an attempt",
            longHelp: """
                The local folder for the ledger and unfinished downloads if --out is in a bucket. A run with another \
                folder loads the ledger from the bucket. The default is a folder below ~/.local/state/sluice, or below \
                XDG_STATE_HOME. For work with a local --out, it holds the whole attempt at a shard, for example on a \
                fast local disk, and the finished attempt is copied to --out.
                """,
            apply: { $0.mirror.buckets.stateFolder = try $1.singleLine("a folder name") }),
    ]
    private static let defaults = S3Options()
}
