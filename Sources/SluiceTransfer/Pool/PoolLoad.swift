// SPDX-License-Identifier: MIT

extension WorkPool {
    /// How busy a pool is at a moment.
    public struct Load: Sendable, Hashable {
        /// How many items may hold a slot.
        public var width = 0
        /// How many have started and hold none: they rest, or wait for another host.
        public var resting = 0
        /// How many hosts with items in line are not to be asked yet.
        public var heldHosts = 0
    }

    /// How busy it is now.
    public var load: Load { ask { $0.load } }
}

extension WorkScheduler {
    /// How busy the pool is.
    var load: WorkPool.Load {
        WorkPool.Load(width: width, resting: inFlight - running, heldHosts: held.count)
    }
}
