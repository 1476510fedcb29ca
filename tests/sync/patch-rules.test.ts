import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findKubectls } from '../support/clusters/kubectl.ts'
import { type Kubectl, kubectlOn } from '../support/programs/kubectl.ts'
import { type Cluster, startCluster } from './support/clusters.ts'
import { endpoints, type Labels } from './support/objects.ts'
import { soon } from './support/soon.ts'
import { openStage, type Stage, type Tenant } from './support/stage.ts'

const [kubectl] = findKubectls()

interface Rule {
  readonly rule: string
  /** A patch of the annotation of the rule, unless it has its own path. */
  readonly patch: Readonly<Record<string, unknown>>
  readonly virtual: string
  readonly host: (tenant: Tenant) => string | undefined
  /** A later value on the host, and the resulting value in the virtual cluster. */
  readonly back?: readonly [onHost: string, onVirtual: string]
}

const namespace = 'default'

/** One line for each rule of expressions and references. */
const rules: readonly Rule[] = [
  {
    rule: 'expression on the way out, reverseExpression on the way back',
    patch: { expression: '"host-" + value', reverseExpression: 'value.slice(5)' },
    virtual: 'a',
    host: () => 'host-a',
    back: ['host-b', 'b'],
  },
  {
    rule: 'without expression nothing changes on the way out',
    patch: { reverseExpression: 'value + "!"' },
    virtual: 'a',
    host: () => 'a',
  },
  { rule: 'a constant is a quoted literal', patch: { expression: '"constant"' }, virtual: 'a', host: () => 'constant' },
  { rule: 'undefined removes the field', patch: { expression: 'undefined' }, virtual: 'a', host: () => undefined },
  {
    rule: 'ternaries and optional chaining',
    patch: { expression: 'value?.startsWith("a") ? "begins with a" : value?.no?.such ?? "does not"' },
    virtual: 'b',
    host: () => 'does not',
  },
  {
    rule: 'btoa and atob',
    patch: { expression: 'btoa(value)', reverseExpression: 'atob(value)' },
    virtual: 'plain text',
    host: () => Buffer.from('plain text').toString('base64'),
    back: [Buffer.from('other text').toString('base64'), 'other text'],
  },
  {
    rule: 'virtualToHostDNS',
    patch: { expression: 'virtualToHostDNS(value)' },
    virtual: 'web.shop.svc',
    host: (tenant) => `${tenant.hostName('shop', 'web')}.${tenant.hostNamespace}.svc.cluster.local`,
  },
  {
    rule: 'context.vcluster: name and namespace',
    patch: { expression: 'context.vcluster.name + " in " + context.vcluster.namespace' },
    virtual: 'a',
    host: (tenant) => `${tenant.name} in ${tenant.hostNamespace}`,
  },
  {
    rule: 'context.vcluster.config has the defaults',
    patch: { expression: 'String(context.vcluster.config.sync.toHost.services.enabled)' },
    virtual: 'a',
    host: () => 'true',
  },
  {
    rule: 'context.virtualObject and context.hostObject',
    patch: { expression: 'context.virtualObject.metadata.name + " " + typeof context.hostObject' },
    virtual: 'a',
    host: () => 'rules object',
  },
  {
    rule: 'context.path is the match at hand',
    patch: { expression: 'context.path' },
    virtual: 'a',
    host: () => `metadata.annotations["${keyOf('context.path is the match at hand')}"]`,
  },
  {
    rule: 'reference: the name is the one on the host',
    patch: { reference: { apiVersion: 'v1', kind: 'ConfigMap' } },
    virtual: 'settings',
    host: (tenant) => tenant.hostName(namespace, 'settings'),
  },
]

function keyOf(rule: string): string {
  return `rules.example.com/${rule.replaceAll(/[^a-zA-Z]+/g, '-').slice(0, 60)}`
}

