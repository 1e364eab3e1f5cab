import { createContext, type ReactNode, useContext, useMemo, useSyncExternalStore } from 'react'
import type { CallOptions, Connection, LinkState } from './connection.ts'
import type { MethodName, Methods } from './methods.ts'

/** Asks the runtime. Whoever only reads says that the request is repeatable. */
export type Call = <Name extends MethodName>(
  method: Name,
  params: Methods[Name]['params'],
  options?: CallOptions,
) => Promise<Methods[Name]['result']>

const Context = createContext<Connection | null>(null)

export const RpcProvider = ({ connection, children }: { connection: Connection; children: ReactNode }) => (
  <Context value={connection}>{children}</Context>
)

export function useConnection(): Connection {
  const connection = useContext(Context)
  if (connection === null) throw new TypeError('There is no connection around this part of the page.')
  return connection
}

export const callOn =
  (connection: Connection): Call =>
  (method, params, options) =>
    // The compiler holds both sides to the same rows.
    connection.call(method, params, options) as Promise<Methods[typeof method]['result']>

export function useCall(): Call {
  const connection = useConnection()
  return useMemo(() => callOn(connection), [connection])
}

export function useLink(): LinkState {
  const connection = useConnection()
  return useSyncExternalStore(connection.watch, () => connection.state)
}
