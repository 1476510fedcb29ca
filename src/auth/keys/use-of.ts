import type { Attributes, RequestTarget } from '../../api/access.ts'
import type { KeyUse } from './contract.ts'

/** What a request was, for the record of what its key does. */
export function keyUseOf(attributes: Attributes): KeyUse {
  const { verb, target = { kind: 'management' } } = attributes
  const place = targetText(target)
  if ('path' in attributes) {
    return { verb, group: '', resource: '', namespace: '', name: '', path: attributes.path, target: place }
  }
  const { group, resource, subresource, namespace } = attributes
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  const name = target.kind === 'management' ? attributes.name : ''
  return { verb, group, resource: whole, namespace, name, path: '', target: place }
}

/** `management`, `cluster/C`, `project/P/space/S` or `project/P/virtualcluster/V`, as in the URL. */
export function targetText(target: RequestTarget): string {
  switch (target.kind) {
    case 'management':
      return 'management'
    case 'cluster':
      return `cluster/${target.cluster}`
    case 'space':
      return `project/${target.project}/space/${target.space}`
    case 'virtual-cluster':
      return `project/${target.project}/virtualcluster/${target.virtualCluster}`
  }
}
