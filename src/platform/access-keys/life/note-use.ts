import type { KeyIndex, KeyUse } from '../../../auth/keys/contract.ts'
import { targetText } from '../../../auth/keys/target-text.ts'
import type { AuditRecord } from '../../../server/contract.ts'

/** Remembers what a key was used for, so that somebody can propose a narrower scope for it. Refusals are no use. */
export function noteUse(index: KeyIndex, record: AuditRecord): void {
  const { credential } = record.user
  if (credential === undefined || !record.isAuthorized) return
  index.recordUse(credential.keyUid, keyUseOf(record), record.finishedAtMs)
}

function keyUseOf({ verb, objectRef, requestUri, target }: AuditRecord): KeyUse {
  const place = target === undefined ? 'management' : targetText(target)
  if (objectRef === undefined) {
    return { verb, group: '', resource: '', namespace: '', name: '', path: pathOf(requestUri), target: place }
  }
  const { group, resource, subresource, namespace } = objectRef
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const name = place === 'management' ? objectRef.name : ''
  return { verb, group, resource: whole, namespace, name, path: '', target: place }
}

function pathOf(uri: string): string {
  const question = uri.indexOf('?')
  return question < 0 ? uri : uri.slice(0, question)
}
