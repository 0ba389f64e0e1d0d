-- Since when a change waits to be told, so that how far Kafka is behind can be said in seconds.
ALTER TABLE outbox ADD COLUMN since timestamptz NOT NULL DEFAULT now();
