import { z } from 'zod'

/*
 * `allowed` says in words what a setting may hold, for error messages and documents; a rule that a reader could not
 * guess says it itself.
 */

const wholeNumber = (from: number, to: number, allowed = `a whole number from ${from} to ${to}`) =>
  z.int(allowed).min(from, allowed).max(to, allowed).meta({ allowed })

const text = (allowed: string, max = 200) =>
  z
    .string()
    .min(1, allowed)
    .max(max, allowed)
    .regex(/^[^\p{Cc}]*$/u, allowed)
    .meta({ allowed })

const globs = z.array(text('a glob', 1000)).max(1000).meta({ allowed: 'a list of globs' })

const timeAllowed = 'a time of day as "HH:MM", from "00:00" to "23:59"'
const timeOfDay = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, timeAllowed)
  .meta({ allowed: timeAllowed })

const isZone = (name: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return /^[A-Za-z]/.test(name) // newer runtimes take "+02:00", which has no daylight-saving rules
  } catch {
    return false
  }
}
const zoneAllowed = 'the IANA name of a time zone, such as "Europe/Berlin"'
const zone = z.string().refine(isZone, zoneAllowed).meta({ allowed: zoneAllowed })

const withoutCredentials = (address: string): boolean => {
  const { username, password } = new URL(address)
  return username === '' && password === ''
}
const addressAllowed = 'an http or https address without user name or password'
const address = z
  .url({ protocol: /^https?$/, error: addressAllowed, abort: true })
  .refine(withoutCredentials, addressAllowed)
  .meta({ allowed: addressAllowed })

const variableAllowed = 'the name of an environment variable (letters, digits, underscores), never the key itself'
const variable = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, variableAllowed)
  .meta({ allowed: variableAllowed })

const beatAllowed =
  'a whole number from 5 to 10080: a shorter beat only burns energy, since task schedules have their own minute'

/** How the memory world works; the setting `subconscious.mode` tells the modes apart. */
export const Mode = z.enum(['off', 'simple', 'aggressive', 'event_driven'])
export type Mode = z.infer<typeof Mode>

const Heartbeat = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether the memory world and the planner beat by themselves.'),
  interval_minutes: wholeNumber(5, 7 * 24 * 60, beatAllowed)
    .default(5)
    .describe('Minutes between two beats.'),
  inference_enabled: z
    .boolean()
    .default(true)
    .describe('Whether beats may ask a model. When false, only Run now evaluates tasks.'),
  context_budget_tokens: wholeNumber(1000, 2_000_000).default(40_000).describe('Tokens one situation report may hold.'),
  concurrency: wholeNumber(1, 64).default(4).describe('How many decisions of a tick are carried out at the same time.'),
  tick_timeout_minutes: wholeNumber(1, 24 * 60)
    .default(30)
    .describe('Minutes after which a tick is ended.'),
  overlap: z
    .enum(['supersede', 'finish'])
    .default('supersede')
    .describe('What a newer tick does to a running one: takes its place, or waits for its end and follows once.'),
})

const QuietHours = z.strictObject({
  from: timeOfDay.describe('When quiet hours begin, local time.'),
  to: timeOfDay.describe('When quiet hours end, local time; the next day when earlier than from, never when the same.'),
})

const LocalModel = z.strictObject({
  provider: z
    .enum(['auto', 'builtin', 'ollama', 'openai'])
    .default('auto')
    .describe('Who judges tasks. auto is Ollama when it answers and has a model, else the built-in evaluator.'),
  model: text('the name of a model').optional().describe('Model to ask. Not set: the first one the provider has.'),
  base_url: address
    .optional()
    .describe("Address of the provider. Not set: OLLAMA_HOST for Ollama, else the provider's usual local address."),
  context_tokens: wholeNumber(2048, 2_000_000)
    .optional()
    .describe('Tokens one call may hold, prompt and answer. Not set: what the model can, at most 32768.'),
  keep_alive_minutes: wholeNumber(0, 24 * 60)
    .default(5)
    .describe('Minutes for which Ollama keeps the model in memory after a call.'),
  timeout_seconds: wholeNumber(10, 3600).default(300).describe('Seconds after which a call is given up.'),
})

