-- The truth of policies, tiers, overrides and lists; who changed what; and what Kafka has yet to be told.

-- One row. Every change takes the next revision from it first, so that changes follow each other and the outbox is in the
-- order of commits.
CREATE TABLE rulebook (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    revision bigint NOT NULL CHECK (revision >= 0)
);
INSERT INTO rulebook (revision) VALUES (0);

-- The revision that changed each kind of entries last, so that a copy of them knows when to be read anew.
CREATE TABLE kind_revision (
    kind text PRIMARY KEY,
    revision bigint NOT NULL
);
INSERT INTO kind_revision (kind, revision)
VALUES ('policy', 0), ('tier', 0), ('client-tier', 0), ('override', 0), ('allow', 0), ('deny', 0), ('adaptive', 0);

-- The kinds of entries have the same columns. `document` is the record of the topic; what is asked for is generated from it.
-- The collation gives cursors one order on every machine.
CREATE TABLE policy (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz CHECK (expires_at IS NULL)
);

-- Every version there ever was; without a document where the policy was deleted. Versions go on over a deletion.
CREATE TABLE policy_version (
    id text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    revision bigint NOT NULL,
    document jsonb,
    changed_at timestamptz NOT NULL,
    PRIMARY KEY (id, version)
);

CREATE TABLE tier (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz CHECK (expires_at IS NULL)
);
CREATE UNIQUE INDEX tier_default ON tier ((true)) WHERE (document ->> 'default')::boolean;

CREATE TABLE client_tier (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz CHECK (expires_at IS NULL),
    tier text COLLATE "C" NOT NULL GENERATED ALWAYS AS (document ->> 'tier') STORED REFERENCES tier DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX client_tier_tier ON client_tier (tier);

CREATE TABLE override (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz,
    policy text COLLATE "C" NOT NULL GENERATED ALWAYS AS (document ->> 'policy') STORED REFERENCES policy DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX override_policy ON override (policy);
CREATE INDEX override_expires ON override (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE allow_list (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz
);
CREATE INDEX allow_list_expires ON allow_list (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE deny_list (
    id text COLLATE "C" PRIMARY KEY,
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz
);
CREATE INDEX deny_list_expires ON deny_list (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE adaptive (
    id text COLLATE "C" PRIMARY KEY CHECK (id = 'adaptive'),
    document jsonb NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    expires_at timestamptz CHECK (expires_at IS NULL)
);

-- What Kafka has yet to be told, in order. Rows go when Kafka has them.
CREATE TABLE outbox (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision bigint NOT NULL,
    key text NOT NULL,
    value text
);

CREATE TABLE token (
    id text COLLATE "C" PRIMARY KEY,
    name text NOT NULL,
    role text NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
    hash bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
    created_at timestamptz NOT NULL,
    created_by text NOT NULL,
    expires_at timestamptz
);

-- Who did what, written in the transaction of the change.
CREATE TABLE audit (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    action text NOT NULL,
    kind text NOT NULL,
    entry_id text NOT NULL,
    revision bigint,
    before jsonb,
    after jsonb
);
CREATE INDEX audit_at ON audit (at, id);
CREATE INDEX audit_entry ON audit (kind, entry_id, id);

CREATE FUNCTION audit_is_immutable() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit trail is immutable: % is refused', TG_OP;
END
$$;
CREATE TRIGGER audit_rows_stay BEFORE UPDATE OR DELETE ON audit FOR EACH ROW EXECUTE FUNCTION audit_is_immutable();
CREATE TRIGGER audit_stays BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_is_immutable();

-- Which replica publishes. A term that is not renewed ends; Kafka fences whoever goes on regardless.
CREATE TABLE publisher_term (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    holder text NOT NULL,
    ends_at timestamptz NOT NULL
);
INSERT INTO publisher_term (holder, ends_at) VALUES ('', '-infinity');
