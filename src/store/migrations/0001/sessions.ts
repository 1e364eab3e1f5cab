/**
 * Sessions with other agents and with the user, the cycles that answer them, and what is left of these. `inbound`,
 * `cursor` and the rest of a session's marks are sequence numbers of its messages.
 */
export const sessions = `
CREATE TABLE session(
  id TEXT PRIMARY KEY, agent TEXT NOT NULL, session TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('peer', 'master', 'subconscious')),
  title TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, head INTEGER NOT NULL DEFAULT 0, inbound INTEGER NOT NULL DEFAULT 0,
  cursor INTEGER NOT NULL DEFAULT 0, read INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0, utilization REAL NOT NULL DEFAULT 0,
  evicted INTEGER NOT NULL DEFAULT 0, remembered INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL, active_at INTEGER NOT NULL,
  UNIQUE(agent, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX session_active ON session(kind, active_at);
CREATE INDEX session_failing ON session(active_at) WHERE attempts > 0;
CREATE INDEX session_unanswered ON session(id) WHERE inbound > cursor;

CREATE TABLE message(
  session TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, role TEXT NOT NULL CHECK(role IN ('user', 'assistant', 'system')),
  body TEXT NOT NULL, cycle TEXT, delivery TEXT CHECK(delivery IN ('delivered', 'unknown')), at INTEGER NOT NULL,
  PRIMARY KEY(session, seq), UNIQUE(session, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX message_unsure ON message(at) WHERE delivery = 'unknown';

CREATE TABLE peer_cycle(agent TEXT PRIMARY KEY, cycle INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE session_cycle(
  id TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT NOT NULL, from_seq INTEGER NOT NULL, through_seq INTEGER NOT NULL, number INTEGER,
  ask TEXT NOT NULL, way TEXT CHECK(way IN ('reflex', 'core')), brief TEXT, why TEXT, steering TEXT, answer TEXT, reply TEXT,
  tainted INTEGER NOT NULL, started_at INTEGER NOT NULL, ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX session_cycle_of ON session_cycle(session, through_seq);

CREATE TABLE core_step(
  cycle TEXT NOT NULL, thread INTEGER NOT NULL, n INTEGER NOT NULL, message TEXT NOT NULL, waits TEXT, at INTEGER NOT NULL,
  PRIMARY KEY(cycle, thread, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE compressed_history(
  id TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT NOT NULL, through_seq INTEGER NOT NULL, cycle INTEGER NOT NULL, summary TEXT NOT NULL,
  trace_tokens INTEGER NOT NULL, tokens INTEGER NOT NULL, tainted INTEGER NOT NULL, created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX compressed_history_session ON compressed_history(session, through_seq);

CREATE TABLE world_diff(
  session TEXT NOT NULL, seq INTEGER NOT NULL, cycle TEXT NOT NULL UNIQUE, agent TEXT NOT NULL, signature TEXT NOT NULL, change TEXT NOT NULL,
  delta TEXT NOT NULL, created_at INTEGER NOT NULL, PRIMARY KEY(session, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX world_diff_agent ON world_diff(agent, created_at);
CREATE TRIGGER world_diff_stands BEFORE UPDATE ON world_diff BEGIN SELECT RAISE(ABORT, 'the world diff is never rewritten'); END;

CREATE TABLE session_memory(
  id TEXT PRIMARY KEY, session TEXT NOT NULL, agent TEXT NOT NULL, kind TEXT NOT NULL CHECK(kind IN ('summary', 'worldDiff')), text TEXT NOT NULL,
  at INTEGER NOT NULL, remembered_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_memory_session ON session_memory(session, at);
`
