/** Agents at work for evaluations, and their conversations. */
export const agents = `
CREATE TABLE agent_run(
  id TEXT PRIMARY KEY, evaluation TEXT NOT NULL, task TEXT NOT NULL, world TEXT NOT NULL, stage TEXT NOT NULL, state TEXT NOT NULL,
  steps INTEGER NOT NULL, tokens INTEGER NOT NULL, tainted INTEGER NOT NULL, done TEXT NOT NULL, text TEXT, proposed TEXT NOT NULL,
  plan TEXT, failure TEXT, created_at INTEGER NOT NULL, ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX agent_run_evaluation ON agent_run(evaluation);
CREATE INDEX agent_run_ended ON agent_run(ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE agent_step(
  run TEXT NOT NULL, n INTEGER NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL, call TEXT, effect INTEGER NOT NULL,
  open INTEGER NOT NULL, at INTEGER NOT NULL, PRIMARY KEY(run, n)
) STRICT, WITHOUT ROWID;
`
