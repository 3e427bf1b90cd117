// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// Counts a sample's events as they come, on many threads.
final class LoaderTally: Sendable {
    private struct State {
        var sample = LoaderSample()
        var starts: [String: ContinuousClock.Instant] = [:]
        var latencies: [Double] = []
        /// What loads that are under way have waited between their attempts, without a slot.
        var rests: [String: Double] = [:]
    }

    private let state = Locked(State())

    /// Takes an event in; gives the name of a file that is whole now.
    func record(_ event: LoadEvent) -> String? {
        let now = ContinuousClock.now
        return state.withLock { state in
            switch event {
            case .started(let load): state.starts[load.name] = now
            case .happened(let load, .retried(_, _, let delay)):
                state.sample.retries += 1
                state.rests[load.name, default: 0] += delay.seconds
            case .happened: break
            case .ended(let load, let result): return Self.end(load.name, result, at: now, &state)
            }
            return nil
        }
    }

    /// What it all came to.
    func sample(of time: Duration, _ decoding: Decoding.Report) -> LoaderSample {
        state.withLock { state in
            var sample = state.sample
            sample.seconds = time.seconds
            sample.done -= decoding.failed
            sample.failed += decoding.failed
            sample.decoding = decoding.seconds
            sample.cpu = OwnCost.cpu
            sample.memory = OwnCost.peakMemory
            sample.latency = LoaderSample.Latency(state.latencies)
            return sample
        }
    }

    private static func end(
        _ name: String, _ result: Result<Arrival, Failure>, at now: ContinuousClock.Instant, _ state: inout State
    ) -> String? {
        // One that ended before it had a slot has taken no time.
        let time = state.starts.removeValue(forKey: name).map { (now - $0).seconds } ?? 0
        state.sample.busy += max(0, time - (state.rests.removeValue(forKey: name) ?? 0))
        guard case .success(.whole(let response)) = result else {
            state.sample.failed += 1
            return nil
        }
        state.latencies.append(time * 1000)
        state.sample.done += 1
        state.sample.bytes += response.bytes
        return name
    }
}
