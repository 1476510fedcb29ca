import type { KeyIndex, KnownKey } from '../../auth/keys/contract.ts'

/** A session, or a connection key, of an owner who has too many. */
export interface HeldSession {
  readonly name: string
  readonly uid: string
  /** The credential it was started with. */
  readonly startedWith: string
  /** When it was last used, or any number that orders them by that. */
  readonly usedMs: number
}

export function heldSession(key: KnownKey, index: Pick<KeyIndex, 'lastActivityMs'>, createdMs = 0): HeldSession {
  const { name, uid } = key
  return { name, uid, startedWith: credentialOf(key), usedMs: index.lastActivityMs(uid) ?? createdMs }
}

/**
 * Those that end so that at most `most` are left, the newest among them: one after the other, the one that was unused
 * for longest of the credential that has started most. So a credential that starts one after the other gets an even
 * share at most: the holder of one key of an owner, which may be allowed very little, cannot sign the owner out.
 */
export function sessionsToEnd(held: readonly HeldSession[], newest: string, most: number): readonly HeldSession[] {
  const byCredential = new Map<string, HeldSession[]>()
  for (const each of [...held].sort((a, b) => b.usedMs - a.usedMs)) {
    const others = byCredential.get(each.startedWith)
    if (others === undefined) byCredential.set(each.startedWith, [each])
    else others.push(each)
  }
  const ending: HeldSession[] = []
  while (held.length - ending.length > Math.max(most, 1)) {
    const ended = take([...byCredential.values()], newest)
    if (ended === undefined) break
    ending.push(ended)
  }
  return ending
}

/** Each list is sorted by use, the latest first. */
function take(lists: readonly HeldSession[][], newest: string): HeldSession | undefined {
  const [first] = lists
    .flatMap((list) => {
      const at = list.findLastIndex(({ name }) => name !== newest)
      const idlest = list[at]
      return idlest === undefined ? [] : [{ list, at, idlest }]
    })
    .sort((a, b) => b.list.length - a.list.length || a.idlest.usedMs - b.idlest.usedMs)
  first?.list.splice(first.at, 1)
  return first?.idlest
}

function credentialOf({ session }: KnownKey): string {
  const startedWith = session?.startedWith
  switch (startedWith?.kind) {
    case 'key':
      return `key ${startedWith.uid}`
    case 'token':
      return `token ${startedWith.hash}`
    case 'identity':
      return `identity ${startedWith.connector}`
    case undefined:
      return ''
  }
}
