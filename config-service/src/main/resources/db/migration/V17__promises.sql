-- The promise ledger: what was admitted in each ended window of a global limit, and the bound that was promised. Partitions by the
-- day in which windows end are made ahead and dropped whole by the service.

-- The latest cumulative count of a key's window in one life of a region. Merging takes the larger of each column, so that records
-- which come twice, late or in another order change nothing. Needed until no late usage of the window can arrive.
CREATE TABLE promise_account (
    window_end timestamptz NOT NULL,
    policy text COLLATE "C" NOT NULL CHECK (octet_length(policy) BETWEEN 1 AND 128),
    window_start timestamptz NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2000),
    region text COLLATE "C" NOT NULL CHECK (octet_length(region) BETWEEN 1 AND 64),
    incarnation bigint NOT NULL,
    escrow boolean NOT NULL,
    limit_units bigint NOT NULL CHECK (limit_units > 0),
    demand_per_second bigint NOT NULL CHECK (demand_per_second >= 0),
    taken bigint NOT NULL CHECK (taken >= 0),
    returned bigint NOT NULL CHECK (returned >= 0),
    PRIMARY KEY (window_end, policy, window_start, key, region, incarnation)
) PARTITION BY RANGE (window_end);

-- One window of a policy, all keys together. The intake adds it when it first hears of the window; the figures are there when it was
-- judged. A window with due_at is to be judged then, for the first time or again.
CREATE TABLE promise_window (
    window_end timestamptz NOT NULL,
    policy text COLLATE "C" NOT NULL CHECK (octet_length(policy) BETWEEN 1 AND 128),
    window_start timestamptz NOT NULL,
    due_at timestamptz,
    judged_at timestamptz,
    escrow boolean,
    keys bigint,
    admitted bigint,
    limit_units bigint,
    bound_units bigint,
    over_units bigint,
    broken_keys bigint,
    kept boolean,
    reason text,
    parts integer,
    loop_micros bigint,
    incomplete text[],
    worst_key text,
    worst_admitted bigint,
    worst_limit bigint,
    worst_bound bigint,
    PRIMARY KEY (window_end, policy, window_start)
) PARTITION BY RANGE (window_end);
CREATE INDEX promise_window_due ON promise_window (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX promise_window_policy ON promise_window (policy, window_end);

-- The keys whose promise was broken, those with the most units above it.
CREATE TABLE promise_breach (
    window_end timestamptz NOT NULL,
    policy text COLLATE "C" NOT NULL,
    window_start timestamptz NOT NULL,
    key text COLLATE "C" NOT NULL,
    admitted bigint NOT NULL,
    limit_units bigint NOT NULL,
    bound_units bigint NOT NULL,
    PRIMARY KEY (window_end, policy, window_start, key)
) PARTITION BY RANGE (window_end);

-- What the bound of a converging limit depends on, by the minute: the longest loop that a region measured, and the regions cut off.
CREATE TABLE promise_condition (
    minute timestamptz PRIMARY KEY,
    loop_micros bigint NOT NULL,
    regions integer NOT NULL,
    cut text[] NOT NULL
);
