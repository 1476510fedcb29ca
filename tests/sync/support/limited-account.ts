import type { ClusterClient } from './cluster-client.ts'
import { type Collection, serviceAccounts } from './objects.ts'

const roles: Collection = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', plural: 'roles' }
const bindings: Collection = { ...roles, kind: 'RoleBinding', plural: 'rolebindings' }
const name = 'limited'

export interface LimitedAccount {
  readonly token: string
  /** Grants writing one more resource. */
  allow(resource: string): Promise<unknown>
}

/** A service account that may read everything in a namespace and write Endpoints and Services. */
export async function limitedAccount(client: ClusterClient, namespace: string): Promise<LimitedAccount> {
  await client.create(serviceAccounts, { metadata: { namespace, name } })
  await client.create(roles, { metadata: { namespace, name }, rules: rulesFor(['endpoints', 'services']) })
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name }
  const subjects = [{ kind: 'ServiceAccount', namespace, name }]
  await client.create(bindings, { metadata: { namespace, name }, roleRef, subjects })
  return {
    token: await tokenOf(client, namespace),
    allow: (resource) => client.patch(roles, namespace, name, { rules: rulesFor(['endpoints', 'services', resource]) }),
  }
}

function rulesFor(writable: readonly string[]) {
  return [
    { apiGroups: ['*'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
    { apiGroups: ['', 'discovery.k8s.io'], resources: [...writable, 'endpoints/restricted'], verbs: ['*'] },
  ]
}

async function tokenOf(client: ClusterClient, namespace: string): Promise<string> {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} }
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`
  const answer = await client.request('POST', path, body)
  const { status } = Object(answer.body)
  if (typeof status?.token !== 'string') throw new Error(`no token: ${answer.status} ${JSON.stringify(answer.body)}`)
  return status.token
}
