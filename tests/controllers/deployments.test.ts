import { describe, expect, it } from 'vitest'
import type { ReplicaSet } from '../../src/api/types/apps-v1.ts'
import { NamespaceTerminator } from '../../src/registry/controllers/namespace-terminator.ts'
import { documentsIn } from '../../src/registry/documents-in.ts'
import { eventually } from '../support/eventually.ts'
import { namespaceNamed, writeRequest } from '../support/registry.ts'
import {
  deploymentOf,
  elsewhere,
  foreignOwner,
  imageChange,
  imageOf,
  isReady,
  place,
  replicaSetOf,
  template,
  useWorkloads,
} from './workload-world.ts'

const w = useWorkloads()
const { create, merge, deploymentNow, messages, objects, names, contextOf, readyUntilComplete } = w

describe('a Deployment', () => {
  it('creates no ReplicaSet that its selector does not match, and reports it', async () => {
    const labels = { app: 'web', 'pod-template-hash': 'x' }
    const { spec, ...rest } = deploymentOf(1, 'v1')
    const selecting = { selector: { matchLabels: labels }, template: { ...template, metadata: { labels } } }
    await create('deployments', { ...rest, spec: { ...Object(spec), ...selecting } })
    await eventually(() =>
      expect(messages('ReplicaSetCreateError')).toContainEqual(
        expect.stringContaining('spec.selector does not select'),
      ),
    )
    expect(names('apps', 'ReplicaSet')).toEqual([])
    expect(deploymentNow().status.collisionCount).toBeUndefined()
  })

  it('rolls out, and never has too many Pods or too few available ones', async () => {
    await create('deployments', deploymentOf(4, 'v1'))
    await readyUntilComplete(1)
    const counts = { most: 0, fewest: 4 }
    contextOf('', 'Pod').cache.listen(() => {
      const living = objects('', 'Pod')
      counts.most = Math.max(counts.most, living.length)
      counts.fewest = Math.min(counts.fewest, living.filter(isReady).length)
    })
    await merge('deployments', 'web', imageChange('v2'))
    // While no new Pod is ready, it goes as far as it may.
    await eventually(() => expect(counts).toEqual({ most: 5, fewest: 3 }))
    await readyUntilComplete(2)
    expect(counts).toEqual({ most: 5, fewest: 3 })
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2', 'v2', 'v2'])
  })

  it('in a deleted namespace is not reconciled for each of its Pods', async () => {
    await create('deployments', deploymentOf(200, 'v1'))
    await eventually(() => expect(deploymentNow().status.replicas).toBe(200))
    let statuses = 0
    contextOf('apps', 'ReplicaSet').cache.listen(() => {
      statuses++
    })
    const terminator = new NamespaceTerminator(w.world.registry, contextOf('', 'Namespace'), w.reportFailure)
    await w.world.resource('namespaces').delete({ namespace: '', name: place }, { dryRun: false }, writeRequest())
    await eventually(() => expect(names('', 'Pod')).toEqual([]))
    await terminator.stop()
    expect(statuses).toBeLessThan(100)
  })

  it('does not adopt a ReplicaSet of another namespace', async () => {
    await create('namespaces', namespaceNamed(elsewhere))
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status.updatedReplicas).toBe(1))
    const [own] = objects('apps', 'ReplicaSet') as readonly ReplicaSet[]
    const { labels = {} } = own?.metadata ?? {}
    const ownerReferences = [foreignOwner(deploymentNow())]
    const metadata = { name: 'next', namespace: elsewhere, labels, ownerReferences }
    const next = { ...template.spec, containers: [{ name: 'c', image: 'v2' }] }
    await create('replicasets', {
      ...replicaSetOf(0),
      metadata,
      spec: { replicas: 0, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: next } },
    })
    await merge('deployments', 'web', imageChange('v2'))
    await readyUntilComplete(2)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2'])
    const [foreign] = documentsIn(contextOf('apps', 'ReplicaSet'), elsewhere)
    expect(foreign?.object).toMatchObject({ metadata: { generation: 1, ownerReferences }, spec: { replicas: 0 } })
  })

  it('retries if a name was taken a moment ago and is free again', async () => {
    w.rules.collisions = 1
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status.updatedReplicas).toBe(1))
    expect([w.rules.collisions, deploymentNow().status.collisionCount]).toEqual([0, undefined])
  })

  it('with Recreate has no Pod of the new template while an old one exists', async () => {
    const recreated = { spec: { strategy: { type: 'Recreate', rollingUpdate: null } } }
    await create('deployments', deploymentOf(2, 'v1'))
    await readyUntilComplete(1)
    await merge('deployments', 'web', recreated)
    await eventually(() => expect(deploymentNow().status.observedGeneration).toBe(2))
    const together: unknown[] = []
    contextOf('', 'Pod').cache.listen(() => together.push(new Set(objects('', 'Pod').map(imageOf)).size))
    await merge('deployments', 'web', imageChange('v2'))
    await readyUntilComplete(3)
    expect(together).not.toContain(2)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2'])
  })

  it('that is paused is scaled but does not roll out until it is resumed', async () => {
    await create('deployments', deploymentOf(1, 'v1'))
    await readyUntilComplete(1)
    await merge('deployments', 'web', { spec: { paused: true, replicas: 2, ...imageChange('v2').spec } })
    await eventually(() => expect(objects('', 'Pod').map(imageOf)).toEqual(['v1', 'v1']))
    await merge('deployments', 'web', { spec: { paused: false } })
    await readyUntilComplete(3)
    expect(objects('', 'Pod').map(imageOf)).toEqual(['v2', 'v2'])
  })

  it('uses another name for its ReplicaSet if the name is taken', async () => {
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(names('apps', 'ReplicaSet')).toHaveLength(1))
    const [taken = ''] = names('apps', 'ReplicaSet')
    await w.workloads.stop()
    await w.world.resource('deployments').delete({ namespace: place, name: 'web' }, { dryRun: false }, writeRequest())
    await merge('replicasets', taken, { metadata: { ownerReferences: null, labels: { app: 'else' } } })
    w.start()
    await create('deployments', deploymentOf(1, 'v1'))
    await eventually(() => expect(deploymentNow().status).toMatchObject({ collisionCount: 1, updatedReplicas: 1 }))
    expect(names('apps', 'ReplicaSet')).toHaveLength(2)
  })
})
