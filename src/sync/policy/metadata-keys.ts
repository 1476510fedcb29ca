import { isActedOn, isBookkeeping, isOfProcess, type KeyMap } from '../../api/host-controllers.ts'
import type { KeyPolicy } from '../../api/tenant-config/types.ts'

/** `noted`: dropped without a report. */
export type KeyVerdict = 'carried' | 'refused' | 'noted'

export type JudgeKey = (key: string, value: string) => KeyVerdict

export interface KeyRules {
  readonly map: KeyMap
  readonly policy: KeyPolicy
  /** Keys that a patch of the operator names. */
  readonly patched: ReadonlySet<string>
  /** Whether components of the host select these objects by any label, so that only named ones are allowed. */
  readonly selectsByAny: boolean
  /** Whether the copy has them under keys of the syncer, so that dropping them loses nothing. */
  readonly isKeptOtherwise?: boolean
}

const everything = '*'
const recommendedPrefix = 'app.kubernetes.io/'

export function keyCheck({ map, policy, patched, selectsByAny, isKeptOtherwise = false }: KeyRules): JudgeKey {
  const isAllowed = matcher(policy.allowed)
  const isDenied = matcher(policy.denied)
  const allowsAll = policy.allowed.includes(everything)
  const deniesAll = policy.denied.includes(everything)
  const isCarried = (key: string, value: string) => {
    if (isOfProcess(map, key, value) || isDenied(key) || deniesAll) return false
    if (isAllowed(key)) return true
    if (isActedOn(map, key, value)) return false
    return allowsAll || patched.has(key) || (!selectsByAny && isPlain(map, key))
  }
  const isNoLoss = (key: string) => isBookkeeping(key) || (isKeptOtherwise && isPlain(map, key))
  return (key, value) => (isCarried(key, value) ? 'carried' : isNoLoss(key) ? 'noted' : 'refused')
}

/** An annotation with a dot may begin with a domain: container runtimes name theirs like `io.katacontainers.config`. */
function isPlain(map: KeyMap, key: string): boolean {
  if (key.includes('/')) return key.startsWith(recommendedPrefix)
  return map === 'labels' || !key.includes('.')
}

/** Single keys, `example.com/` and `*.example.com/`. */
function matcher(entries: readonly string[]): (key: string) => boolean {
  const keys = new Set(entries.filter((entry) => !entry.endsWith('/')))
  const prefixes = entries.filter((entry) => entry.endsWith('/') && !entry.startsWith('*.'))
  const below = entries.filter((entry) => entry.endsWith('/') && entry.startsWith('*.')).map((entry) => entry.slice(1))
  return (key) => {
    if (keys.has(key) || prefixes.some((prefix) => key.startsWith(prefix))) return true
    const prefix = key.slice(0, key.indexOf('/') + 1)
    return below.some((domain) => prefix.length > domain.length && prefix.endsWith(domain))
  }
}
