/**
 * What reviews of sessions came to. `unreviewed` is the cursor: rows of the history enter it as they are made, and leave it
 * with the review that has read them, so that none is read twice or left out whatever their times say. A directive is never
 * rewritten; it is marked when another takes its place or the user takes it back. `scope` null: the work of every session.
 */
export const directives = `
CREATE TABLE directive(
  seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, scope TEXT, text TEXT NOT NULL, created_cycle INTEGER NOT NULL,
  expires_after INTEGER NOT NULL CHECK(expires_after BETWEEN 1 AND 200), rows TEXT NOT NULL, again_of TEXT, created_at INTEGER NOT NULL,
  superseded_by TEXT, ended_at INTEGER, revoked_by TEXT
) STRICT;
CREATE INDEX directive_standing ON directive(scope, seq) WHERE ended_at IS NULL;
CREATE TRIGGER directive_stands BEFORE UPDATE OF id, scope, text, created_cycle, expires_after, rows, again_of, created_at ON directive
BEGIN SELECT RAISE(ABORT, 'a directive is never rewritten'); END;

CREATE TABLE unreviewed(id TEXT PRIMARY KEY, agent TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE INDEX unreviewed_next ON unreviewed(created_at, id);
CREATE INDEX unreviewed_agent ON unreviewed(agent, created_at, id);
CREATE TRIGGER compressed_history_waits AFTER INSERT ON compressed_history
BEGIN INSERT OR IGNORE INTO unreviewed VALUES(new.id, new.agent, new.created_at); END;
CREATE TRIGGER compressed_history_gone AFTER DELETE ON compressed_history BEGIN DELETE FROM unreviewed WHERE id = old.id; END;
`
