import { asJson, asMembers } from '../../base/json/lenient.ts'

/** A connection key as it is kept between two calls. Times are those of this machine. */
export interface KeptKey {
  readonly value: string
  readonly issuedMs: number
  readonly endMs: number
  /** Processes that were given it, the latest last. */
  readonly callers: readonly number[]
}

const mostCallers = 100
const longestMarginMs = 30_000

/** From when on another key is asked for: in time before the end, so that none ends on its way. */
export function renewalMs(key: KeptKey): number {
  return key.endMs - marginMs(key)
}

function marginMs({ issuedMs, endMs }: KeptKey): number {
  return Math.min(longestMarginMs, (endMs - issuedMs) / 5)
}

/** Whether the key can be given to a process. If the clock has been set back, it cannot be told when the key ends. */
export function isGoodFor(key: KeptKey, caller: number, nowMs: number): boolean {
  return nowMs >= key.issuedMs && nowMs < renewalMs(key) && !isRefused(key, caller, nowMs)
}

/** Whether it is better than none, when the platform cannot be asked: unless a process says that it was refused. */
export function isStillGood(key: KeptKey, caller: number, nowMs: number): boolean {
  return nowMs >= key.issuedMs && nowMs < key.endMs && !(nowMs < renewalMs(key) && isRefused(key, caller, nowMs))
}

/**
 * A process that has the key asks again because the server refused it. Or because it reads its kubeconfig again, or is
 * another one by the same number, as in containers: so a key that is new is not replaced for that.
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

/** Undefined for what cannot be used: there will be another one. */
export function readKeptKey(text: string): KeptKey | undefined {
  const { value, issuedMs, endMs, callers } = asMembers(asJson(text))
  if (typeof value !== 'string' || typeof issuedMs !== 'number' || typeof endMs !== 'number') return undefined
  return { value, issuedMs, endMs, callers: Array.isArray(callers) ? callers.map(Number) : [] }
}
