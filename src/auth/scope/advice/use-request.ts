import type { Attributes, RequestTarget, UserInfo } from '../../../api/access.ts'
import type { KeyUse } from '../../keys/contract.ts'

/** A scope does not depend on the user. */
const anyUser: UserInfo = { name: '', groups: [] }

/** The request that a use records. */
export function recordedRequest({ verb, group, resource, namespace, name, path, target }: KeyUse): Attributes {
  const common = { user: anyUser, verb, target: targetOfText(target) ?? { kind: 'management' } }
  if (resource === '') return { ...common, path }
  const [parent = '', ...below] = resource.split('/')
  return { ...common, group, version: 'v1', resource: parent, subresource: below.join('/'), namespace, name }
}

/** Undefined: anywhere. */
export function targetOfText(text: string): RequestTarget | undefined {
  const [kind, first = '', object, last = ''] = text.split('/')
  if (kind === 'management') return { kind }
  if (kind === 'cluster') return { kind, cluster: first }
  if (object === 'space') return { kind: object, project: first, space: last }
  return object === 'virtualcluster' ? { kind: 'virtual-cluster', project: first, virtualCluster: last } : undefined
}
