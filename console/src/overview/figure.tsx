import type { ReactNode } from 'react'
import { classNames } from '../parts/class-names.ts'

export interface FigureProps {
  readonly label: string
  readonly value: ReactNode
  readonly note?: ReactNode
  readonly mood?: 'good' | 'warn' | 'bad'
}

const colors = { good: 'text-good', warn: 'text-warn', bad: 'text-bad' } as const

export function Figure({ label, value, note, mood }: FigureProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface p-4">
      <p className="text-muted">{label}</p>
      <p className={classNames('mt-1 text-2xl font-semibold tabular-nums', mood && colors[mood])}>{value}</p>
      {note !== undefined && <p className="mt-0.5 text-xs break-words text-muted">{note}</p>}
    </div>
  )
}
