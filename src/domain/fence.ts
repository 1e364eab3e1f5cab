/** What may begin the line of a fence around data, or be taken for it, wherever it stands in a text. */
export const fenceLike = /[<＜‹〈⟨](?=\s{0,4}[/／]?\s{0,4}fenced)/gi
