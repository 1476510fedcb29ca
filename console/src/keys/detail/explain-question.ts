/** A request as the user describes it in a form. */
export interface ExplainQuestion {
  readonly target: (typeof targets)[number][0]
  readonly project: string
  readonly targetName: string
  readonly verb: (typeof verbs)[number][0]
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}

export const targets = [
  ['management', 'The platform itself'],
  ['virtualCluster', 'A virtual cluster'],
  ['space', 'A space'],
  ['cluster', 'A host cluster'],
] as const

export const verbs = [
  ['get', 'get'],
  ['list', 'list'],
  ['watch', 'watch'],
  ['create', 'create'],
  ['update', 'update'],
  ['patch', 'patch'],
  ['delete', 'delete'],
  ['use', 'use'],
  ['impersonate', 'impersonate'],
] as const

export const emptyQuestion: ExplainQuestion = {
  target: 'management',
  project: '',
  targetName: '',
  verb: 'get',
  group: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
}

/** The question in the form of the API. */
export function questionSpec(question: ExplainQuestion): object {
  const { target, project, targetName, verb, group, resource, subresource, namespace, name } = question
  const place = target === 'cluster' ? { cluster: targetName } : { project, [target]: targetName }
  return {
    resourceAttributes: { verb, group, resource, subresource, namespace, name },
    ...(target === 'management' ? {} : { target: place }),
  }
}
