// SPDX-License-Identifier: MIT

/// The transfers of a real run, as its trace tells them: what a replay plays again.
public struct Recording: Sendable, Hashable {
    /// A photo that a host was asked for.
    struct Photo: Sendable, Hashable {
        /// Its host's number, in the order in which hosts were asked first.
        var host: Int
        /// The bytes that came.
        var bytes: Int
        /// From its slot to the body's first byte, with all attempts before: microseconds.
        var wait: Int
        /// From there to the last byte: microseconds.
        var body: Int
        /// Whether it came whole; one that did not held its slot for the time of `wait`.
        var isDone: Bool
    }

    /// The photos in the order in which they had their slots.
    let photos: [Photo]
    /// What the run itself came to.
    public let course: RecordedCourse
}

/// What a recorded run came to.
public struct RecordedCourse: Sendable, Hashable {
    /// The trace's file.
    public var file: String
    /// How many hosts were asked.
    public var hosts: Int
    /// How it loaded: as its report says, or as many at once as the trace ever shows.
    public var setting: LoaderSetting
    /// What that came to; of what neither file tells there is nothing.
    public var sample: LoaderSample

    /// How long a photo that came took, on average, in seconds.
    var timeOfOne: Double { sample.done > 0 ? sample.busy / Double(sample.done + sample.failed) : 0 }
}