const moneyAllowed = 'a number from 0 to 1000000'
const money = z.number(moneyAllowed).min(0, moneyAllowed).max(1_000_000, moneyAllowed).meta({ allowed: moneyAllowed })

const shareAllowed = 'a number from 0.80 to 0.90'
const share = z.number(shareAllowed).min(0.8, shareAllowed).max(0.9, shareAllowed).meta({ allowed: shareAllowed })

const routeOf = (stage: string, initial: 'local' | 'cloud') =>
  z.enum(['local', 'cloud']).default(initial).describe(`Which of the two models ${stage}.`)

/** Which model does which part of the work. */
const Routes = z.strictObject({
  judge: routeOf('judges due tasks', 'local'),
  text: routeOf('writes a text that a verdict asks for', 'local'),
  tools: routeOf('works with tools', 'cloud'),
  analyse: routeOf('looks deeper into an escalated task', 'cloud'),
})

const CloudModel = z.strictObject({
  provider: z
    .enum(['openai'])
    .default('openai')
    .describe('What the endpoint speaks: openai is any OpenAI-compatible one.'),
  model: text('the name of a model').describe('Model that works with tools and looks deeper into escalated tasks.'),
  base_url: address.describe('Address of the endpoint.'),
  api_key_env: variable
    .optional()
    .describe('Name of the environment variable that holds the key. Not set: no key is sent.'),
  context_tokens: wholeNumber(2048, 2_000_000)
    .optional()
    .describe('Tokens one call may hold, prompt and answer. Not set: 128000.'),
  timeout_seconds: wholeNumber(10, 3600).optional().describe('Seconds after which a call is given up. Not set: 300.'),
  input_price: money.optional().describe('What a million tokens of prompt cost. Not set: money is not counted.'),
  output_price: money.optional().describe('What a million tokens of answer cost. Not set: money is not counted.'),
  daily_budget: money
    .optional()
    .describe('Money that may be spent in a day, in the currency of the prices. Not set: no limit.'),
  daily_tokens: wholeNumber(0, 1_000_000_000)
    .optional()
    .describe('Tokens that may be used in a day, prompt and answer together. Not set: no limit.'),
})

const Server = z.strictObject({
  enabled: z.boolean().default(true).describe('Whether they are served while undermind runs.'),
  host: text('an address of this machine').default('127.0.0.1').describe('Address that is listened at.'),
  port: wholeNumber(0, 65_535)
    .default(0)
    .describe('Port that is listened at, or the next free one. 0: the one of last time, else a free one.'),
  beyond_loopback: z
    .boolean()
    .default(false)
    .describe(
      'Whether the address may be one that other machines reach. They see everything that whoever holds the token sees, unencrypted.',
    ),
})

