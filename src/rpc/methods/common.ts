import { z } from 'zod'

/** An id as a caller gives it; where it is looked up, an unambiguous beginning or a title may do as well. */
export const given = z.string().min(1, 'expected an id').max(500)

export const limit = (usual: number) => z.int().min(1).max(500).default(usual)

/** Who answers, and an id of the caller's that makes the same answer sent twice one answer. */
export const answering = {
  by: z.string().trim().min(1).max(100).default('user'),
  message: z.string().min(1).max(200).optional(),
}

export const answerer = ({ by, message }: { by: string; message?: string | undefined }) => ({
  by,
  ...(message !== undefined && { message }),
})

export const nothing = z.strictObject({})
