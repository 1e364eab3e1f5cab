import type { Clock } from '../domain/clock.ts'
import { Fault } from '../domain/errors.ts'
import type { Usage } from '../domain/model.ts'
import { moneyText } from '../domain/money.ts'
import type { Settings } from '../domain/settings.ts'
import type {
  Accounts,
  Admission,
  BudgetToday,
  CallAhead,
  CallMade,
  CountedCall,
  Day,
  Route,
  UsageToday,
} from '../domain/usage.ts'
import type { UsageStore } from '../store/usage.ts'
import { type Amount, allowance, amountOf, costOf, millionths, plus, usageOf } from './call-cost.ts'
import { dayAt, daysBefore, nextDayAt, timeOfDay } from './local-day.ts'

export interface UsageParts {
  store: UsageStore
  clock: Clock
  settings(): Settings
  timezone(): string
}

type CloudModel = NonNullable<Settings['models']['cloud']>

/** A day of cloud calls as this process knows it. */
interface Spending {
  /** What had been recorded when the day was first looked at. */
  before: Amount
  /** What calls came to since, recorded or not. */
  since: Amount
  /** What calls in hand may come to. */
  reserved: Amount
}

/** A clock that is set to and fro shows few days; those beyond are read again. */
const daysKept = 4

/** The accounts of a workspace: what calls cost, and what may still be spent today. */
export class UsageBook implements Accounts {
  readonly #parts: UsageParts
  readonly #days = new Map<Day, Spending>()
  #refused: { day: Day; until: number } | null = null

  constructor(parts: UsageParts) {
    this.#parts = parts
  }

  get day(): Day {
    return dayAt(this.#parts.clock.now(), this.#parts.timezone())
  }

  /** See `Accounts.admit`. The local model is never refused. */
  admit(ahead: CallAhead): Admission {
    const { cloud } = this.#parts.settings().models
    if (this.routeOf(ahead) === 'local') return free
    const { day } = this
    const spending = this.#spendingOf(day)
    const most = amountOf({ promptTokens: ahead.promptTokens, completionTokens: ahead.maxTokens }, cloud)
    if (cloud) this.#assertFits(cloud, day, spending, most)
    this.#refused = null
    return admission(spending, most, (used) => amountOf(used, cloud))
  }

  /** Adds the day, the route and the cost; what a server says of tokens is made whole numbers first. */
  counted(call: CallMade): CountedCall {
    const { settings, timezone } = this.#parts
    const usage = usageOf(call)
    const route = this.routeOf(call)
    const cost = route === 'cloud' ? costOf(usage, settings().models.cloud) : null
    return { ...call, ...usage, route, cost, day: dayAt(call.at, timezone()) }
  }

  routeOf({ provider, model, route }: Pick<CallAhead, 'provider' | 'model' | 'route'>): Route {
    const { cloud } = this.#parts.settings().models
    return route ?? (cloud?.provider === provider && cloud.model === model ? 'cloud' : 'local')
  }

  /** How today stands. */
  today(): UsageToday {
    const { store } = this.#parts
    const { day } = this
    const { verdicts, escalated } = store.tallied(daysBefore(day, 6), day)
    const callsAvoided = store.tallied(day, day).avoided
    return {
      day,
      ...store.total(day, day),
      callsAvoided,
      escalations: { verdicts, escalated },
      budget: this.#budget(day),
    }
  }

  #budget(day: Day): BudgetToday | null {
    const { clock, settings } = this.#parts
    const { cloud } = settings().models
    if (!cloud) return null
    const used = this.#spent(day)
    const refused = this.#refused
    return {
      money: cloud.daily_budget === undefined ? null : allowance(millionths(cloud.daily_budget), used.cost),
      tokens: cloud.daily_tokens === undefined ? null : allowance(cloud.daily_tokens, used.tokens),
      refusedUntil: refused?.day === day && refused.until > clock.now() ? refused.until : null,
    }
  }

  #assertFits(cloud: CloudModel, day: Day, spending: Spending, most: Amount): void {
    const taken = plus(this.#spent(day), spending.reserved)
    if (cloud.daily_budget !== undefined) {
      if (cloud.input_price === undefined || cloud.output_price === undefined) throw noPrice()
      const limit = millionths(cloud.daily_budget)
      this.#assertWithin({ setting: 'daily_budget', limit, taken: taken.cost, most: most.cost, text: moneyText }, day)
    }
    if (cloud.daily_tokens !== undefined) {
      const limit = cloud.daily_tokens
      this.#assertWithin(
        { setting: 'daily_tokens', limit, taken: taken.tokens, most: most.tokens, text: tokensText },
        day,
      )
    }
  }

  #assertWithin({ setting, limit, taken, most, text }: Limit, day: Day): void {
    if (taken + most <= limit) return
    if (most > limit) {
      throw new Fault(
        'model/budget-too-small',
        `This call may come to ${text(most)}, and a whole day's budget for the cloud model is ${text(limit)}. Raise models.cloud.${setting}.`,
        { setting, limit, most },
      )
    }
    const { clock, timezone } = this.#parts
    const until = nextDayAt(clock.now(), timezone())
    this.#refused = { day, until }
    throw new Fault(
      'model/budget',
      `Today's budget of ${text(limit)} for the cloud model is used up: ${text(taken)} is spent or set aside, and this call may come to ${text(most)}. Cloud work goes on tomorrow at ${timeOfDay(until, timezone())} local time, or raise models.cloud.${setting}.`,
      { setting, limit, taken, most, until },
    )
  }

  /** What is in the rows, and what will be: a call counts from its end, its row comes with the step that it belongs to. */
  #spent(day: Day): Amount {
    const { before, since } = this.#spendingOf(day)
    const known = plus(before, since)
    const recorded = this.#parts.store.spent(day)
    return { tokens: Math.max(known.tokens, recorded.tokens), cost: Math.max(known.cost, recorded.cost) }
  }

  #spendingOf(day: Day): Spending {
    const known = this.#days.get(day)
    if (known) return known
    const fresh: Spending = { before: this.#parts.store.spent(day), since: nothing, reserved: nothing }
    if (this.#days.size >= daysKept) this.#days.delete(this.#days.keys().next().value!)
    this.#days.set(day, fresh)
    return fresh
  }
}

const nothing: Amount = { tokens: 0, cost: 0 }
const free: Admission = { spent() {}, [Symbol.dispose]() {} }

function admission(spending: Spending, most: Amount, amountOfUsage: (usage: Usage) => Amount): Admission {
  let isHeld = true
  spending.reserved = plus(spending.reserved, most)
  const release = () => {
    if (isHeld) spending.reserved = plus(spending.reserved, { tokens: -most.tokens, cost: -most.cost })
    isHeld = false
  }
  return {
    spent(usage) {
      release()
      spending.since = plus(spending.since, amountOfUsage(usage))
    },
    [Symbol.dispose]: release,
  }
}

interface Limit {
  setting: 'daily_budget' | 'daily_tokens'
  limit: number
  taken: number
  most: number
  text(amount: number): string
}

const tokensText = (amount: number): string => `${amount.toLocaleString('en-US')} tokens`

const noPrice = (): Fault =>
  new Fault(
    'model/no-price',
    'models.cloud.daily_budget is set, but not what tokens cost, so nobody can tell when it is used up. Set models.cloud.input_price and output_price, or take daily_budget away.',
  )
