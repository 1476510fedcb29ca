import type { Session } from '../session.ts'

export function keyPath({ path }: Pick<Session, 'path'>, name: string): string {
  return `${path}/ownedaccesskeys/${encodeURIComponent(name)}`
}