const patches = [
  ...rules.map(({ rule, patch }) => ({ path: `metadata.annotations["${keyOf(rule)}"]`, ...patch })),
  { path: 'metadata.annotations["rules.example.com/absent"]', expression: '"set"' },
  { path: 'metadata.labels[*]', expression: '"h-" + value', reverseExpression: 'value.slice(2)' },
  { path: 'subsets[*].ports[*].name', expression: 'value + "-" + context.path.replace(/[^0-9]/g, "")' },
  {
    path: 'subsets[*].addresses[*].targetRef',
    reference: { apiVersion: 'v1', kind: 'Pod', kindPath: 'kind', namePath: 'name', namespacePath: 'namespace' },
  },
]

describe.skipIf(kubectl === undefined)(
  `each rule of patches, on running clusters${kubectl === undefined ? ' (no kubectl on this machine)' : ''}`,
  () => {
    let virtual: Cluster
    let host: Cluster
    let stage: Stage
    let tenant: Tenant
    let onVirtual: Kubectl
    let onHost: Kubectl

    beforeAll(async () => {
      ;[virtual, host] = await Promise.all([startCluster('embedded'), startCluster('embedded')])
      stage = openStage({ virtual: 'embedded', host: 'embedded' }, { virtual, host })
      const policies = { sync: { annotations: { allowed: ['rules.example.com/'] } } }
      tenant = await stage.newTenant({ config: { policies, sync: { toHost: { endpoints: { patches } } } } })
      onVirtual = kubectlOn(kubectl?.command ?? '', virtual.server.kubeconfig)
      onHost = kubectlOn(kubectl?.command ?? '', host.server.kubeconfig)
      const annotations = Object.fromEntries(rules.map(({ rule, virtual: value }) => [keyOf(rule), value]))
      await onVirtual('create -f -', {
        apiVersion: 'v1',
        kind: 'Endpoints',
        metadata: { name: 'rules', labels: { app: 'web', tier: 'front' }, annotations },
        subsets: [
          {
            addresses: [{ ip: '192.0.2.1', targetRef: { kind: 'Secret', namespace, name: 'credentials' } }],
            ports: [
              { name: 'http', port: 80 },
              { name: 'https', port: 443 },
            ],
          },
        ],
      })
      await soon(() => tenant.copy(endpoints, namespace, 'rules').then(() => undefined))
    })

    afterAll(async () => {
      await stage?.clear()
      await virtual?.remove()
      await host?.remove()
    })

    const read = async (run: Kubectl, words: string) => JSON.parse(await run(`${words} -o json`))
    const copyNow = () =>
      read(onHost, `-n ${tenant.hostNamespace} get endpoints ${tenant.hostName(namespace, 'rules')}`)
    const virtualNow = () => read(onVirtual, 'get endpoints rules')

    it.each(rules.map((each) => [each.rule, each] as const))(
      '%s',
      async (rule, { host: expected, virtual: value, back }) => {
        await soon(async () => expect(annotationsOf(await copyNow())[keyOf(rule)]).toBe(expected(tenant)))
        expect(annotationsOf(await virtualNow())[keyOf(rule)]).toBe(value)
        if (back === undefined) return
        const [changed, comesBack] = back
        await onHost(
          `-n ${tenant.hostNamespace} annotate --overwrite endpoints ${tenant.hostName(namespace, 'rules')} ${keyOf(rule)}=${changed}`,
        )
        await soon(async () => expect(annotationsOf(await virtualNow())[keyOf(rule)]).toBe(comesBack))
      },
    )

    it('a path that is not found is not applied', async () => {
      expect(annotationsOf(await copyNow())).not.toHaveProperty(['rules.example.com/absent'])
    })

    it('a wildcard selects every member of an object, and every element of arrays, each with its own path', async () => {
      const copy = await copyNow()
      expect(copy.metadata.labels).toMatchObject({ app: 'h-web', tier: 'h-front' })
      expect(copy.subsets[0].ports.map(({ name }: { name: string }) => name)).toEqual(['http-00', 'https-01'])
    })

    it('a reference in an object is found by its paths', async () => {
      const { targetRef } = (await copyNow()).subsets[0].addresses[0]
      expect(targetRef).toMatchObject({ kind: 'Secret', name: tenant.hostName(namespace, 'credentials') })
    })
  },
)

function annotationsOf(object: { readonly metadata: { readonly annotations?: Labels } }): Labels {
  return object.metadata.annotations ?? {}
}
