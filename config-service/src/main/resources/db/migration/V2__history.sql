-- What was used and what was refused, a partition per day. Partitions are made ahead and dropped whole by the service, so
-- nothing is ever deleted row by row.

-- The curve of every cumulative count: the highest count that was reported by the end of each minute. Merging takes the
-- larger of each column, so that records which come twice, late or in another order change nothing. The latest count of a
-- series is its last row; what was consumed between two rows is their difference. Texts are bounded so that they fit an index.
CREATE TABLE usage_history (
    policy text COLLATE "C" NOT NULL CHECK (octet_length(policy) BETWEEN 1 AND 128),
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2000),
    region text COLLATE "C" NOT NULL CHECK (octet_length(region) BETWEEN 1 AND 64),
    incarnation bigint NOT NULL,
    window_micros bigint NOT NULL,
    bucket timestamptz NOT NULL CHECK (date_trunc('minute', bucket, 'UTC') = bucket),
    taken bigint NOT NULL CHECK (taken >= 0),
    returned bigint NOT NULL CHECK (returned >= 0),
    PRIMARY KEY (policy, key, region, incarnation, window_micros, bucket)
) PARTITION BY RANGE (bucket);
CREATE INDEX usage_history_bucket ON usage_history (bucket, policy);

-- Denials add up, so each record counts once: where it stood in Kafka is a part of its key.
CREATE TABLE violation (
    last_at timestamptz NOT NULL,
    source_partition integer NOT NULL,
    source_offset bigint NOT NULL,
    first_at timestamptz NOT NULL,
    policy text COLLATE "C" NOT NULL CHECK (octet_length(policy) BETWEEN 1 AND 128),
    policy_version bigint NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (octet_length(key) <= 2000),
    region text COLLATE "C" NOT NULL CHECK (octet_length(region) BETWEEN 1 AND 64),
    count bigint NOT NULL CHECK (count > 0),
    cost bigint NOT NULL CHECK (cost >= 0),
    shadow boolean NOT NULL,
    endpoint text NOT NULL CHECK (char_length(endpoint) <= 256),
    method text NOT NULL CHECK (char_length(method) <= 32),
    PRIMARY KEY (last_at, source_partition, source_offset)
) PARTITION BY RANGE (last_at);
CREATE INDEX violation_key ON violation (policy, key, last_at);

-- The next offset to read of each Kafka partition, moved in the transaction that writes what was read before it.
CREATE TABLE intake_position (
    topic text COLLATE "C" NOT NULL,
    partition integer NOT NULL,
    next_offset bigint NOT NULL CHECK (next_offset >= 0),
    PRIMARY KEY (topic, partition)
);
