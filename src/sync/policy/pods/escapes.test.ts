import { describe, expect, it } from 'vitest'
import { rulesFor } from '../../../../tests/support/examples/worlds.ts'
import { componentKeys, type HostilePod, podEscapes, selectedLabels } from '../../../../tests/support/pod-escapes.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { tokenSecretName } from '../../companions/tokens/wanted-tokens.ts'
import type { Plan } from '../../contract.ts'
import { podsSync } from '../../kinds/pods/pods.ts'
import { selectedKey } from '../../names/host-labels.ts'
import { planObject } from '../../plan/plan.ts'

/** Attacks that a hostile tenant writes into a Pod, and their result on the way to the host. */

const rules = rulesFor(podsSync, 'Pod')
const { names } = rules.setting
const main = { name: 'main', image: 'app:1' }

const escapes = podEscapes(main)

function pod({ spec, metadata }: HostilePod): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'evil', namespace: 'shop', uid: 'u1', resourceVersion: '1', ...metadata },
    spec: { containers: [main], ...spec },
    status: {},
  }
}

async function planned(written: HostilePod): Promise<Plan> {
  return (await planObject({ virtual: pod(written), copy: undefined }, rules, { isWanted: true })).plan
}

async function copyFor(written: HostilePod): Promise<Pod> {
  const plan = await planned(written)
  if (plan.action !== 'create') throw new Error(`expected a copy, got ${JSON.stringify(plan)}`)
  return plan.host as Pod
}

describe('a Pod is refused that asks for', () => {
  it.each(escapes.held)('%s', async (_attempt, written) => {
    expect((await planned(written)).action).toBe('hold back')
  })
})

it('a claim by template is the copy of a virtual claim, which is checked separately', async () => {
  const source = { apiGroup: 'example.com', kind: 'Backup', name: 'of-others', namespace: 'elsewhere' }
  const volumeClaimTemplate = { spec: { storageClassName: 'of-the-host', dataSourceRef: source } }
  const { spec } = await copyFor({ spec: { volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate } }] } })
  const claimName = names.of('shop', 'evil-v').name
  expect(spec.volumes?.filter(({ name }) => name === 'v')).toEqual([
    { name: 'v', persistentVolumeClaim: { claimName } },
  ])
})

describe('a Pod is synced without', () => {
  it.each(escapes.dropped)('%s', async (_attempt, written, field) => {
    expect((await copyFor(written)).spec).not.toHaveProperty(field)
  })

  it.each(['token of the host', 'Services of the host'])('a %s', async () => {
    const { spec } = await copyFor({ spec: { automountServiceAccountToken: true, enableServiceLinks: true } })
    expect(spec).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false })
  })

  it('a node name that bypasses the scheduler', async () => {
    const { spec } = await copyFor({ spec: { nodeName: 'n1' } })
    const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
    expect(terms).toEqual([{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }])
  })

  it('the users of the node, if it asks for its own', async () => {
    expect((await copyFor({ spec: { hostUsers: false } })).spec).toMatchObject({ hostUsers: false })
  })

  it('a grace period of years', async () => {
    expect((await copyFor({ spec: { terminationGracePeriodSeconds: 315_360_000 } })).spec).toMatchObject({
      terminationGracePeriodSeconds: 3_600,
    })
  })

  it('owners, finalizers and a status', async () => {
    const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'n1', uid: 'x', controller: true }]
    const copy = await copyFor({ metadata: { ownerReferences, finalizers: ['a/b'], generateName: 'x-' } })
    for (const member of ['ownerReferences', 'finalizers', 'generateName']) {
      expect(copy.metadata).not.toHaveProperty(member)
    }
    expect(copy).not.toHaveProperty('status')
  })

  it.each(componentKeys)('what components of the host act on: %s', async (_what, key, value) => {
    const plan = await planned({ metadata: { annotations: { [key]: value }, labels: { [key]: 'x' } } })
    if (plan.action !== 'create') return expect(plan.action).toBe('hold back')
    expect(plan.host.metadata.annotations).not.toHaveProperty([key])
    expect(plan.host.metadata.labels).not.toHaveProperty([key])
  })

  it.each(selectedLabels)('labels that %s selects', async (_what, labels) => {
    const virtual = pod({ metadata: { labels } })
    const { plan, refusals } = await planObject({ virtual, copy: undefined }, rules, { isWanted: true })
    if (plan.action !== 'create') throw new Error(`expected a copy, got ${plan.action}`)
    const keys = Object.keys(plan.host.metadata.labels ?? {})
    expect(keys.filter((key) => !key.startsWith('tenant.internal/'))).toEqual([])
    expect(refusals).toEqual([])
  })

  it.each([
    ['another tenant', 'tenant.internal/managed-by', 'other', 'demo'],
    ['a tenant of another namespace', 'tenant.internal/tenant-namespace', 'elsewhere', 'tenants'],
    ['another namespace', 'tenant.internal/object-namespace', 'kube-system', 'shop'],
    ['labels of another Pod', selectedKey('app'), 'victim', undefined],
  ])('marks of %s', async (_whose, key, forged, expected) => {
    const { metadata } = await copyFor({ metadata: { labels: { [key]: forged }, annotations: { [key]: forged } } })
    expect(metadata.labels?.[key]).toBe(expected)
    expect(metadata.annotations?.[key]).not.toBe(forged)
  })
})

describe('the references of a Pod are its own, however they are spelled', () => {
  const hostNames = [
    'tenant-admin',
    'kube-root-ca.crt',
    names.of('shop', 'victim').name,
    names.of('other', 'victim').name,
    tokenSecretName(pod({ metadata: { name: 'victim' } }) as Pod, names),
    'victim/tokens',
    'victim/tokens/u1',
    'tokens/victim',
    '../other/victim',
    'other/victim',
  ]
  const ofOthers = new Set([
    ...hostNames,
    tokenSecretName(pod({ metadata: { name: 'victim' } }) as Pod, names),
    names.of('other', 'victim').name,
  ])

  it.each(escapes.places.flatMap(([place, write]) => hostNames.map((name) => [place, name, write(name)] as const)))(
    'in %s: %s',
    async (_place, name, written) => {
      const plan = await planned(written)
      if (plan.action === 'hold back') return
      if (plan.action !== 'create') throw new Error(`expected a copy, got ${plan.action}`)
      const text = JSON.stringify(plan.host.spec)
      for (const other of ofOthers) expect(text).not.toContain(`"${other}"`)
      expect(text).toContain(names.of('shop', name).name)
    },
  )
})
