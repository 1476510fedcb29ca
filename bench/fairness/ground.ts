import { collectionPath, namespace } from '../config-map.ts'
import type { Subject } from '../contract.ts'
import { Api } from '../keys/served/api.ts'
import { createNamespace, fill } from '../scenarios/populate.ts'
import type { Ground } from './contract.ts'

export interface Prepared {
  readonly ground: Ground
  /** The key of the caller that must be served all the same. */
  readonly other: string
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const objects = 1_000

/** Two users who may work with the ConfigMaps of one namespace, a key for links, and a hostile host cluster. */
export async function prepare(
  subject: Subject,
  hostile: { readonly port: number; readonly authority: string },
): Promise<Prepared> {
  await createNamespace(subject)
  await fill(subject, 0, objects)
  const api = await Api.of(subject)
  try {
    await api.must('POST', `${rbac}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'weak' },
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['*'] },
        { apiGroups: ['management.platform.internal'], resources: ['patchevaluations'], verbs: ['create'] },
      ],
    })
    const [mallory, other] = [await newUser(api, 'mallory'), await newUser(api, 'other')]
    await api.createKey('mallory-spare', { user: 'mallory' })
    const tenantKey = await api.createKey('shared', { scope: { roles: [{ role: 'tenant' }] } })
    await registerHost(api, hostile)
    const { port, authority } = subject
    return { ground: { port, authority, key: mallory, keyName: 'mallory', tenantKey }, other }
  } finally {
    api.close()
  }
}

async function newUser(api: Api, name: string): Promise<string> {
  await api.create('User', 'users', { metadata: { name } })
  await api.must('POST', `${rbac}/clusterrolebindings`, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `weak-${name}` },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'weak' },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }],
  })
  return api.createKey(name, { user: name })
}

async function registerHost(
  api: Api,
  { port, authority }: { readonly port: number; readonly authority: string },
): Promise<void> {
  const config = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'a',
    clusters: [
      {
        name: 'a',
        cluster: {
          server: `https://127.0.0.1:${port}`,
          'certificate-authority-data': Buffer.from(authority).toString('base64'),
        },
      },
    ],
    users: [{ name: 'a', user: { token: 'x' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  })
  await api.must('POST', `/api/v1/namespaces/${namespace}/secrets`, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'hostile' },
    data: { config: Buffer.from(config).toString('base64') },
  })
  await api.create('Cluster', 'clusters', {
    metadata: { name: 'hostile' },
    spec: { config: { secretName: 'hostile', secretNamespace: namespace } },
  })
}

export const watched = `${collectionPath}/settings-000007`
