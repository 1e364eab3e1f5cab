/** What the user wants: tasks and goals. */
export const tasks = `
CREATE TABLE task(
  id TEXT PRIMARY KEY, world TEXT NOT NULL, title TEXT NOT NULL, origin TEXT NOT NULL, source TEXT NOT NULL, judge TEXT NOT NULL,
  intent TEXT NOT NULL, intent_by TEXT NOT NULL, asks_to_write INTEGER NOT NULL, effects TEXT NOT NULL, schedule TEXT NOT NULL,
  inputs TEXT NOT NULL, only_if_changed INTEGER NOT NULL, catch_up TEXT NOT NULL, max_lateness_ms INTEGER, enabled INTEGER NOT NULL,
  paused TEXT, completed INTEGER NOT NULL, retired INTEGER NOT NULL, created_at INTEGER NOT NULL, last_run_at INTEGER, next_run_at INTEGER,
  retry_at INTEGER, attempts INTEGER NOT NULL, retry_of TEXT, judged_through INTEGER NOT NULL,
  due_at INTEGER GENERATED ALWAYS AS (coalesce(retry_at, next_run_at)) VIRTUAL,
  live INTEGER GENERATED ALWAYS AS (enabled = 1 AND paused IS NULL AND completed = 0 AND retired = 0) VIRTUAL
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX task_title ON task(world, title) WHERE retired = 0 AND completed = 0;
CREATE INDEX task_checked ON task(judge) WHERE judge <> 'model';
CREATE INDEX task_due ON task(world, due_at) WHERE enabled = 1 AND paused IS NULL AND completed = 0 AND retired = 0;
CREATE INDEX task_heartbeat ON task(created_at, id) WHERE origin = 'heartbeat';
CREATE INDEX task_paused ON task(id) WHERE paused IS NOT NULL;

CREATE TABLE goal(id TEXT PRIMARY KEY, text TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`
