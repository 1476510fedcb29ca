import type { KeyUse } from '../../../auth/keys/contract.ts'
import { anything } from '../../../auth/keys/fold-uses.ts'
import { targetText } from '../../../auth/keys/target-text.ts'
import type { AuditRecord } from '../../../server/contract.ts'

/** Nothing that exists has a longer name. */
const longestPart = 253

/** What a request was, as far as the record of a key's uses tells it. */
export function keyUseOf({ verb, objectRef, requestUri, target }: AuditRecord): KeyUse {
  const place = target === undefined ? 'management' : bounded(targetText(target), 3 * longestPart)
  if (objectRef === undefined) {
    return { verb, group: '', resource: '', namespace: '', name: '', path: pathOf(requestUri), target: place }
  }
  const { group, resource, subresource, namespace } = objectRef
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const name = place === 'management' ? objectRef.name : ''
  return {
    verb,
    group: bounded(group),
    resource: bounded(whole),
    namespace: bounded(namespace),
    name: bounded(name),
    path: '',
    target: place,
  }
}

function bounded(text: string, longest = longestPart): string {
  return text.length > longest ? anything : text
}

function pathOf(uri: string): string {
  const question = uri.indexOf('?')
  const path = question < 0 ? uri : uri.slice(0, question)
  return path.length > longestPart ? `/${anything}` : path
}
