import { z } from 'zod'
import { second } from '../../domain/clock.ts'

export const UnixSeconds = z.number().meta({ id: 'UnixSeconds', description: 'Seconds since 1970, UTC.' })

/** A time in milliseconds as legacy rows have it. */
export function seconds(ms: number): number
export function seconds(ms: number | null): number | null
export function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / second
}
