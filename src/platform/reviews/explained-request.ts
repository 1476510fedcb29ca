import type { Attributes, RequestTarget, UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { asMembers, asText } from '../../base/json/lenient.ts'
import { isJsonObject } from '../../base/json/member.ts'

type Members = Readonly<Record<string, unknown>>

/** The request that a question describes, as if the user had sent it. */
export function explainedRequest(spec: unknown, user: UserInfo): Attributes {
  const { resourceAttributes, nonResourceAttributes, target } = asMembers(spec)
  const where = isJsonObject(target) ? targetOf(target) : undefined
  const place = where === undefined ? {} : { target: where }
  if (isJsonObject(resourceAttributes) === isJsonObject(nonResourceAttributes)) {
    throw badRequest('spec: exactly one of resourceAttributes and nonResourceAttributes must be set')
  }
  if (isJsonObject(nonResourceAttributes)) return { user, ...pathOf(nonResourceAttributes), ...place }
  return { user, ...objectOf(asMembers(resourceAttributes)), ...place }
}

function pathOf({ path, verb }: Members) {
  const text = asText(path)
  if (!text.startsWith('/')) throw badRequest('spec.nonResourceAttributes.path: must begin with a slash')
  return { verb: asText(verb) || 'get', path: text }
}

function objectOf(attributes: Members) {
  const read = (field: string) => asText(attributes[field])
  for (const field of ['verb', 'resource']) {
    if (read(field) === '') throw badRequest(`spec.resourceAttributes.${field}: must be set`)
  }
  return {
    verb: read('verb'),
    group: read('group'),
    version: read('version') || 'v1',
    resource: read('resource'),
    subresource: read('subresource'),
    namespace: read('namespace'),
    name: read('name'),
  }
}

function targetOf(target: Members): RequestTarget | undefined {
  const [cluster, project] = [asText(target.cluster), asText(target.project)]
  const [space, virtualCluster] = [asText(target.space), asText(target.virtualCluster)]
  if (cluster !== '') return { kind: 'cluster', cluster }
  if (space === '' && virtualCluster === '') return undefined
  if (project === '') throw badRequest('spec.target.project: must be set with a space or virtual cluster')
  return virtualCluster === ''
    ? { kind: 'space', project, space }
    : { kind: 'virtual-cluster', project, virtualCluster }
}
