// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// One run: walks the feed, and sends each item on its way as soon as the pool has room for it.
struct MirrorRun: Sendable {
    let feed: any Feed
    let run: LedgerRun
    let pool: WorkPool
    let way: any Way
    let ledger: Ledger
    let ends: EndWriter
    let recorder: Recorder
    /// Ends the walk and what waits, but not what is under way.
    let intake: Token
    /// Ends the run from within.
    let stop: @Sendable (StopReason) -> Void
    /// How many pages are wanted; `nil` for all.
    var pages: Int?
    /// How many items are wanted; `nil` for all.
    var maxItems: Int?
    /// What is to be said if that many were taken: the service's terms allow no more.
    var capNote: String?
    /// Which photos are wanted.
    var selection = Selection()
    /// What ends the run early.
    var limits = RunLimits()

    /// How new items are named; `nil` for those that are named elsewhere.
    var naming: NameTemplate?
    /// What becomes of items that the feed lists no more; `nil` for nothing.
    var pruning: Pruning?
    /// So many items in a row that are kept end the walk; `nil` for never.
    var stopAfterSeen: Int?
    /// What is taken of the ledger in place of the feed.
    var again: Again?
    /// A folder of another tool's that is looked through in place of downloading anything.
    var adoption: (of: Adoption, choice: VariantChoice)?
    /// How long an item may hold its slot, whatever it does; `nil` for ever.
    var watchLimit: Duration?
    /// The items on their way.
    var roster = Roster()
    /// Finds how many items should be in flight; `nil` where that is fixed.
    var steering: WidthSteering?

    private var measures: Measures { recorder.measures }

    /// Walks to the feed's end, or as far as is wanted, and waits until every item has ended.
    func walk() async {
        let handler = intake.onCancel { [pool] _ in pool.drain() }
        if let watchLimit { pool.watch(limit: watchLimit) }
        var isWhole = false
        if let adoption {
            await adopt(adoption.of, choice: adoption.choice)
        } else if let again {
            await takeUp(again)
        } else {
            isWhole = await walkFeed { await begin($0, &$1) }
        }
        await pool.drained()
        await ends.finish()
        if isWhole { settle() }
        withExtendedLifetime(handler) {}
    }

    /// Walks as far as is wanted, hands each page's items on, and says whether that was to the feed's end.
    func walkFeed(taking take: (ArraySlice<Claim>, inout Row) async -> Void) async -> Bool {
        var row = Row(most: stopAfterSeen ?? .max)
        var (claims, place) = await nextPage(
            at: Place(
                ahead: LookAhead(Walk(feed, limit: pages), token: intake),
                left: Left(items: maxItems ?? .max, selector: Selector(selection))))
        while let wanted = claims {
            if stopAfterSeen != nil {
                // These may be the last: the next page is asked for meanwhile, and entered only if they are not.
                request(&place)
                await take(wanted, &row)
                (claims, place) = row.isOver ? (nil, place) : await nextPage(at: place)
            } else {
                // The ledger's work for the next page is done while these are on their way.
                let here = place
                async let next = nextPage(at: here)
                await take(wanted, &row)
                (claims, place) = await next
            }
        }
        place.ahead.end()
        if place.left.items <= 0, let capNote { recorder.record(.note(capNote)) }
        if let note = place.left.conflicts.note { recorder.record(.note(note)) }
        let isEnough = row.isOver || place.left.isNothing
        finish(place.ahead, isEnough: isEnough)
        return place.ahead.nextNumber == nil && !place.ahead.isBroken && !isEnough
    }

    /// Takes the next page, if there is one that is wanted: what is wanted of it is in the ledger then.
    private func nextPage(at place: Place) async -> (claims: ArraySlice<Claim>?, place: Place) {
        var place = place
        guard !intake.isCancelled, !place.left.isNothing, let number = place.ahead.nextNumber else {
            return (nil, place)
        }
        request(&place)
        guard let claims = await claims(ofPage: number, at: &place) else { return (nil, place) }
        let wanted = claims.prefix(place.left.items)
        place.left.items -= wanted.count
        return (wanted, place)
    }

    /// Notes, and removes if that is wanted, what a walk to the feed's end did not meet.
    ///
    /// A walk that was stopped or saw a part of the feed leaves that for the next one.
    private func settle() {
        guard !intake.isCancelled, pages == nil, selection == Selection() else { return }
        do throws(Failure) {
            try Failure.inLedger(ledger.noteAbsences(in: run))
            guard let pruning else { return }
            switch try pruning.run(run) {
            case .note(let words): recorder.record(.note(words))
            case .refused(let words): stop(.limit(words))
            }
        } catch {
            stop(.local(error))
        }
    }

    /// Sends items on their way, as soon as there is room for each; what an earlier run did has its end at once.
    func begin(_ claims: ArraySlice<Claim>, _ row: inout Row) async {
        var kept: [Event] = []
        for claim in claims.lazy.map(ends.believed) where !row.isOver {
            let known = outcome(of: claim)
            row.note(isKept: known != nil && claim.item.photo.flaw == nil)
            if let known, known.isKept {
                kept.append(.itemEnded(claim.item, known.end))
                continue
            }
            recorder.record(kept)
            kept = []
            await measures.during(.endsRoom) { await ends.room() }
            if let known {
                end(claim.item, known)
                continue
            }
            await measures.during(.poolRoom) { await pool.room() }
            submit(claim)
        }
        recorder.record(kept)
    }

