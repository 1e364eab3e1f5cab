/**
 * What models are asked and what it comes to. `usage` has what each task used on a day; `usage_day` the same without
 * tasks, so that sums of a day cost what its models are and not what its tasks are; `tally` what worlds were spared and
 * told. Empty text stands for no task and no world. Costs are whole millionths; null where no price was known.
 */
export const usage = `
CREATE TABLE model_call(
  id TEXT PRIMARY KEY NOT NULL, tick TEXT, batch INTEGER, world TEXT, evaluation TEXT, tasks TEXT NOT NULL, provider TEXT NOT NULL,
  model TEXT NOT NULL, route TEXT NOT NULL, purpose TEXT NOT NULL, prompt_digest TEXT NOT NULL, answer TEXT NOT NULL,
  repaired INTEGER NOT NULL, calls INTEGER NOT NULL, failed INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL, cost INTEGER, duration_ms INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT;
CREATE INDEX model_call_at ON model_call(at);

CREATE TABLE usage(
  day TEXT NOT NULL, task TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, route TEXT NOT NULL, purpose TEXT NOT NULL,
  world TEXT NOT NULL, calls INTEGER NOT NULL, failed INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL, cost INTEGER, PRIMARY KEY(day, task, provider, model, route, purpose, world)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage_day(
  day TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, route TEXT NOT NULL, purpose TEXT NOT NULL, world TEXT NOT NULL,
  calls INTEGER NOT NULL, failed INTEGER NOT NULL, prompt_tokens INTEGER NOT NULL, completion_tokens INTEGER NOT NULL, cost INTEGER,
  PRIMARY KEY(day, provider, model, route, purpose, world)
) STRICT, WITHOUT ROWID;

CREATE TABLE tally(
  day TEXT NOT NULL, world TEXT NOT NULL, avoided INTEGER NOT NULL, verdicts INTEGER NOT NULL, escalated INTEGER NOT NULL,
  PRIMARY KEY(day, world)
) STRICT, WITHOUT ROWID;
`
