import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import type { Trouble } from '../contract.ts'
import type { Refusal } from '../policy/contract.ts'
import { noticeOf } from '../policy/notice.ts'
import { type Patched, patched, translatedObject } from './patched.ts'
import type { KindRules } from './rules.ts'
import { travelingMaps } from './traveling.ts'

export type Forwarded =
  | (Patched & { readonly ok: true; readonly refusals: readonly Refusal[] })
  /**
   * `held`: the policy does not allow any of it for these reasons, so there must be no copy. Otherwise an existing copy
   * stays.
   */
  | { readonly ok: false; readonly trouble: Trouble; readonly held?: readonly Refusal[] }

/**
 * What the virtual object asks of the host: the fields of its kind, without what the policy refuses, then changed by
 * patches.
 */
export async function forward(
  virtual: KubeObject,
  copy: KubeObject | undefined,
  place: ObjectName,
  rules: KindRules,
): Promise<Forwarded> {
  const { kind, setting, policy } = rules
  const translated = translatedObject(virtual, place, travelingMaps(virtual, kind), kind.toHost(virtual, setting))
  const { object, refusals, isHeld } = policy.filter(translated, kind.companionNames?.(virtual, setting))
  const notice = isHeld ? noticeOf(refusals, isHeld) : undefined
  if (notice !== undefined) return { ok: false, trouble: notice, held: refusals }
  const outcome = await patched(object, 'toHost', { virtualObject: virtual, hostObject: copy ?? null }, rules)
  return outcome.ok ? { ...outcome, refusals } : outcome
}
