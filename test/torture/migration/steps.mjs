/** Rows of the table that every step goes over, so that a step takes a while. */
export const ballast = 8000

/** Fills a store of the first version. */
export const filling = `
  CREATE TABLE ballast(n INTEGER NOT NULL, text TEXT NOT NULL) STRICT;
  WITH RECURSIVE count(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM count WHERE i < ${ballast})
  INSERT INTO ballast SELECT 1, hex(randomblob(150)) FROM count;
`

/**
 * The step that leads to a version, of those that later builds might bring. Running it twice, or half, can be told: it
 * makes a table, and counts every row on by one.
 * @param {number} version
 */
const stepTo = (version) => `
  CREATE TABLE made_in_${version}(n INTEGER NOT NULL, size INTEGER NOT NULL) STRICT;
  UPDATE ballast SET n = n + 1;
  INSERT INTO made_in_${version} SELECT n, length(text) FROM ballast;
  ALTER TABLE ballast ADD COLUMN since_${version} INTEGER NOT NULL DEFAULT ${version};
`

/** The steps beyond the first of a build that knows `version`. @param {number} version */
export const stepsBeyondFirst = (version) => Array.from({ length: version - 1 }, (_, n) => stepTo(n + 2))
