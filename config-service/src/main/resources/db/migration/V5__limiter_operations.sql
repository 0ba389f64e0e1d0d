-- Resets and refunds made at limiters. Kafka may bring one twice; the id that its limiter gave it makes it one row.
ALTER TABLE audit ADD COLUMN operation text COLLATE "C" CHECK (char_length(operation) BETWEEN 1 AND 128);
CREATE UNIQUE INDEX audit_operation ON audit (operation) WHERE operation IS NOT NULL;
