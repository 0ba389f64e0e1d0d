-- Sets of changes that a second editor approves before they are applied. What is proposed never changes; a proposal whose time has come is
-- expired without a row being written.
CREATE TABLE proposal (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    reason text NOT NULL,
    changes jsonb NOT NULL,
    allow_unknown boolean NOT NULL,
    author text NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'approved', 'applied', 'rejected', 'withdrawn')),
    approved_by text,
    approved_at timestamptz,
    closed_by text,
    closed_at timestamptz,
    revision bigint,
    -- The second pair of eyes, held by the database, too.
    CHECK (approved_by IS NULL OR approved_by <> author),
    CHECK (state NOT IN ('approved', 'applied') OR approved_by IS NOT NULL)
);
CREATE INDEX proposal_pending ON proposal (expires_at) WHERE state IN ('open', 'approved');
