import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { browserClock } from './browser-clock.ts'
import { makeQueryClient } from './data/query-client.ts'
import { NoticesProvider } from './parts/notices.tsx'
import { browserSocket } from './rpc/browser-socket.ts'
import { Connection, type Socket } from './rpc/connection.ts'
import { RpcProvider } from './rpc/rpc-context.tsx'
import { LanguageProvider } from './texts/language.tsx'

const address = new URL('rpc', document.baseURI)

function openSocket(): Socket {
  const socketAddress = new URL(address)
  socketAddress.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  return browserSocket(socketAddress)
}

/** Any answer but a refusal for want of a key will do. */
async function isLetIn(): Promise<boolean> {
  const { status } = await fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'events.subscribe', params: {}, id: 1 }),
  })
  return status !== 401
}

const connection = new Connection({ open: openSocket, isLetIn, clock: browserClock })
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') connection.probe()
})
addEventListener('online', () => connection.probe())

const place = document.getElementById('page')
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <LanguageProvider>
        <RpcProvider connection={connection}>
          <QueryClientProvider client={makeQueryClient()}>
            <NoticesProvider>
              <App />
            </NoticesProvider>
          </QueryClientProvider>
        </RpcProvider>
      </LanguageProvider>
    </StrictMode>,
  )
}
