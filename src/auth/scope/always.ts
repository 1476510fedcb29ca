import type { PathGrant, ResourceGrant, ScopeEnvironment, ScopeGrant } from './grant.ts'
import { managementTarget, type TargetPattern } from './target-pattern.ts'

/**
 * Every key may ask who it is, what it may do, and what the platform serves, and may make a key from itself that can do
 * less.
 */
export function alwaysGranted({ managementGroup }: ScopeEnvironment): readonly ScopeGrant[] {
  return [
    ...findingOut(managementTarget),
    objects(managementTarget, managementGroup, ['selves'], ['create', 'get', 'list']),
    objects(managementTarget, managementGroup, ['connectionkeys'], ['create']),
  ]
}

/** The same behind the platform: a key that reaches a cluster may ask what it serves and what the key may do there. */
export function alwaysGrantedBehind(grants: readonly ScopeGrant[]): readonly ScopeGrant[] {
  const targets = new Set(grants.map(({ target }) => target).filter(({ kind }) => kind !== 'management'))
  return [...targets].flatMap(findingOut)
}

function findingOut(target: TargetPattern): readonly ScopeGrant[] {
  return [
    discovery(target),
    objects(target, 'authentication.k8s.io', ['selfsubjectreviews'], ['create']),
    objects(target, 'authorization.k8s.io', ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'], ['create']),
  ]
}

const openPaths = ['/api', '/apis', '/openapi', '/version', '/healthz', '/livez', '/readyz']

function discovery(target: TargetPattern): PathGrant {
  return {
    form: 'path',
    entry: '',
    target,
    verbs: new Set(['get']),
    paths: [
      { form: 'exact', path: '/' },
      ...openPaths.flatMap((path) => [
        { form: 'exact' as const, path },
        { form: 'below' as const, path: `${path}/` },
      ]),
    ],
  }
}

function objects(
  target: TargetPattern,
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
): ResourceGrant {
  return {
    form: 'resource',
    entry: '',
    target,
    verbs: new Set(verbs),
    groups: new Set([group]),
    resources: resources.map((parent) => ({ parent, child: '' })),
    names: undefined,
    namespaces: undefined,
    privilege: 'ordinary',
  }
}
