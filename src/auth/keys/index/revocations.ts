import { getEventListeners, setMaxListeners } from 'node:events'
import type { RevocationReason } from '../contract.ts'

const texts: Readonly<Record<RevocationReason, string>> = {
  disabled: 'The access key has been disabled.',
  deleted: 'The access key has been deleted.',
  expired: 'The access key has expired.',
  'scope-changed': 'The scope of the access key has changed.',
  'owner-changed': 'The access key now acts for another owner, or with other groups.',
  'owner-locked': 'The owner of the access key has been locked.',
  'owner-gone': 'The owner of the access key has been removed.',
  'value-replaced': 'The access key has been replaced by a new value.',
}

/** The key may be valid, but this server cannot tell. */
export class KeysUnconfirmed extends Error {
  constructor() {
    super('This replica cannot confirm that its access keys are up to date.')
    this.name = 'KeysUnconfirmed'
  }
}

/** A signal of a key that ended on its own, whose connections may continue. */
interface LeftOpen {
  readonly signal: AbortSignal
  readonly sinceMs: number
}

/** By then, requests that were accepted before the end of their key have begun to listen. */
const graceMs = 10 * 60_000

/** Signals that abort when a value of a key becomes void. Only values that `signal` was called for have one. */
export class Revocations {
  readonly #controllers = new Map<string, Map<string, AbortController>>()
  /** For each signal, the function that stops following the signal of the key it was made with. */
  readonly #unfollow = new WeakMap<AbortSignal, () => void>()
  /** Oldest first. */
  readonly #left = new Set<LeftOpen>()

  /** `endsWith`: the signal of the key that this one was made with. */
  signal(uid: string, keyId: string, endsWith?: AbortSignal): AbortSignal {
    const known = this.#controllers.get(uid)?.get(keyId)
    if (known !== undefined) return known.signal
    const controller = newController()
    const ofKey = this.#controllers.get(uid) ?? new Map<string, AbortController>()
    this.#controllers.set(uid, ofKey.set(keyId, controller))
    if (endsWith !== undefined) this.#end(controller, endsWith, () => this.#drop(uid, keyId, controller))
    return controller.signal
  }

  /**
   * One listener per key: with `AbortSignal.any` per request, the signal of a long-lived key would never release them.
   */
  #end(controller: AbortController, endsWith: AbortSignal, drop: () => void): void {
    const end = () => {
      drop()
      controller.abort(endsWith.reason)
    }
    const unfollow = () => endsWith.removeEventListener('abort', end)
    endsWith.addEventListener('abort', end, { once: true })
    controller.signal.addEventListener('abort', unfollow, { once: true })
    this.#unfollow.set(controller.signal, unfollow)
  }

  /** The key may become valid again, and then gets a new signal. */
  #drop(uid: string, keyId: string, controller: AbortController): void {
    const ofKey = this.#controllers.get(uid)
    if (ofKey?.get(keyId) !== controller) return
    ofKey.delete(keyId)
    if (ofKey.size === 0) this.#controllers.delete(uid)
  }

  /** Whether no requested signal can still abort. */
  get isEmpty(): boolean {
    return this.#controllers.size === 0
  }

  /** Keys whose signals have been requested. */
  uids(): Iterable<string> {
    return [...this.#controllers.keys()]
  }

  revokeKey(uid: string, reason: RevocationReason): void {
    const ofKey = this.#controllers.get(uid)
    this.#controllers.delete(uid)
    for (const controller of ofKey?.values() ?? []) controller.abort(new Error(texts[reason]))
  }

  /** Connections of the key continue, and the key no longer cuts them. They end with the key it was made with. */
  forget(uid: string, nowMs: number): void {
    const ofKey = this.#controllers.get(uid)
    this.#controllers.delete(uid)
    for (const { signal } of ofKey?.values() ?? []) this.#left.add({ signal, sinceMs: nowMs })
    this.#unfollowUnused(nowMs)
  }

  /** Otherwise, a long-lived key would keep a listener for each key that was ever made with it. */
  #unfollowUnused(nowMs: number): void {
    for (const left of this.#left) {
      if (nowMs - left.sinceMs < graceMs) return
      this.#left.delete(left)
      if (hasListeners(left.signal)) this.#left.add({ signal: left.signal, sinceMs: nowMs })
      else this.#unfollow.get(left.signal)?.()
    }
  }

  /** Cuts the connections of all keys. */
  cutAll(why: Error): void {
    const all = [...this.#controllers.values()]
    this.#controllers.clear()
    for (const ofKey of all) for (const controller of ofKey.values()) controller.abort(why)
  }

  revokeValue(uid: string, keyId: string, reason: RevocationReason): void {
    const ofKey = this.#controllers.get(uid)
    const controller = ofKey?.get(keyId)
    ofKey?.delete(keyId)
    if (ofKey?.size === 0) this.#controllers.delete(uid)
    controller?.abort(new Error(texts[reason]))
  }
}

/** Whether the signal would cut any connection: one of its listeners is our own. */
function hasListeners(signal: AbortSignal): boolean {
  return !signal.aborted && getEventListeners(signal, 'abort').length > 1
}

/** Every watch of the key adds a listener. */
function newController(): AbortController {
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  return controller
}
