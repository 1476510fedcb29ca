import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Mood = 'good' | 'warn' | 'bad' | 'quiet' | 'accent'

const moods: Readonly<Record<Mood, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  quiet: 'bg-raised text-muted',
  accent: 'bg-accent-soft text-accent',
}

export function Badge({ mood = 'quiet', children }: { readonly mood?: Mood; readonly children: ReactNode }) {
  return (
    <span
      className={classNames(
        'inline-flex items-center gap-1 rounded-full px-2 py-px text-xs font-medium whitespace-nowrap',
        moods[mood],
      )}
    >
      {children}
    </span>
  )
}
