/**
 * What models are asked and what it comes to. `usage` has what each task used on a day; `usage_day` the same without
 * tasks, so that sums of a day cost what its models are and not what its tasks are; `tally` what worlds were spared and
 * told. Empty text stands for no task and no world. Costs are whole millionths; null where no price was known.
 */
export const usage = `
ALTER TABLE model_call ADD COLUMN world TEXT;
ALTER TABLE model_call ADD COLUMN evaluation TEXT;
ALTER TABLE model_call ADD COLUMN tasks TEXT NOT NULL DEFAULT '[]';
ALTER TABLE model_call ADD COLUMN route TEXT NOT NULL DEFAULT 'local';
ALTER TABLE model_call ADD COLUMN calls INTEGER NOT NULL DEFAULT 1;
ALTER TABLE model_call ADD COLUMN failed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE model_call ADD COLUMN cost INTEGER;
UPDATE model_call SET calls = 1 + repaired, world = (SELECT world FROM tick WHERE tick.id = model_call.tick);
UPDATE model_call SET tasks = judged.tasks
  FROM (SELECT call, json_group_array(task) AS tasks FROM evaluation WHERE call IS NOT NULL GROUP BY call) AS judged
  WHERE judged.call = model_call.id;

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
