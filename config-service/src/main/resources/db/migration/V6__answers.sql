-- Who created an entry first. Empty for entries from before this was kept that the audit trail does not name one by one.
ALTER TABLE policy ADD COLUMN created_by text;
ALTER TABLE tier ADD COLUMN created_by text;
ALTER TABLE client_tier ADD COLUMN created_by text;
ALTER TABLE override ADD COLUMN created_by text;
ALTER TABLE allow_list ADD COLUMN created_by text;
ALTER TABLE deny_list ADD COLUMN created_by text;
ALTER TABLE adaptive ADD COLUMN created_by text;

-- An id may have been created, deleted and created again: the last creation counts.
UPDATE policy t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'policy' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE tier t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'tier' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE client_tier t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'client-tier' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE override t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'override' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE allow_list t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'allow' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE deny_list t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'deny' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;
UPDATE adaptive t SET created_by = c.actor
FROM (SELECT DISTINCT ON (entry_id) entry_id, actor FROM audit WHERE kind = 'adaptive' AND action = 'created'
      ORDER BY entry_id, id DESC) c
WHERE c.entry_id = t.id;

-- The limit that refused, as it was at the last of the denials; empty of denials from before limiters said so.
ALTER TABLE violation
    ADD COLUMN limit_units bigint CHECK (limit_units > 0),
    ADD COLUMN used_units bigint CHECK (used_units >= 0),
    ADD COLUMN limit_window text CHECK (char_length(limit_window) BETWEEN 1 AND 16);

-- The regions that were heard of, so that a name is known while its limiters are away.
CREATE TABLE region (
    name text COLLATE "C" PRIMARY KEY CHECK (char_length(name) BETWEEN 1 AND 128),
    last_heard timestamptz NOT NULL
);
