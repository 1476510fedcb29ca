import type { Grant, ResourceGrant, ScopeEnvironment } from './grant.ts'
import { managementTarget } from './target-pattern.ts'

/** Every key may find out who it is, what it may do, and what the platform serves. */
export function alwaysGranted({ managementGroup }: ScopeEnvironment): readonly Grant[] {
  return [
    {
      form: 'path',
      entry: '',
      target: managementTarget,
      verbs: new Set(['get']),
      paths: [
        { form: 'exact', path: '/' },
        ...openPaths.flatMap((path) => [
          { form: 'exact' as const, path },
          { form: 'below' as const, path: `${path}/` },
        ]),
      ],
    },
    objects(managementGroup, ['selves'], ['create', 'get', 'list']),
    objects('authentication.k8s.io', ['selfsubjectreviews'], ['create']),
    objects('authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
  ]
}

const openPaths = ['/api', '/apis', '/openapi', '/version', '/healthz', '/livez', '/readyz']

function objects(group: string, resources: readonly string[], verbs: readonly string[]): ResourceGrant {
  return {
    form: 'resource',
    entry: '',
    target: managementTarget,
    verbs: new Set(verbs),
    groups: new Set([group]),
    resources: resources.map((parent) => ({ parent, child: '' })),
    names: undefined,
    namespaces: undefined,
    privilege: 'ordinary',
  }
}