/** Everything a user can set, with the names it has in `undermind.toml`. */
export const Settings = z.strictObject({
  subconscious: z
    .strictObject({
      mode: Mode.optional().describe(
        'How the memory world works: simple ticks by cadence, aggressive lets agents use twice the steps, event_driven also ticks when a source changes. Not set: simple while heartbeat and inference are enabled, else off.',
      ),
    })
    .prefault({})
    .describe('The background mind as a whole.'),
  heartbeat: Heartbeat.prefault({}).describe('When it looks, and how much it does at a time.'),
  orchestration: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Whether agent-to-agent sessions are watched and steered.'),
      review_interval_minutes: wholeNumber(1, 7 * 24 * 60)
        .optional()
        .describe('Minutes between two reviews of sessions. Not set: the heartbeat interval.'),
      context_guard: share
        .default(0.85)
        .describe("Part of the core's window from which a session's oldest summaries go to memory."),
    })
    .prefault({})
    .describe('Agent-to-agent sessions.'),
  proactive: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Whether an agent may stay awake and pace itself.'),
    })
    .prefault({})
    .describe('Proactive mode.'),
  briefing: z
    .strictObject({
      enabled: z.boolean().default(true).describe('Whether a morning briefing is made every day.'),
      time: timeOfDay.default('07:00').describe('When it is made, local time.'),
    })
    .prefault({})
    .describe('The morning briefing.'),
  journal: z
    .strictObject({
      keep_days: wholeNumber(1, 3650)
        .default(30)
        .describe('Days after which a settled evaluation keeps only its summary.'),
    })
    .prefault({})
    .describe('The record of everything that happened.'),
  store: z
    .strictObject({
      synchronous: z
        .enum(['full', 'normal'])
        .default('full')
        .describe('full survives a power cut with nothing lost; normal is faster and may lose the last moments.'),
    })
    .prefault({})
    .describe('The database in .undermind.'),
  sources: z
    .strictObject({
      own: globs
        .default([])
        .describe('Files whose content is your own. All others count as external and cannot cause an effect unasked.'),
      ignore: globs.default([]).describe('Files that are not read, on top of what .gitignore names.'),
      max_file_bytes: wholeNumber(1024, 64 * 1024 * 1024)
        .default(1024 * 1024)
        .describe('Larger files are not read.'),
    })
    .prefault({})
    .describe('What it reads.'),
  user: z
    .strictObject({
      timezone: zone.optional().describe("Your time zone. Not set: the system's."),
      name: text('a name of at most 100 characters', 100).optional().describe('What a briefing calls you.'),
      quiet_hours: QuietHours.optional().describe(
        'Hours in which nothing runs; what falls into them moves to their end.',
      ),
    })
    .prefault({})
    .describe('You.'),
  approvals: z
    .strictObject({
      expire_days: wholeNumber(1, 365).default(14).describe('Days after which an unanswered card expires.'),
      new_cards_per_day: wholeNumber(0, 1000)
        .default(5)
        .describe('New cards a day and world that are shown singly; the rest are bundled into one.'),
    })
    .prefault({})
    .describe('Cards that wait for your answer.'),
  models: z
    .strictObject({
      local: LocalModel.prefault({}).describe('The model that judges tasks. Free, on this machine by default.'),
      cloud: CloudModel.optional().describe('An agent for tool work. Absent: nothing is ever sent to one.'),
      routes: Routes.prefault({}).describe(
        'Who does which part. A part whose model is not there says so; none falls back.',
      ),
    })
    .prefault({})
    .describe('Who thinks.'),
  tools: z
    .strictObject({
      commands: z
        .array(text('a command with its arguments, a * for any one argument', 300))
        .max(100)
        .meta({ allowed: 'a list of commands with their arguments' })
        .default([])
        .describe(
          'Commands that agents may run, each with all its arguments; * stands for any one argument, ** at the end for any more.',
        ),
    })
    .prefault({})
    .describe('What agents may use besides files.'),
  server: Server.prefault({}).describe('The dashboard, and JSON-RPC over HTTP and WebSocket.'),
})
export type Settings = z.infer<typeof Settings>

/**
 * Settings, or whole tables of them, that name programs, addresses or keys, or that call content the user's own: taken from a workspace's own file only once
 * the user trusts that workspace, and part of what the trust is bound to.
 */
export const needsTrust: readonly string[] = ['models', 'sources.own', 'tools', 'server']

export const defaultSettings = (): Settings => Settings.parse({})

/** The mode the memory world is in: the one that was set, else the one that follows from the heartbeat. */
export const effectiveMode = ({ subconscious, heartbeat }: Settings): Mode =>
  subconscious.mode ?? (heartbeat.enabled && heartbeat.inference_enabled ? 'simple' : 'off')
