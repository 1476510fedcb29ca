import { asJson, asMembers } from '../../base/json/lenient.ts'

/** A connection key that is kept between two calls. Times are those of this machine. */
export interface KeptKey {
  readonly value: string
  readonly issuedMs: number
  readonly endMs: number
  /** Processes that received it, the latest last. */
  readonly callers: readonly number[]
}

const mostCallers = 100
const longestMarginMs = 30_000

/** From when on another key is requested: before the end, so that none expires in use. */
export function renewalMs(key: KeptKey): number {
  return key.endMs - marginMs(key)
}

function marginMs({ issuedMs, endMs }: KeptKey): number {
  return Math.min(longestMarginMs, (endMs - issuedMs) / 5)
}

/** Whether the key can be given to a process. If the clock was set back, it is unknown when the key ends. */
export function isUsableBy(key: KeptKey, caller: number, nowMs: number): boolean {
  return nowMs >= key.issuedMs && nowMs < renewalMs(key) && !isRefused(key, caller, nowMs)
}

/** Whether the key is better than none when the platform cannot be asked, unless a process reports that it was refused. */
export function isStillGood(key: KeptKey, caller: number, nowMs: number): boolean {
  return nowMs >= key.issuedMs && nowMs < key.endMs && !(nowMs < renewalMs(key) && isRefused(key, caller, nowMs))
}

/**
 * A process that has the key asks again because the server refused it. It may also have reread its kubeconfig, or be
 * another process with the same pid, as in containers: so a new key is not replaced for that.
 */
function isRefused(key: KeptKey, caller: number, nowMs: number): boolean {
  return key.callers.includes(caller) && nowMs >= key.issuedMs + marginMs(key)
}

export function givenTo(key: KeptKey, caller: number): KeptKey {
  const others = key.callers.filter((each) => each !== caller)
  return { ...key, callers: [...others, caller].slice(-mostCallers) }
}

export function printKeptKey(key: KeptKey): string {
  return `${JSON.stringify(key)}\n`
}

/** Undefined if it cannot be used: another one is requested then. */
export function readKeptKey(text: string): KeptKey | undefined {
  const { value, issuedMs, endMs, callers } = asMembers(asJson(text))
  if (typeof value !== 'string' || typeof issuedMs !== 'number' || typeof endMs !== 'number') return undefined
  return { value, issuedMs, endMs, callers: Array.isArray(callers) ? callers.map(Number) : [] }
}
