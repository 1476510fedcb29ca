import type { Pod } from '../../../api/types/core-v1.ts'
import { asMembers, asObjects, asText } from '../../../base/json/lenient.ts'
import type { ObjectName } from '../../../patches/contract.ts'
import type { Reference } from '../../contract.ts'
import { isEndedPod } from './ended.ts'
import { namedIn } from './pod-spec.ts'

/** The claims of the host that a copy uses, until it has ended. */
export function claimsHeldBy(copy: Pod): readonly ObjectName[] {
  if (isEndedPod(copy)) return []
  const { namespace = '' } = copy.metadata
  const names = asObjects(asMembers(copy.spec).volumes)
    .map(({ persistentVolumeClaim }) => asText(asMembers(persistentVolumeClaim).claimName))
    .filter((name) => name !== '')
  return [...new Set(names)].map((name) => ({ namespace, name }))
}

/** Kubernetes protects claims from deletion only while a Pod that uses them is on a node. */
export function claimsOfUnplaced(virtual: Pod, copy: Pod): readonly Reference[] {
  if (copy.spec?.nodeName || isEndedPod(copy)) return []
  return namedIn(virtual).filter(({ kind }) => kind === 'PersistentVolumeClaim')
}
