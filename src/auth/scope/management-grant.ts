import type { ResourceGrant } from './grant.ts'
import { managementTarget } from './target-pattern.ts'

type Limits = Pick<ResourceGrant, 'entry' | 'groups' | 'resources'> & Partial<ResourceGrant>

/** A grant for objects of the platform itself; absent fields limit nothing. */
export function managementGrant(limits: Limits): ResourceGrant {
  return {
    form: 'resource',
    target: managementTarget,
    verbs: undefined,
    names: undefined,
    namespaces: undefined,
    privilege: 'ordinary',
    ...limits,
  }
}
