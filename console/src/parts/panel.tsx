import type { ReactNode } from 'react'

interface PanelProps {
  readonly title?: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Panel({ title, actions, children }: PanelProps) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line bg-surface">
      {title !== undefined && (
        <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
          <h2 className="font-semibold">{title}</h2>
          {actions}
        </header>
      )}
      <div className="min-w-0 p-4">{children}</div>
    </section>
  )
}
