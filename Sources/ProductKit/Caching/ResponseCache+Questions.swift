import Synchronization

/// How a behaviour reads and writes: it looks up, asks a question, and stores the answer if nothing
/// has overtaken the question.
extension ResponseCache {
    /// What was found, and when.
    struct Finding {
        let variants: [CachedResponse]
        /// How many invalidations there had been.
        let invalidations: Int
    }

    /// Looks up what is stored for a key, newest first.
    ///
    /// - Parameters:
    ///   - key: What it is stored for.
    ///   - freshness: Works out how long what comes from a file may be used.
    /// - Returns: What was found, and when.
    func find(_ key: CacheKey, freshness: (StoredResponse) -> Freshness) -> Finding {
        var (variants, invalidations) = state.withLock { state in
            let variants = state.memory.use(key)
            if variants == nil { state.misses += 1 } else { state.hits += 1 }
            return (variants, state.invalidations)
        }
        guard let disk, key.authorization == nil else {
            return Finding(variants: variants ?? [], invalidations: invalidations)
        }
        // Once, or again while something is forgotten just then, which may be what was read.
        var attempts = 8
        while variants == nil, attempts > 0 {
            attempts -= 1
            let read = disk.responses(for: key).map { CachedResponse($0, freshness: freshness($0)) }
            (variants, invalidations) = state.withLock { [invalidations] state in
                var variants = state.memory.use(key)
                if variants == nil, state.invalidations == invalidations {
                    state.memory.store(read, for: key)
                    variants = read
                }
                return (variants, state.invalidations)
            }
        }
        return Finding(variants: variants ?? [], invalidations: invalidations)
    }

    /// Notes that the server is asked.
    ///
    /// - Returns: A number for the question, later ones greater. Nothing is stored for a question that
    ///   was overtaken, nor for one whose finding was: what it relies on may be forgotten.
    func ask(_ key: CacheKey, after finding: Finding) -> Int {
        state.withLock { state in
            state.lastQuestion += 1
            if state.invalidations == finding.invalidations {
                state.questions[state.lastQuestion] = key
            }
            return state.lastQuestion
        }
    }

    /// Notes that a question is over.
    func end(_ question: Int) {
        state.withLock { $0.questions[question] = nil }
    }

    /// Stores an answer, in place of the one to an equal question.
    ///
    /// Answers selected by other fields are all replaced; of those selected by the same, eight stay.
    func store(
        _ response: StoredResponse,
        freshness: Freshness,
        for question: Int,
        insteadOf isReplaceable: (CachedResponse) -> Bool
    ) {
        let new = CachedResponse(response, freshness: freshness, question: question)
        let names = Set(response.selectingFields.keys)
        state.withLock { state in
            guard let key = state.questions[question] else { return }
            // The answers to earlier questions are older, even when this one does not stay in memory.
            state.questions = state.questions.filter { $0.value != key || $0.key >= question }
            let variants = state.memory.variants(for: key)
            let equal = variants.first { $0.stored.selectingFields == response.selectingFields }
            // The answer to a later question may have come sooner.
            if let equal, equal.question > question || !isReplaceable(equal) { return }
            let others = variants.filter {
                $0.stored.selectingFields != response.selectingFields
                    && Set($0.stored.selectingFields.keys) == names
            }
            save([new] + others.prefix(CacheFile.maximumVariants - 1), for: key, &state)
        }
    }

    /// Forgets what is stored for the key of a question.
    func forget(for question: Int) {
        state.withLock { state in
            guard let key = state.questions[question] else { return }
            let later = state.memory.variants(for: key).filter { $0.question > question }
            save(later, for: key, &state)
        }
    }

    private func save(_ variants: [CachedResponse], for key: CacheKey, _ state: inout State) {
        state.memory.store(variants, for: key)
        guard let disk, key.authorization == nil else { return }
        // Within the lock, so that files are written in the order in which answers were kept.
        disk.write(variants.compactMap(\.stored.writable), for: key)
    }
}
