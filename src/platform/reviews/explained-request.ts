import type { Attributes, RequestTarget, UserInfo } from '../../api/access.ts'
import { badRequest } from '../../api/error.ts'
import { isJsonObject } from '../../base/json/member.ts'

type Members = Readonly<Record<string, unknown>>

/** The request that a question is about, as if the user had sent it. */
export function explainedRequest(spec: unknown, user: UserInfo): Attributes {
  const { resourceAttributes, nonResourceAttributes, target } = isJsonObject(spec) ? spec : {}
  const where = isJsonObject(target) ? targetOf(target) : undefined
  const place = where === undefined ? {} : { target: where }
  if (isJsonObject(resourceAttributes) === isJsonObject(nonResourceAttributes)) {
    throw badRequest('spec: exactly one of resourceAttributes and nonResourceAttributes has to be given')
  }
  if (isJsonObject(nonResourceAttributes)) return { user, ...pathOf(nonResourceAttributes), ...place }
  return { user, ...objectOf(isJsonObject(resourceAttributes) ? resourceAttributes : {}), ...place }
}

function pathOf({ path, verb }: Members) {
  const text = textOf(path)
  if (!text.startsWith('/')) throw badRequest('spec.nonResourceAttributes.path: must begin with a slash')
  return { verb: textOf(verb) || 'get', path: text }
}

function objectOf(attributes: Members) {
  const read = (field: string) => textOf(attributes[field])
  for (const field of ['verb', 'resource']) {
    if (read(field) === '') throw badRequest(`spec.resourceAttributes.${field}: has to be given`)
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
  const [cluster, project] = [textOf(target.cluster), textOf(target.project)]
  const [space, virtualCluster] = [textOf(target.space), textOf(target.virtualCluster)]
  if (cluster !== '') return { kind: 'cluster', cluster }
  if (space === '' && virtualCluster === '') return undefined
  if (project === '') throw badRequest('spec.target.project: has to be given with a space or virtual cluster')
  return virtualCluster === ''
    ? { kind: 'space', project, space }
    : { kind: 'virtual-cluster', project, virtualCluster }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
