import { type Access, reviewAccess, rightsAskedEveryMs } from '../api/access-review.ts'
import { type KubeObject, nameOf } from '../api/objects.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { useManagement } from '../session/session-context.tsx'
import type { ResourceKind } from './requests.ts'

/** An action that a user may want on objects of the platform. */
export interface Right {
  readonly verb: 'create' | 'update' | 'patch' | 'delete'
  readonly kind: ResourceKind
  /** Absent: it does not concern one object. */
  readonly object?: KubeObject
}

/**
 * Whether the user has the right: only allowed actions are offered. Undefined until it is known. Requested once for
 * equal questions, and again after a while.
 */
export function useRight({ verb, kind, object }: Right): Access | undefined {
  const { group } = useManagement()
  const { namespace = '' } = object?.metadata ?? {}
  const name = object === undefined ? '' : nameOf(object)
  const resourceAttributes = { verb, group, version: 'v1', resource: kind.plural, namespace, name }
  const asked = useAsked({
    queryKey: ['right', resourceAttributes],
    queryFn: () => reviewAccess('', { resourceAttributes }),
    staleTime: rightsAskedEveryMs,
    refetchInterval: rightsAskedEveryMs,
    retry: false,
  })
  return asked.state === 'known' ? asked.value : undefined
}

/** The text shown instead of the action. Empty: the action is allowed, or not known yet. */
export function refusalOf(access: Access | undefined): string {
  if (access === undefined || access.isAllowed) return ''
  return access.reason === '' ? 'your role does not include this' : access.reason
}
