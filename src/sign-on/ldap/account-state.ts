import type { Entry } from 'ldapts'
import type { LdapConnector } from '../../api/types/management.ts'
import { entryText } from './entry.ts'

type Preset = NonNullable<LdapConnector['preset']>

/** Attributes that show, besides the password, whether an account is valid. */
export function accountAttributes(preset: Preset): readonly string[] {
  return preset === 'activeDirectory' ? ['userAccountControl', 'accountExpires'] : []
}

/** Why the account is no longer valid. A directory checks this with each password, but not in a search. */
export function accountProblem(entry: Entry, preset: Preset, nowMs: number): string | undefined {
  if (preset !== 'activeDirectory') return undefined
  if (isDisabled(entryText(entry, 'userAccountControl'))) return 'the account is disabled in the directory'
  return isOver(entryText(entry, 'accountExpires'), nowMs) ? 'the account has expired in the directory' : undefined
}

const disabledBit = 2

function isDisabled(control: string): boolean {
  return /^-?\d{1,10}$/.test(control) && (Number(control) & disabledBit) !== 0
}

const never: ReadonlySet<bigint> = new Set([0n, 0x7fff_ffff_ffff_ffffn])
/** Windows counts tenths of a microsecond from the year 1601. */
const ticksPerMs = 10_000n
const epochMs = 11_644_473_600_000n

function isOver(ticks: string, nowMs: number): boolean {
  if (!/^\d{1,19}$/.test(ticks)) return false
  const end = BigInt(ticks)
  return !never.has(end) && end / ticksPerMs - epochMs <= BigInt(nowMs)
}
