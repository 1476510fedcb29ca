import type { KubeObject } from '../../src/api/object.ts'
import { objectAt, objectsAt, textAt, textMapAt, textsAt } from '../../src/auth/member.ts'

/** The kind, name and labels of a role or binding, then one line for each rule, or the subjects of the role. */
export function policyLines(object: KubeObject): readonly string[] {
  return [titleOf(object), ...(objectAt(object, 'roleRef') === undefined ? roleLines(object) : [bindingLine(object)])]
}

function titleOf({ kind, metadata }: KubeObject): string {
  const labels = Object.keys(metadata.labels ?? {}).filter((label) => label !== 'kubernetes.io/bootstrapping')
  return [kind, placed(metadata.namespace ?? '', metadata.name ?? ''), ...labels].join(' ')
}

function roleLines(role: KubeObject): readonly string[] {
  const aggregation = objectAt(role, 'aggregationRule')
  if (aggregation === undefined) return objectsAt(role, 'rules').map(ruleLine)
  const labels = objectsAt(aggregation, 'clusterRoleSelectors').flatMap((each) =>
    Object.keys(textMapAt(each, 'matchLabels')),
  )
  return [`sum of ${labels.join(' ')}`]
}

function ruleLine(rule: object): string {
  const groups = textsAt(rule, 'apiGroups').map((group) => (group === '' ? 'core' : group))
  const lists = [
    textsAt(rule, 'verbs'),
    textsAt(rule, 'nonResourceURLs'),
    groups,
    textsAt(rule, 'resources'),
    textsAt(rule, 'resourceNames'),
  ]
  return lists
    .filter((list) => list.length > 0)
    .map((list) => list.join(' '))
    .join(' | ')
}

function bindingLine(binding: KubeObject): string {
  const role = objectAt(binding, 'roleRef') ?? {}
  const subjects = objectsAt(binding, 'subjects').map(
    (each) => `${textAt(each, 'kind')} ${placed(textAt(each, 'namespace') ?? '', textAt(each, 'name') ?? '')}`,
  )
  return `${textAt(role, 'kind')} ${textAt(role, 'name')} to ${subjects.join(', ') || 'none'}`
}

function placed(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}
