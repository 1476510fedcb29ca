import { Badge } from './badge.tsx'

/** Whether a virtual cluster is linked, as reported by the platform. */
export function OnlineBadge({ online }: { readonly online: boolean | undefined }) {
  if (online === undefined) return <Badge>Never linked</Badge>
  return online ? <Badge mood="good">Online</Badge> : <Badge mood="bad">Offline</Badge>
}
