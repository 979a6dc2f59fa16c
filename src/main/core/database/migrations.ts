/**
 * The schema of `history.sqlite`, one entry a version, forward only: an entry that was released is never edited. Metadata is apart
 * from the bodies that were sent and received, so that a page of the history reads only small rows.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    environment_id TEXT NOT NULL,
    environment_name TEXT NOT NULL,
    operation TEXT NOT NULL,
    url TEXT NOT NULL,
    sent_at INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'answered', 'failed', 'cancelled', 'interrupted')),
    run TEXT NOT NULL,
    request_bytes INTEGER NOT NULL,
    status INTEGER,
    code INTEGER,
    message TEXT,
    failure TEXT,
    duration_ms REAL,
    response_bytes INTEGER
  ) STRICT;
  CREATE INDEX calls_pending ON calls (run) WHERE state = 'pending';

  CREATE TABLE call_requests (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
    draft TEXT NOT NULL,
    headers TEXT NOT NULL,
    body BLOB NOT NULL,
    time TEXT,
    data_offset INTEGER,
    data_length INTEGER,
    hash TEXT,
    key_fingerprint TEXT
  ) STRICT;

  CREATE TABLE call_responses (
    call_id INTEGER PRIMARY KEY REFERENCES calls (id) ON DELETE CASCADE,
    headers TEXT,
    body BLOB,
    truncated INTEGER NOT NULL,
    timings TEXT,
    clock_offset_ms INTEGER,
    findings TEXT NOT NULL
  ) STRICT;
  `,
  `
  CREATE TABLE catalogue_snapshots (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    environment_id TEXT NOT NULL,
    environment_name TEXT NOT NULL,
    currency TEXT NOT NULL,
    call_id INTEGER NOT NULL,
    fetched_at INTEGER NOT NULL,
    games INTEGER NOT NULL,
    problems TEXT NOT NULL
  ) STRICT;
  CREATE INDEX catalogue_snapshots_environment ON catalogue_snapshots (environment_id, id);

  CREATE TABLE catalogue_games (
    snapshot_id INTEGER NOT NULL REFERENCES catalogue_snapshots (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    game_id TEXT NOT NULL,
    name TEXT NOT NULL,
    bets TEXT NOT NULL,
    thumbnail TEXT NOT NULL,
    status TEXT,
    PRIMARY KEY (snapshot_id, position)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE launches (
    id TEXT PRIMARY KEY,
    prepared_at INTEGER NOT NULL,
    launch TEXT NOT NULL,
    screenshot BLOB
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX launches_prepared ON launches (prepared_at);

  CREATE TABLE launch_entries (
    launch_id TEXT NOT NULL REFERENCES launches (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    entry TEXT NOT NULL,
    PRIMARY KEY (launch_id, seq)
  ) STRICT, WITHOUT ROWID;
  `,
  // `deleted_by` names the session that deleted the call: while that session lives, the call can be restored.
  `
  ALTER TABLE calls ADD COLUMN pinned INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE calls ADD COLUMN note TEXT NOT NULL DEFAULT '';
  ALTER TABLE calls ADD COLUMN deleted_by TEXT;
  CREATE INDEX calls_operation ON calls (operation);
  CREATE INDEX calls_environment ON calls (environment_id);
  CREATE INDEX calls_code ON calls (code);
  CREATE INDEX calls_pinned ON calls (id) WHERE pinned = 1;
  CREATE INDEX calls_noted ON calls (id) WHERE note <> '';
  CREATE INDEX calls_refused ON calls (id) WHERE code <> 0;
  CREATE INDEX calls_unanswered ON calls (id) WHERE state <> 'answered';
  CREATE INDEX calls_deleted ON calls (deleted_by) WHERE deleted_by IS NOT NULL;

  CREATE TABLE history_identity (token TEXT NOT NULL) STRICT;
  INSERT INTO history_identity VALUES (lower(hex(randomblob(12))));
  `,
  // The call whose bytes were sent again. No reference: that call may be deleted before this one.
  `
  ALTER TABLE calls ADD COLUMN repeats INTEGER;
  `,
  // The run of a collection that the call was made in, and the path of its request.
  `
  ALTER TABLE calls ADD COLUMN collection_run TEXT;
  ALTER TABLE calls ADD COLUMN request_path TEXT;
  CREATE INDEX calls_collection_run ON calls (collection_run) WHERE collection_run IS NOT NULL;
  `,
  // 1 if no copy of anything removed can be in the file, as in a new one; 0 if an earlier version removed something.
  `
  ALTER TABLE history_identity ADD COLUMN erases INTEGER NOT NULL DEFAULT 0;
  `,
  // Names of the environments whose private keys are masked in the record of the request, as JSON; null for nearly every call.
  `
  ALTER TABLE calls ADD COLUMN masked_keys TEXT;
  `,
  // And again 0 once something was removed: SQLite may have left a copy of it in an unused part of a page.
  `
  CREATE TRIGGER calls_removed AFTER DELETE ON calls BEGIN UPDATE history_identity SET erases = 0 WHERE erases = 1; END;
  CREATE TRIGGER launches_removed AFTER DELETE ON launches BEGIN UPDATE history_identity SET erases = 0 WHERE erases = 1; END;
  `,
  // The same of a note that was changed: its old text.
  `
  CREATE TRIGGER calls_renoted AFTER UPDATE OF note ON calls WHEN OLD.note NOT IN ('', NEW.note)
    BEGIN UPDATE history_identity SET erases = 0 WHERE erases = 1; END;
  `,
  // What the calls that can be seen take, kept exact by triggers: a limit must not count a million calls for each hundred that it removes. A call
  // weighs its request twice, as it was typed and as it was sent, its response, and a share for the rest. `seen` and `waiting` are the retention's.
  `
  ALTER TABLE calls ADD COLUMN weight INTEGER GENERATED ALWAYS AS (2 * request_bytes + coalesce(response_bytes, 0) + 1024) VIRTUAL;
  CREATE TABLE history_totals (
    calls INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    pinned_bytes INTEGER NOT NULL
  ) STRICT;
  INSERT INTO history_totals SELECT count(*), coalesce(sum(weight), 0), coalesce(sum(pinned), 0), coalesce(sum(pinned * weight), 0)
    FROM calls WHERE deleted_by IS NULL;
  CREATE TRIGGER totals_added AFTER INSERT ON calls WHEN NEW.deleted_by IS NULL BEGIN
    UPDATE history_totals SET calls = calls + 1, bytes = bytes + NEW.weight,
      pinned = pinned + NEW.pinned, pinned_bytes = pinned_bytes + NEW.pinned * NEW.weight;
  END;
  CREATE TRIGGER totals_removed AFTER DELETE ON calls WHEN OLD.deleted_by IS NULL BEGIN
    UPDATE history_totals SET calls = calls - 1, bytes = bytes - OLD.weight,
      pinned = pinned - OLD.pinned, pinned_bytes = pinned_bytes - OLD.pinned * OLD.weight;
  END;
  CREATE TRIGGER totals_changed AFTER UPDATE OF pinned, deleted_by, request_bytes, response_bytes ON calls BEGIN
    UPDATE history_totals SET
      calls = calls + (NEW.deleted_by IS NULL) - (OLD.deleted_by IS NULL),
      bytes = bytes + (NEW.deleted_by IS NULL) * NEW.weight - (OLD.deleted_by IS NULL) * OLD.weight,
      pinned = pinned + (NEW.deleted_by IS NULL) * NEW.pinned - (OLD.deleted_by IS NULL) * OLD.pinned,
      pinned_bytes = pinned_bytes + (NEW.deleted_by IS NULL) * NEW.pinned * NEW.weight - (OLD.deleted_by IS NULL) * OLD.pinned * OLD.weight;
  END;
  CREATE INDEX calls_aging ON calls (sent_at, id) WHERE pinned = 0 AND deleted_by IS NULL;

  -- seen_at, seen_call: the clock and the newest call when limits were last kept. allowed: how many calls a person who saw the number lets these
  -- limits remove. waiting: a removal that waits for a person.
  CREATE TABLE history_retention (
    seen_at INTEGER,
    seen_call INTEGER NOT NULL,
    limits TEXT,
    allowed INTEGER NOT NULL DEFAULT 0,
    waiting TEXT
  ) STRICT;
  INSERT INTO history_retention (seen_call) SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'calls';
  `,
  // Several pictures of a launch, each with its time; of those of earlier versions the time is not known. And the user's note on a launch.
  `
  ALTER TABLE launches ADD COLUMN note TEXT NOT NULL DEFAULT '';
  CREATE TABLE launch_pictures (
    launch_id TEXT NOT NULL REFERENCES launches (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    taken_at INTEGER,
    png BLOB NOT NULL,
    PRIMARY KEY (launch_id, number)
  ) STRICT;
  INSERT INTO launch_pictures SELECT id, 1, NULL, screenshot FROM launches WHERE screenshot IS NOT NULL;
  ALTER TABLE launches DROP COLUMN screenshot;
  CREATE TRIGGER launch_pictures_removed AFTER DELETE ON launch_pictures
    BEGIN UPDATE history_identity SET erases = 0 WHERE erases = 1; END;
  CREATE TRIGGER launches_renoted AFTER UPDATE OF note ON launches WHEN OLD.note NOT IN ('', NEW.note)
    BEGIN UPDATE history_identity SET erases = 0 WHERE erases = 1; END;
  `,
  // What a search of launches looks at beside the records; null in rows that this version has not judged yet. And how many launches are kept.
  `
  ALTER TABLE launches ADD COLUMN environment_id TEXT;
  ALTER TABLE launches ADD COLUMN rules TEXT;
  ALTER TABLE launches ADD COLUMN state TEXT;
  ALTER TABLE launches ADD COLUMN search TEXT NOT NULL DEFAULT '';
  CREATE TABLE launch_retention (
    most INTEGER NOT NULL,
    removed INTEGER NOT NULL DEFAULT 0,
    removed_at INTEGER
  ) STRICT;
  INSERT INTO launch_retention (most) VALUES (500);
  `,
  // For the list of launches: without them each look at it reads every launch as a whole.
  `
  CREATE INDEX launches_judged ON launches (environment_id, rules);
  CREATE INDEX launches_listed ON launches (prepared_at, id, state, search, note);
  `,
  // What tells the request from others, as JSON: a page of the history must not read bodies. Null in rows of earlier versions, whose page reads them.
  `
  ALTER TABLE calls ADD COLUMN subject TEXT;
  `,
  // Settings of the environment that were replaced for this call alone, as JSON; null for nearly every call.
  `
  ALTER TABLE calls ADD COLUMN replaced TEXT;
  `,
  // The bytes as they came, if status, headers and body do not hold all of them so; null for nearly every call. They weigh as a body does: the
  // generated column and the triggers that read it are made again.
  `
  ALTER TABLE call_responses ADD COLUMN raw BLOB;
  DROP TRIGGER totals_added;
  DROP TRIGGER totals_removed;
  DROP TRIGGER totals_changed;
  ALTER TABLE calls DROP COLUMN weight;
  ALTER TABLE calls ADD COLUMN raw_bytes INTEGER;
  ALTER TABLE calls ADD COLUMN weight INTEGER
    GENERATED ALWAYS AS (2 * request_bytes + coalesce(response_bytes, 0) + coalesce(raw_bytes, 0) + 1024) VIRTUAL;
  CREATE TRIGGER totals_added AFTER INSERT ON calls WHEN NEW.deleted_by IS NULL BEGIN
    UPDATE history_totals SET calls = calls + 1, bytes = bytes + NEW.weight,
      pinned = pinned + NEW.pinned, pinned_bytes = pinned_bytes + NEW.pinned * NEW.weight;
  END;
  CREATE TRIGGER totals_removed AFTER DELETE ON calls WHEN OLD.deleted_by IS NULL BEGIN
    UPDATE history_totals SET calls = calls - 1, bytes = bytes - OLD.weight,
      pinned = pinned - OLD.pinned, pinned_bytes = pinned_bytes - OLD.pinned * OLD.weight;
  END;
  CREATE TRIGGER totals_changed AFTER UPDATE OF pinned, deleted_by, request_bytes, response_bytes, raw_bytes ON calls BEGIN
    UPDATE history_totals SET
      calls = calls + (NEW.deleted_by IS NULL) - (OLD.deleted_by IS NULL),
      bytes = bytes + (NEW.deleted_by IS NULL) * NEW.weight - (OLD.deleted_by IS NULL) * OLD.weight,
      pinned = pinned + (NEW.deleted_by IS NULL) * NEW.pinned - (OLD.deleted_by IS NULL) * OLD.pinned,
      pinned_bytes = pinned_bytes + (NEW.deleted_by IS NULL) * NEW.pinned * NEW.weight - (OLD.deleted_by IS NULL) * OLD.pinned * OLD.weight;
  END;
  `,
  // Why the code of a response says less than it seems to, for the list; null for nearly every call, and in rows of earlier versions.
  `
  ALTER TABLE calls ADD COLUMN doubt TEXT;
  `,
  // The moment of a launch that a picture shows, which may be a JPEG; null for a screenshot.
  `
  ALTER TABLE launch_pictures RENAME COLUMN png TO image;
  ALTER TABLE launch_pictures ADD COLUMN moment TEXT;
  `,
  // A call that is answered with code 0 touches as few pages as can be, before it leaves and after. The totals leave pending calls out, which whoever
  // asks counts; the indexes for rare calls leave pending ones out, and hold what filters ask of those calls.
  `
  DROP TRIGGER totals_added;
  DROP TRIGGER totals_removed;
  DROP TRIGGER totals_changed;
  ALTER TABLE calls ADD COLUMN counted INTEGER GENERATED ALWAYS AS (deleted_by IS NULL AND state <> 'pending') VIRTUAL;
  UPDATE history_totals SET calls = calls - p.n, bytes = bytes - p.weighing, pinned = pinned - p.pins, pinned_bytes = pinned_bytes - p.pins_weighing
    FROM (SELECT count(*) AS n, coalesce(sum(c.weight), 0) AS weighing, coalesce(sum(c.pinned), 0) AS pins,
      coalesce(sum(c.pinned * c.weight), 0) AS pins_weighing FROM calls c WHERE c.state = 'pending' AND c.deleted_by IS NULL) AS p;
  CREATE TRIGGER totals_added AFTER INSERT ON calls WHEN NEW.counted BEGIN
    UPDATE history_totals SET calls = calls + 1, bytes = bytes + NEW.weight,
      pinned = pinned + NEW.pinned, pinned_bytes = pinned_bytes + NEW.pinned * NEW.weight;
  END;
  CREATE TRIGGER totals_removed AFTER DELETE ON calls WHEN OLD.counted BEGIN
    UPDATE history_totals SET calls = calls - 1, bytes = bytes - OLD.weight,
      pinned = pinned - OLD.pinned, pinned_bytes = pinned_bytes - OLD.pinned * OLD.weight;
  END;
  CREATE TRIGGER totals_changed AFTER UPDATE OF state, pinned, deleted_by, request_bytes, response_bytes, raw_bytes ON calls BEGIN
    UPDATE history_totals SET
      calls = calls + NEW.counted - OLD.counted,
      bytes = bytes + NEW.counted * NEW.weight - OLD.counted * OLD.weight,
      pinned = pinned + NEW.counted * NEW.pinned - OLD.counted * OLD.pinned,
      pinned_bytes = pinned_bytes + NEW.counted * NEW.pinned * NEW.weight - OLD.counted * OLD.pinned * OLD.weight;
  END;
  DROP INDEX calls_code;
  DROP INDEX calls_refused;
  DROP INDEX calls_unanswered;
  CREATE INDEX calls_code ON calls (code) WHERE code <> 0;
  CREATE INDEX calls_refused ON calls (id, operation, environment_id, state, deleted_by, code) WHERE code <> 0;
  CREATE INDEX calls_unanswered ON calls (id) WHERE state NOT IN ('answered', 'pending');
  `,
  // Who sent a request that the gateway passed, and its bytes as they came where they are kept; both null for Croupier's own. They weigh as a body does.
  // `operation` is '' for one that fits none.
  `
  ALTER TABLE call_requests ADD COLUMN raw BLOB;
  DROP TRIGGER totals_added;
  DROP TRIGGER totals_removed;
  DROP TRIGGER totals_changed;
  ALTER TABLE calls DROP COLUMN weight;
  ALTER TABLE calls ADD COLUMN origin TEXT;
  ALTER TABLE calls ADD COLUMN request_raw_bytes INTEGER;
  ALTER TABLE calls ADD COLUMN weight INTEGER GENERATED ALWAYS AS
    (2 * request_bytes + coalesce(request_raw_bytes, 0) + coalesce(response_bytes, 0) + coalesce(raw_bytes, 0) + 1024) VIRTUAL;
  CREATE TRIGGER totals_added AFTER INSERT ON calls WHEN NEW.counted BEGIN
    UPDATE history_totals SET calls = calls + 1, bytes = bytes + NEW.weight,
      pinned = pinned + NEW.pinned, pinned_bytes = pinned_bytes + NEW.pinned * NEW.weight;
  END;
  CREATE TRIGGER totals_removed AFTER DELETE ON calls WHEN OLD.counted BEGIN
    UPDATE history_totals SET calls = calls - 1, bytes = bytes - OLD.weight,
      pinned = pinned - OLD.pinned, pinned_bytes = pinned_bytes - OLD.pinned * OLD.weight;
  END;
  CREATE TRIGGER totals_changed AFTER UPDATE OF state, pinned, deleted_by, request_bytes, request_raw_bytes, response_bytes, raw_bytes ON calls BEGIN
    UPDATE history_totals SET
      calls = calls + NEW.counted - OLD.counted,
      bytes = bytes + NEW.counted * NEW.weight - OLD.counted * OLD.weight,
      pinned = pinned + NEW.counted * NEW.pinned - OLD.counted * OLD.pinned,
      pinned_bytes = pinned_bytes + NEW.counted * NEW.pinned * NEW.weight - OLD.counted * OLD.pinned * OLD.weight;
  END;
  CREATE INDEX calls_origin ON calls (origin) WHERE origin IS NOT NULL;
  `,
];
