// SPDX-License-Identifier: MIT

/// What a run did and what it cost: all that `report.json` and `report.html` tell; `Documentation/report.md` explains it.
public struct RunReport: Sendable {
    /// What the run was asked to do.
    public var start: RunStart
    /// The user's command, without secrets; none where a program ran it.
    public var command: [String] = []
    /// When it began, in seconds since 1970.
    public var startedAt: Int
    /// The options in force, by the names of their flags, without secrets.
    public var settings: [Setting] = []
    /// What it did, in numbers.
    public var summary = Summary()
    /// How it went over time, in spans of equal length.
    public var course: [Moment] = []
    /// How long the phases took, of all items that had them.
    public var phases: [(phase: Phase, times: Histogram)] = []
    /// How long items took from their slots to their ends.
    public var items = Histogram()
    /// The hosts that sent the most, the first of them first.
    public var hosts: [Host] = []
    /// What all other hosts sent, and how many they are.
    public var otherHosts: (count: Int, sum: Host)?
    /// How busy each stage was.
    public var stages: [StageUse] = []
    /// What held the run up; `nil` if it was too short to tell.
    public var finding: Finding?
    /// For how many seconds each held the run up.
    public var heldUp: [Bottleneck: Double] = [:]
    /// What it cost the machine.
    public var cost = Cost()
    /// Sluice and its libraries, with their versions.
    public var versions: [LibraryVersion] = []

    /// Begins a report.
    public init(start: RunStart, startedAt: Int) {
        (self.start, self.startedAt) = (start, startedAt)
    }

    /// An option in force.
    public struct Setting: Sendable, Hashable {
        /// The flag's name, without its dashes.
        public var name: String
        /// The value in words.
        public var value: String

        /// Names an option's value.
        public init(_ name: String, _ value: String) {
            (self.name, self.value) = (name, value)
        }
    }

    /// A span of the run's time.
    public struct Moment: Sendable, Hashable {
        /// When it began, in seconds of the run's.
        public var begin = 0.0
        /// How long it was, in seconds.
        public var length = 0.0
        /// Photos that were done.
        public var done = 0
        /// Photos that had any other end, without those that earlier runs did.
        public var others = 0
        /// Bytes that arrived, of pages and photos.
        public var bytes = 0
        /// Items under way, on average.
        public var inFlight = 0.0
        /// Items that waited for a slot, on average.
        public var line = 0.0
        /// Items that waited for a decoder or its memory, on average.
        public var decodeLine = 0.0
        /// Decoders at work, on average.
        public var decoding = 0.0
        /// Items that waited to be made safe, on average.
        public var writeLine = 0.0
        /// What part of the time the end writer was at work.
        public var writing = 0.0
        /// What part of the time the walk waited for a page.
        public var feedWait = 0.0
        /// Hosts that were not to be asked, at most.
        public var pausedHosts = 0
        /// What held the run up for most of it.
        public var bottleneck: Bottleneck?

        /// Makes an empty span.
        public init() {}
    }

    /// What a host sent.
    public struct Host: Sendable, Hashable {
        /// Its name.
        public var name: String
        /// Photos of it that were done.
        public var done = 0
        /// Photos of it that failed.
        public var failed = 0
        /// Attempts at it that failed and were followed by another.
        public var retried = 0
        /// How often nobody was to ask it for a while.
        public var paused = 0
        /// Bytes of the photos that were done.
        public var bytes = 0

        /// Begins with a host that sent nothing.
        public init(name: String) {
            self.name = name
        }
    }

    /// How busy a stage was over the whole run.
    public struct StageUse: Sendable, Hashable {
        /// Its name, in words.
        public var name: String
        /// How many were in it on average.
        public var mean: Double
        /// The most on average in one of the report's spans.
        public var peak: Double
        /// How many it has room for; `nil` for one that is only waited in.
        public var capacity: Int?

        /// Describes a stage.
        public init(name: String, mean: Double, peak: Double, capacity: Int?) {
            (self.name, self.mean, self.peak, self.capacity) = (name, mean, peak, capacity)
        }
    }

    /// What held the run up, and what might help.
    public struct Finding: Sendable, Hashable {
        /// Which stage.
        public var bottleneck: Bottleneck
        /// For what part of the time.
        public var share: Double
        /// A sentence for the user.
        public var sentence: String
        /// The flag that may help, with its dashes; `nil` where none would.
        public var flag: String?

        /// Describes what was found.
        public init(_ bottleneck: Bottleneck, share: Double, sentence: String, flag: String?) {
            (self.bottleneck, self.share, self.sentence, self.flag) = (bottleneck, share, sentence, flag)
        }
    }

    /// What a run cost the machine.
    public struct Cost: Sendable, Hashable {
        /// Time of all cores together, in seconds.
        public var cpu = 0.0
        /// How many cores there are.
        public var cores = 1
        /// The most memory that the run's processes had together, in bytes.
        public var peakMemory = 0
        /// How much what was in flight was allowed to take, in bytes.
        public var memoryBudget: Int?

        /// Makes a cost of nothing.
        public init() {}
    }
}
