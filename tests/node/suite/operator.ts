import { createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { issueAuthority, issueServer } from '../../../src/base/certificates/issue.ts'
import { systemRandom } from '../../../src/base/random.ts'
import { loadImage } from '../../support/clusters/real-node.ts'
import { askForShared } from '../../support/shared/ask-for-shared.ts'
import { ClusterClient } from '../../sync/support/cluster-client.ts'
import { pods } from '../../sync/support/objects.ts'
import { soon } from '../../sync/support/soon.ts'
import { accessIn } from '../../sync/support/tenant-on-host.ts'
import type { TenantOnNode } from '../support/tenant-on-node.ts'

const name = 'site-operator'
const namespace = 'operators'
const script = readFileSync(join(import.meta.dirname, '../support/site-operator.ts'), 'utf8')
const patienceMs = 240_000
const dayMs = 86_400_000

/** A controller of users with its own kinds and webhooks, which runs in a Pod of its virtual cluster. */
export function operatorInside(given: () => TenantOnNode): void {
  describe('an operator in a virtual cluster', () => {
    let tenant: TenantOnNode

    beforeAll(async () => {
      tenant = given()
      const image = await askForShared('image')
      const [certificate] = await Promise.all([issueFor(`${name}.${namespace}.svc`), loadImage(image.archive)])
      await tenant.inside('create -f -', list(operatorObjects(image.name, certificate)))
      await tenant.inside(`-n ${namespace} rollout status deployment/${name} --timeout=180s`)
      await tenant.inside('create -f -', list(webhooks(certificate.authority)))
    })

    it('defaults and refuses objects of its kind with webhooks in its Pod', async () => {
      await soon(() =>
        expect(tenant.inside('create -f -', site('large', 3))).rejects.toThrow('a site has at most 2 replicas'),
      )
      await tenant.inside('create -f -', site('small', 1))
      expect(await tenant.inside('get site small -o jsonpath={.spec.color}')).toBe('green')
    })

    it('creates the dependents of its kind with the token of its ServiceAccount, and writes the status', async () => {
      await soon(
        async () => expect(await tenant.inside('get site small -o jsonpath={.status.readyReplicas}')).toBe('1'),
        patienceMs,
      )
      expect(await copies('small')).toHaveLength(1)
    })

    it('has exactly the rights of its roles', async () => {
      const log = await tenant.inside(`-n ${namespace} logs deployment/${name}`)
      expect(log.split('\n')).toEqual(expect.arrayContaining(['listening', 'secrets of kube-system: 403']))
    })

    it('has no access to the host: the credentials in its Pod are for the virtual cluster only', async () => {
      const file = '/var/run/secrets/kubernetes.io/serviceaccount/token'
      const read = `node -p require("fs").readFileSync("${file}","utf8")`
      const token = (await tenant.inside(`-n ${namespace} exec deployment/${name} -- ${read}`)).trim()
      const path = '/apis/apps/v1/namespaces/default/deployments'
      const clients = [accessIn(tenant.syncer.kubeconfig), tenant.node].map(
        (access) => new ClusterClient({ ...access, token }),
      )
      const answers = await Promise.all(clients.map((client) => client.request('GET', path)))
      expect(answers.map(({ status }) => status)).toEqual([200, 401])
      await Promise.all(clients.map((client) => client.close()))
    })

    it('leaves nothing behind of a deleted object', async () => {
      await tenant.inside('delete site small --wait=false')
      await soon(async () => expect(await copies('small')).toEqual([]), patienceMs)
    })

    const copies = async (start: string) => {
      const all = await tenant.host.list(pods, tenant.hostNamespace)
      return all.filter(({ metadata }) => metadata.name.startsWith(`v-${start}-`))
    }
  })
}

const list = (items: readonly object[]) => ({ apiVersion: 'v1', kind: 'List', items })

function site(siteName: string, replicas: number) {
  return { apiVersion: 'example.com/v1', kind: 'Site', metadata: { name: siteName }, spec: { replicas } }
}

interface Certificate {
  readonly key: string
  readonly cert: string
  /** PEM in base64, as configurations have it. */
  readonly authority: string
}

async function issueFor(host: string): Promise<Certificate> {
  const validity = { notBeforeMs: Date.now() - dayMs, notAfterMs: Date.now() + dayMs }
  const authority = await issueAuthority('hooks', validity, systemRandom)
  const signer = { name: 'hooks', key: createPrivateKey(authority.key) }
  const { key, cert } = await issueServer([host], signer, validity, systemRandom)
  return { key, cert, authority: Buffer.from(authority.cert).toString('base64') }
}

function operatorObjects(image: string, { key, cert }: Certificate): readonly object[] {
  const labels = { app: name }
  const metadata = { name, namespace }
  const rbac = 'rbac.authorization.k8s.io/v1'
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const container = {
    name: 'main',
    image,
    command: ['node', '/operator/operator.mts'],
    readinessProbe: { tcpSocket: { port: 8443 }, periodSeconds: 1 },
    volumeMounts: [
      { name: 'script', mountPath: '/operator' },
      { name: 'certificate', mountPath: '/certificate' },
    ],
  }
  const volumes = [
    { name: 'script', configMap: { name } },
    { name: 'certificate', secret: { secretName: name } },
  ]
  const podSpec = { serviceAccountName: name, terminationGracePeriodSeconds: 0, containers: [container], volumes }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    definition,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    {
      apiVersion: rbac,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [
        { apiGroups: ['example.com'], resources: ['sites', 'sites/status'], verbs: ['list', 'watch', 'patch'] },
        { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'watch', 'create'] },
      ],
    },
    {
      apiVersion: rbac,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      subjects,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
    },
    { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'operator.mts': script } },
    {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'kubernetes.io/tls',
      metadata,
      stringData: { 'tls.key': key, 'tls.crt': cert },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: labels, ports: [{ port: 443, targetPort: 8443 }] },
    },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec } },
    },
  ]
}

const integer = { type: 'integer' }
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'sites.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'sites', singular: 'site', kind: 'Site', listKind: 'SiteList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: integer, color: { type: 'string' } } },
              status: { type: 'object', properties: { readyReplicas: integer } },
            },
          },
        },
      },
    ],
  },
}

function webhooks(caBundle: string): readonly object[] {
  const hook = (path: string) => ({
    name: `${path}.example.com`,
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    clientConfig: { caBundle, service: { namespace, name, path: `/${path}` } },
    rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['sites'] }],
  })
  const apiVersion = 'admissionregistration.k8s.io/v1'
  const metadata = { name }
  return [
    { apiVersion, kind: 'MutatingWebhookConfiguration', metadata, webhooks: [hook('mutate')] },
    { apiVersion, kind: 'ValidatingWebhookConfiguration', metadata, webhooks: [hook('validate')] },
  ]
}
