-- Drills that were published: verdict, journal and report page. The service keeps the latest and deletes older ones.
CREATE TABLE drill (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL CHECK (char_length(name) BETWEEN 1 AND 128),
    title text NOT NULL CHECK (char_length(title) BETWEEN 1 AND 256),
    target text NOT NULL CHECK (char_length(target) <= 256),
    started_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL CHECK (ended_at >= started_at),
    verdict text NOT NULL CHECK (verdict IN ('held', 'broken', 'unknown')),
    sentence text NOT NULL CHECK (char_length(sentence) <= 4096),
    promises text NOT NULL,
    journal text NOT NULL,
    report text,
    published_at timestamptz NOT NULL,
    published_by text NOT NULL,
    UNIQUE (name, started_at)
);
CREATE INDEX drill_started ON drill (started_at);
