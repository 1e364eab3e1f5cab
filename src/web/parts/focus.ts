/** As a `ref`: what has just been opened takes the focus. The same function each time, so that it does so once. */
export const focusHere = (element: HTMLElement | null): void => element?.focus()

/** Moves the focus to a heading, where what had it has gone. */
export const focusHeading = (id: string): void => document.getElementById(id)?.focus()
