import { Badge, type Mood } from '../parts/badge.tsx'

const moods: Readonly<Record<string, Mood>> = { Active: 'good', Disabled: 'warn', Expired: 'bad', Deleting: 'bad' }

export function PhaseBadge({ phase }: { readonly phase: string }) {
  return <Badge mood={moods[phase] ?? 'quiet'}>{phase}</Badge>
}
