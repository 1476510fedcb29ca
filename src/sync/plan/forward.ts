import type { KubeObject } from '../../api/object.ts'
import type { ObjectName } from '../../patches/contract.ts'
import { type Patched, patched, translatedObject } from './patched.ts'
import type { KindRules } from './rules.ts'
import { travellingMaps } from './travelling.ts'

/** What the virtual object asks the host for. */
export function forward(
  virtual: KubeObject,
  copy: KubeObject | undefined,
  place: ObjectName,
  rules: KindRules,
): Promise<Patched> {
  const { kind, setting } = rules
  const translated = translatedObject(virtual, place, travellingMaps(virtual, kind), kind.toHost(virtual, setting))
  return patched(translated, 'toHost', { virtualObject: virtual, hostObject: copy ?? null }, rules)
}
