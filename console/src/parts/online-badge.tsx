import { Badge } from './badge.tsx'

export function OnlineBadge({ online }: { readonly online: boolean | undefined }) {
  if (online === undefined) return <Badge>Not seen yet</Badge>
  return online ? <Badge mood="good">Online</Badge> : <Badge mood="bad">Offline</Badge>
}
