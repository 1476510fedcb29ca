import type { ResourceAttributes, UserInfo } from '../../../api/access.ts'
import type { Authorizer } from '../../../auth/contract.ts'
import type { ReviewContext } from '../../../server/reviews/contract.ts'
import type { StaleSecret } from '../../managed-secrets/managed-secrets.ts'

const mostNamed = 20

/** Tells which Secrets a rotation could not rewrite. Those that the caller may not read are only counted. */
export async function warnOfStaleSecrets(
  { user, warn }: ReviewContext,
  stale: readonly StaleSecret[],
  authorizer: Authorizer,
): Promise<void> {
  if (stale.length === 0) return
  const decisions = await Promise.all(stale.map((secret) => authorizer.authorize(reading(secret, user))))
  const named = stale.filter((_, position) => decisions[position]?.verdict === 'allow').slice(0, mostNamed)
  const others = stale.length - named.length
  const all = [...named.map(placeText), ...(others === 0 ? [] : [`${others} more that are not named here`])]
  warn(`not rewritten, so that the value before may still be there: ${all.join(', ')}`)
}

function reading({ cluster, namespace, name }: StaleSecret, user: UserInfo): ResourceAttributes {
  return {
    ...{ user, verb: 'get', group: '', version: 'v1', resource: 'secrets', subresource: '', namespace, name },
    ...(cluster === undefined ? {} : { target: { kind: 'cluster', cluster } }),
  }
}

function placeText({ cluster, namespace, name }: StaleSecret): string {
  if (name === '') return `Secrets of cluster ${cluster}, which was not reached`
  return `Secret ${namespace}/${name}${cluster === undefined ? '' : ` of cluster ${cluster}`}`
}
