import type { ActorHost } from '../actors/actor-host.ts'
import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { GoalId, Ids } from '../domain/ids.ts'
import { type Goal, TaskTitle } from '../domain/task.ts'
import type { Stores } from './stores.ts'

export interface GoalBookParts {
  host: Pick<ActorHost, 'write'>
  stores: Stores
  clock: Clock
  ids: Ids
}

const mostGoals = 50

/** The user's standing aims. Only the user changes them. */
export class GoalBook {
  readonly #parts: GoalBookParts

  constructor(parts: GoalBookParts) {
    this.#parts = parts
  }

  list(): Goal[] {
    return this.#parts.stores.tasks.goals()
  }

  /** Adds a goal, or gives the goal `of` new words; throws `goal/text-invalid`, `goal/unknown`, `goal/too-many`. */
  put(text: string, of?: string): Promise<Goal> {
    const { stores, host, clock, ids } = this.#parts
    const read = TaskTitle.safeParse(text)
    if (!read.success) {
      throw Fault.use(
        'goal/text-invalid',
        `A goal is a text of 1 to 500 characters; this one has ${text.trim().length}.`,
      )
    }
    return host.write(() => {
      const old = of === undefined ? undefined : this.#find(of)
      if (!old && this.list().length >= mostGoals) {
        throw Fault.use('goal/too-many', `There are ${mostGoals} goals already. Remove one first.`)
      }
      const goal = {
        id: old?.id ?? ids.next<GoalId>('goal'),
        text: read.data,
        createdAt: old?.createdAt ?? clock.now(),
      }
      stores.tasks.putGoal(goal)
      return goal
    })
  }

  remove(given: string): Promise<Goal> {
    const { stores, host } = this.#parts
    return host.write(() => {
      const goal = this.#find(given)
      stores.tasks.dropGoal(goal.id)
      return goal
    })
  }

  #find(given: string): Goal {
    const goal = this.list().find((one) => one.id === given || one.text === given)
    if (!goal)
      throw Fault.use('goal/unknown', `There is no goal ${given}. undermind goals list shows what there is.`, {
        goal: given,
      })
    return goal
  }
}
