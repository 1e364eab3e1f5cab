import type { Readable, Writable } from 'node:stream'
import type { Door } from '../rpc/door.ts'
import type { EvalRequest, EvalView, EvalWatch } from './eval-view.ts'

/** The terminal, or what stands in for one. `columns` and `rows` are asked each time: windows are resized. */
export interface Io {
  out(text: string): void
  err(text: string): void
  /** True when a person reads what goes to `out`. */
  readonly isTTY: boolean
  readonly columns: number
  readonly rows: number
  /** Everything that comes in, until it ends. */
  stdin(): Promise<string>
  /** The bare streams, for a command that speaks with a program. */
  stdio(): { input: Readable; output: Writable }
  /** Asks a person; null when there is no terminal to ask at. */
  confirm(question: string): Promise<boolean | null>
}

/** The dashboard, as it is served. */
export interface Dashboard {
  readonly url: string
  /** What there is to know of where it is. */
  readonly note: string | null
  /** An address that opens it: once, within five minutes. */
  link(): string
}

/** Stately's inspector. What it is told leaves this machine. */
export interface StatelyInspector {
  /** An actor as it stands, with its chart's name. */
  actor(actor: { id: string; kind: string; parent: string | null; state: string }): void
  step(step: { actor: string; sender: string | null; event: string; to: string }): void
  stop(): void
}

/** A runtime that this process keeps going. `stop` is the one way to end it. */
export interface Served extends Door {
  readonly workspace: string
  /** Where the dashboard is, once it is open; null when none is served. Fails with what kept it from opening. */
  readonly dashboard: Promise<Dashboard | null>
  stop(): Promise<void>
}

/** Whether the user has said yes to a workspace. */
export interface TrustState {
  trusted: boolean
  reason?: 'never' | 'changed'
}

/** Everything the commands need of the world around them. */
export interface CliParts {
  version: string
  io: Io
  env: Record<string, string | undefined>
  cwd: string
  /** Milliseconds UTC. */
  now(): number
  /** Through the daemon if one runs, else into the workspace opened in this process. */
  connect(workspace: string, options: { testClock?: string }): Promise<Door>
  /** Runs the loop in this process until stopped; it beats by itself and serves the local socket. */
  serve(workspace: string, options: { testClock?: string }): Promise<Served>
  init(dir: string, options: { example: boolean }): Promise<{ root: string; made: string[] }>
  trust: {
    state(workspace: string): Promise<TrustState>
    /** Returns where a state folder that was not made here was put, so that nothing planted in it comes to life. */
    grant(workspace: string): Promise<{ putAside: string | null }>
    revoke(workspace: string): Promise<void>
  }
  /** How files and words are understood; needs no workspace. */
  parse: {
    heartbeat(file: string): Promise<string[]>
    intent(title: string): 'read' | 'write'
    decisions(file: string, tasks: string[]): Promise<Record<string, string>>
  }
  /** Has labelled cases judged; needs no workspace. */
  eval(request: EvalRequest, watch: EvalWatch): Promise<EvalView>
  /** Opens an address in the user's browser; false when there is nothing that would. */
  openInBrowser(address: string): Promise<boolean>
  /**
   * Opens a session with Stately's inspector, a service on the internet. Throws `inspector/no-stately` where the package
   * that speaks with it is not installed.
   */
  stately(): StatelyInspector
  /** Mermaid text by the name of the chart. */
  diagrams(): Promise<Record<string, string>>
  /** Makes, once, and names the ready example workspace. */
  exampleWorkspace(): Promise<string>
  /** Calls `stop` when the user or the system asks the process to end; returns a way to stop listening. */
  onSignal(stop: () => void): () => void
}
