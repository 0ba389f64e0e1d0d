-- Imports of lists. Lines are staged as they come and become entries in one transaction when all are good.

CREATE TABLE import (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('allow', 'deny')),
    mode text NOT NULL CHECK (mode IN ('merge', 'replace')),
    actor text NOT NULL,
    request_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('reading', 'applying', 'done', 'rehearsed', 'refused', 'failed')),
    lines bigint NOT NULL DEFAULT 0,
    wrong bigint NOT NULL DEFAULT 0,
    errors jsonb NOT NULL DEFAULT '[]',
    created bigint NOT NULL DEFAULT 0,
    replaced bigint NOT NULL DEFAULT 0,
    deleted bigint NOT NULL DEFAULT 0,
    revision bigint,
    started_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
-- One at a time: an import holds every other change up while it is applied.
CREATE UNIQUE INDEX import_under_way ON import ((true)) WHERE state IN ('reading', 'applying');

-- Unlogged: after a crash of PostgreSQL it is empty, and an import that finds fewer lines than it wrote breaks off.
CREATE UNLOGGED TABLE import_line (
    import bigint NOT NULL,
    line bigint NOT NULL,
    id text COLLATE "C" NOT NULL,
    key text NOT NULL,
    document text NOT NULL,
    expires_at timestamptz
);
CREATE INDEX import_line_id ON import_line (import, id);
