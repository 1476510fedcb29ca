import { type ReactNode, useEffect } from 'react'
import { visible } from '../../../src/base/unseen.ts'

interface PageProps {
  readonly title: string
  /** Beside the title, such as a state. */
  readonly aside?: ReactNode
  readonly subtitle?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, aside, subtitle, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${visible(title)} · Tenant Platform`
  }, [title])
  return (
    <div className="grid min-w-0 grid-rows-[auto_1fr] gap-4 p-4 md:px-6 md:py-5">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0">
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
            <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{title}</h1>
            {aside}
          </div>
          {subtitle !== undefined && <div className="mt-0.5 text-muted">{subtitle}</div>}
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      <div className="grid min-w-0 content-start gap-4">{children}</div>
    </div>
  )
}
