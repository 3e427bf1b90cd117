// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Flag {
    private static let users: [CommandName] = [
        .mirror, .thumbs, .plan, .work, .merge, .verify, .explain, .diff, .gallery, .duplicates, .serve, .export,
    ]

    /// Options for S3-compatible buckets.
    static let buckets: [Flag] = [
        Flag(
            "s3-endpoint", .text("URL", \.mirror.buckets.endpoint, "a URL"), users, isRare: true,
            "Address of the S3-compatible service (default AWS)",
            """
            The address of the service that has the buckets, e.g. https://storage.example.org. By default it comes \
            from AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL or the profile, and else it is that of AWS. The address may be \
            on a private network.
            """),
        Flag(
            "s3-region", .text("REGION", \.mirror.buckets.region, "a region"), users, isRare: true,
            "Region of the bucket, e.g. eu-west-1",
            """
            The region that requests are signed for. By default it comes from AWS_REGION, AWS_DEFAULT_REGION or the \
            profile, and else it is us-east-1, which most other services accept.
            """),
        Flag(
            "s3-profile", .text("NAME", \.mirror.buckets.profile, "a profile"), users, isRare: true,
            "Profile in ~/.aws with credentials and settings",
            """
            The profile in the files credentials and config of the folder ~/.aws. Its credentials then come before \
            those in the environment. By default AWS_PROFILE names it.
            """),
        Flag(
            "s3-role", .on(\.mirror.buckets.usesRole), users, isRare: true,
            "Use the role of this machine, container or identity",
            """
            Takes temporary keys from a service of the machine's provider, and renews them before they expire: for the \
            token in AWS_WEB_IDENTITY_TOKEN_FILE and the role AWS_ROLE_ARN, from the container service that \
            AWS_CONTAINER_CREDENTIALS_RELATIVE_URI or _FULL_URI names, or else from the metadata service of an EC2 \
            instance. Other keys are then ignored. Without this option, none of these services is asked.
            """),
        Flag(
            "s3-anonymous", .on(\.mirror.buckets.readsAnonymously), [.mirror, .thumbs, .plan, .work, .merge],
            others: .anyCommand, isRare: true, "Read public source buckets without credentials",
            """
            Sends the requests to buckets that are sources without a signature, as buckets for the public allow. \
            Credentials are neither needed nor used for them. Other buckets, such as --out, need credentials as \
            always.
            """),
        Flag(
            "s3-addressing", .choice(\.mirror.buckets.addressing), users, isRare: true,
            "Where a request names the bucket",
            """
            With host, the bucket is part of the host name, and with path, of the path. auto uses the host for AWS, \
            and the path for other services and for buckets with a dot in their names.
            """),
        Flag(
            "s3-unsafe-commits", .on(\.mirror.buckets.allowsUnsafeCommits), [.mirror, .thumbs, .gallery, .export],
            isRecorded: false, isRare: true, "Allow a service that cannot refuse to replace objects",
            """
            Writes to a bucket even if its service ignores the condition that an object must not exist yet. Two runs \
            could then overwrite each other's objects, so use it only if no other run writes to the location.
            """),
        Flag(
            "s3-lease",
            .custom("TIME") { options, argument in
                let time = try argument.duration()
                guard (.seconds(2)...(.seconds(3600))).contains(time) else {
                    throw InvalidValue("a time from 2s to 1h")
                }
                options.mirror.buckets.leaseSeconds = Int(time.components.seconds)
            }, [.mirror, .thumbs, .plan, .work, .merge, .gallery, .export], isRare: true,
            default: "\(defaults.leaseSeconds)s", "Time after which another run may take over",
            """
            How long a run keeps a location in a bucket after the last renewal of its lease, from 2s to 1h. If its \
            machine is lost, a run on another machine can continue after this time. The run renews its lease four \
            times as often.
            """),
        Flag(
            "state", .text(ValuePlaceholder("DIR", .folder), \.mirror.buckets.stateFolder, "a folder name"),
            users.filter { $0 != .serve }, isRecorded: false, isRare: true,
            "Local folder for the ledger of a bucket or an attempt",
            """
            The local folder for the ledger and unfinished downloads if --out is in a bucket. A run with another \
            folder loads the ledger from the bucket. The default is a folder below ~/.local/state/sluice, or below \
            XDG_STATE_HOME. For work with a local --out, it holds the whole attempt at a shard, for example on a fast \
            local disk, and the finished attempt is copied to --out.
            """),
    ]
    private static let defaults = S3Options()
}
