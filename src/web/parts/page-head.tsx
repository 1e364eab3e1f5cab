import type { ReactNode } from 'react'

/** The heading of a page, with what can be done about all of it. */
export const PageHead = ({ title, lead, children }: { title: string; lead?: string; children?: ReactNode }) => (
  <header className="mb-6 flex flex-wrap items-end justify-between gap-3">
    <div>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      {lead !== undefined && <p className="mt-0.5 text-soft">{lead}</p>}
    </div>
    {children !== undefined && <div className="flex flex-wrap gap-2">{children}</div>}
  </header>
)