    /// What an item comes to without any work: it is no photo, the user wants it left out, or an earlier run did it.
    private func outcome(of claim: Claim) -> Outcome? {
        if let flaw = claim.item.photo.flaw { return Outcome(Receipt(.done).ended(with: flaw)) }
        if let leftOut = way.leftOut(claim) { return Outcome(leftOut) }
        guard let standing = way.standing(claim, for: claim.item) else { return nil }
        // Nothing is to be tried on it; what cannot be written now is in doubt once more in the next run.
        if claim.isInDoubt { try? ledger.endDoubt(of: claim.item) }
        return Outcome(standing, isKept: true)
    }

    /// How far the walk through the feed is.
    private struct Place: Sendable {
        var ahead: LookAhead
        var left: Left
    }

    /// What a walk may still take.
    private struct Left: Sendable {
        /// How many items.
        var items: Int
        /// Which of the photos to come.
        var selector: Selector
        /// What the feed has said twice, and not the same.
        var conflicts = Conflicts()

        var isNothing: Bool { items <= 0 || selector.isOver }
    }

    /// Kept items one behind the other; so many end the walk.
    struct Row {
        let most: Int
        private var count = 0

        init(most: Int = .max) { self.most = most }

        var isOver: Bool { count >= most }

        mutating func note(isKept: Bool) { count = isKept ? count + 1 : 0 }
    }

    private func request(_ place: inout Place) {
        guard !place.left.isNothing, !place.ahead.isBegun, let number = place.ahead.nextNumber else { return }
        recorder.record(.pageRequested(number: number))
        place.ahead.begin()
    }

    /// Takes note of a walk that came to its end, or as far as was wanted: the next one begins anew.
    private func finish(_ ahead: LookAhead, isEnough: Bool) {
        guard !intake.isCancelled, !ahead.isBroken, ahead.nextNumber == nil || isEnough else { return }
        do throws(LedgerError) {
            try ledger.finishWalk(of: run)
            // Where places were chosen, what was bad in the others may be so still.
            if selection.positions == nil {
                try ledger.forgetMended(in: run, whole: pages == nil && ahead.nextNumber == nil)
            }
        } catch {
            stop(StopReason(error))
        }
    }

    /// Takes the page that was asked for, and enters what is wanted of it in the ledger; `nil` where the walk ends.
    private func claims(ofPage number: Int, at place: inout Place) async -> [Claim]? {
        do throws(Failure) {
            guard var page = try await next(in: &place.ahead) else { return nil }
            let listed = page.photos.count
            place.left.selector.narrow(&page)
            recorder.record(.pageLoaded(number: number, photos: page.photos.count, total: page.total))
            for note in page.notes { recorder.record(.note(note)) }
            let claims = try enter(page, noting: &place.left.conflicts)
            // What is not wanted may be new or not: nobody has kept it.
            try place.ahead.found(new: claims.count + listed - page.photos.count)
            return claims
        } catch {
            switch error.cause {
            case .cancelled: break
            case .disk: stop(.local(error))
            default: recorder.record(.pageFailed(number: number, error))
            }
            return nil
        }
    }

    private func next(in ahead: inout LookAhead) async throws(Failure) -> Page? {
        measures.enter(.feed)
        defer { measures.leave(.feed) }
        return try await ahead.next()
    }

    private func enter(_ page: Page, noting conflicts: inout Conflicts) throws(Failure) -> [Claim] {
        do throws(LedgerError) {
            return try ledger.claim(page, in: run, naming: naming) { conflicts.add($0) }
        } catch {
            stop(StopReason(error))
            throw Failure(error)
        }
    }

    private func submit(_ claim: Claim) {
        let item = claim.item
        let ticket = roster.enter(item)
        measures.enter(.line)
        let id = pool.submit(host: way.host(of: item)) { slot in
            let timings = measures.started()
            recorder.record(.itemStarted(item))
            var outcome = await way.take(item, claim: claim, slot: slot)
            measures.leave(.flight)
            (outcome.timings.started, outcome.timings.track) = (timings.started, timings.track)
            outcome.note(claim.receipt)
            if outcome.receipt.state == .done { steering?.count(bytes: outcome.receipt.original?.bytes ?? 0) }
            if roster.leave(item, ticket) { end(item, outcome) }
        } dropped: { failure in
            measures.leave(.line)
            if roster.leave(item, ticket) { end(item, Outcome(Receipt(.done).ended(with: failure))) }
        }
        ticket.becomeCancellable { [pool] cause in pool.cancel(id, cause) }
    }

    /// Hands the item's outcome on to be made safe, and tells its one end then.
    private func end(_ item: Item, _ outcome: Outcome) {
        var outcome = outcome
        if adoption != nil || again?.keepsReceipts == true { outcome.keepsEarlier = true }
        // Trouble at an address is the item's own; trouble at home is everybody's, and nothing new is to start.
        if let failure = outcome.receipt.failure { stop(ifTrouble: failure) }
        outcome.timings.handedOver = .now
        let timings = outcome.timings
        ends.add(outcome, of: item) { end, trouble in
            measures.ended(item, end, timings.written)
            if let trouble { stop(trouble) }
            if let failure = end.receipt.failure { stop(ifTrouble: failure) }
            tell(item, end)
        }
    }

    private func stop(ifTrouble failure: Failure) {
        if failure.cause == .disk, failure.finalURL == nil { stop(.local(failure)) }
    }

    private func tell(_ item: Item, _ end: End) {
        let summary = recorder.record(.itemEnded(item, end))
        if let reason = limits.reason(toStop: summary) { stop(reason) }
    }
}
