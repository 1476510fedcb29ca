import type { ReactNode } from 'react'

interface EmptyProps {
  readonly title: string
  /** What to do next. */
  readonly children?: ReactNode
  readonly action?: ReactNode
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-12 text-center">
      <p className="text-base font-medium">{title}</p>
      {children !== undefined && <div className="max-w-prose text-muted">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}
