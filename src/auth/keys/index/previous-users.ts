import type { PreviousUser } from '../contract.ts'

const maxUsersPerKey = 32

/** Clients that still use the previous value, latest last; the one unseen for longest is forgotten first. */
export class PreviousUsers {
  readonly #users = new Map<string, Map<string, PreviousUser>>()

  note(uid: string, lastActivityMs: number, from: string, userAgent: string): void {
    const ofKey = this.#users.get(uid) ?? new Map<string, PreviousUser>()
    this.#users.set(uid, ofKey)
    const id = `${from}\n${userAgent}`
    ofKey.delete(id)
    ofKey.set(id, { from, userAgent, lastActivityMs })
    const [oldest] = ofKey.keys()
    if (ofKey.size > maxUsersPerKey && oldest !== undefined) ofKey.delete(oldest)
  }

  of(uid: string): readonly PreviousUser[] {
    return [...(this.#users.get(uid)?.values() ?? [])]
  }

  forget(uid: string): void {
    this.#users.delete(uid)
  }
}
