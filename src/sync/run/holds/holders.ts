import type { ObjectName } from '../../../patches/contract.ts'
import type { Pair, Reference } from '../../contract.ts'
import type { KindRules } from '../../plan/rules.ts'
import type { OtherKinds } from '../kind-parts.ts'

/**
 * The objects whose copies hold the copy of an object, in a namespace of the host that other tenants may share:
 * another object under its name there could belong to another tenant. Undefined: not known yet.
 */
export function holdersOf(
  name: ObjectName,
  { copy }: Pair,
  { kind, setting: { names }, hostOf }: KindRules,
  others: Pick<OtherKinds, 'holdersOf'>,
): readonly Reference[] | undefined {
  const mayBeShared = names.multiNamespace && names.mappingOf(name.namespace)?.isPattern !== true
  if (kind.staysWhileHeld !== true || !mayBeShared || copy === undefined) return []
  const place = hostOf(name)
  return place === undefined ? [] : others.holdersOf(place)
}
