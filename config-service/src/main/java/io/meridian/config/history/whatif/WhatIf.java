package io.meridian.config.history.whatif;

import io.meridian.config.history.TimeRange;
import io.meridian.config.store.Database;
import io.meridian.model.policy.Policy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** What a draft policy would have done to the usage on record. */
@Singleton
public class WhatIf {
    static final int CLIENTS_MAX = 100;
    private static final int AT_ONCE_MAX = 2;
    /** The curves of ten thousand keys take longer than other questions may. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Comparator<Client> MOST_DENIED = Comparator.comparingLong(Client::denied)
            .thenComparingLong(Client::requests)
            .reversed()
            .thenComparing(Client::key);

    private final Database database;
    /** A replay takes a core for about a second. */
    private final Semaphore turns = new Semaphore(AT_ONCE_MAX);

    WhatIf(Database database) {
        this.database = database;
    }

    /** The answer, or none while as many are being worked on as may be. */
    public Optional<WhatIfAnswer> ask(Policy draft, Optional<String> basis, TimeRange range) {
        if (!turns.tryAcquire()) {
            return Optional.empty();
        }
        try {
            return Optional.of(answer(draft, basis, range));
        } finally {
            turns.release();
        }
    }

    private WhatIfAnswer answer(Policy draft, Optional<String> named, TimeRange range) {
        Basis basis = database.read(session -> Bases.choose(session, draft, named, range));
        RecordedDemand recorded =
                database.transaction(PATIENCE, session -> DemandRows.read(session, draft, basis, range));
        Collection<Client> clients = new Replay(draft.limitSpec(), basis.cost()).run(recorded.series());
        List<Client> most =
                clients.stream().sorted(MOST_DENIED).limit(CLIENTS_MAX).toList();
        return new WhatIfAnswer(
                range,
                basis.policy(),
                clients.stream().mapToLong(Client::requests).sum(),
                clients.stream().mapToLong(Client::denied).sum(),
                clients.size(),
                most,
                Assumptions.of(draft, basis, recorded));
    }
}
