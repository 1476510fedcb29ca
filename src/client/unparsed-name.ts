import { MemberCursor } from '../base/json/member-cursor.ts'

/**
 * The parts of an object that are visible without parsing it. A missing part, or one that cannot be a name, is empty.
 */
export interface UnparsedName {
  readonly namespace: string
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
}

/** Servers write metadata close to the beginning. */
const lookedAtBytes = 64 * 1024
const names = ['namespace', 'name', 'uid', 'resourceVersion'] as const
const plausible = /^[\w.:-]{1,253}$/

/** For an object, or the beginning of one. `member`: the object is that member of the bytes' object. */
export function unparsedName(bytes: Buffer, member?: string): UnparsedName {
  const cursor = new MemberCursor(bytes, 0, Math.min(bytes.length, lookedAtBytes))
  const path = member === undefined ? ['metadata'] : [member, 'metadata']
  const found = { namespace: '', name: '', uid: '', resourceVersion: '' }
  if (!path.every((each) => enter(cursor, each)) || !cursor.enter()) return found
  while (cursor.next()) {
    const name = names.find((each) => cursor.isNamed(each))
    if (name === undefined) cursor.passOver()
    else found[name] = plausibleText(cursor.value())
  }
  return found
}

/** Whether there is an object with such a member, whose value then follows. */
function enter(cursor: MemberCursor, member: string): boolean {
  if (!cursor.enter()) return false
  while (cursor.next()) {
    if (cursor.isNamed(member)) return true
    cursor.passOver()
  }
  return false
}

function plausibleText(value: unknown): string {
  return typeof value === 'string' && plausible.test(value) ? value : ''
}
