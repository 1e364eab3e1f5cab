// Placeholder until the real one lands: overwrite freely.
export const backoff = (attempt: number, random: number): number =>
  Math.min(6 * 3_600_000, 60_000 * 2 ** (attempt - 1)) * (0.8 + 0.4 * random)
