import { describe, expect, it } from 'vitest'
import { changed, copyOf, planned, rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { lastSyncAnnotation } from '../../names/markers.ts'
import { printLastSync, readLastSync } from '../../plan/last-sync.ts'
import { podsSync } from './pods.ts'

const rules = rulesFor(podsSync, 'Pod')

function podOf(cpu: string, image = 'app:1'): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: { containers: [{ name: 'main', image, resources: { requests: { cpu } } }] },
    status: {},
  }
}

/** The copy on a host that added a container, and limits to the tenant's container. */
async function completedCopy(cpu = '100m'): Promise<Pod> {
  const copy = (await copyOf(podOf('100m'), rules)) as Pod
  const [main] = copy.spec.containers ?? []
  if (main === undefined) throw new Error('the copy has no container')
  const resources = { requests: { cpu }, limits: { cpu: '2' } }
  const proxy = { name: 'proxy', image: 'mesh:1', resources: { requests: { cpu: '10m' } } }
  return changed(copy, {}, { spec: { ...copy.spec, containers: [{ ...main, resources }, proxy] } }) as Pod
}

describe('a Pod that is resized', () => {
  it('is resized on the host, keeping other containers and additions of the host', async () => {
    const plan = await planned({ virtual: podOf('200m'), copy: await completedCopy() }, rules)
    expect(plan).toMatchObject({
      action: 'update',
      parts: [
        {
          subresource: 'resize',
          body: {
            spec: {
              containers: [
                { name: 'main', resources: { requests: { cpu: '200m' }, limits: { cpu: '2' } } },
                { name: 'proxy', resources: { requests: { cpu: '10m' } } },
              ],
            },
          },
        },
      ],
    })
    expect(plan).not.toHaveProperty('host')
  })

  it('is written once, even if the host changes the result', async () => {
    const copy = await completedCopy()
    const plan = await planned({ virtual: podOf('200m'), copy }, rules)
    const [part] = plan.action === 'update' ? (plan.parts ?? []) : []
    if (part?.lastSync === undefined) throw new Error('expected a resize')
    const noted = changed(copy, {
      annotations: { ...copy.metadata.annotations, [lastSyncAnnotation]: part.lastSync },
    })
    expect(await planned({ virtual: podOf('200m'), copy: noted }, rules)).toEqual({ action: 'nothing' })
    expect(await planned({ virtual: podOf('100m'), copy: noted }, rules)).toMatchObject({
      parts: [{ subresource: 'resize' }],
    })
  })

  it('is not one whose resources the host changed at creation', async () => {
    expect(await planned({ virtual: podOf('100m'), copy: await completedCopy('1m') }, rules)).toEqual({
      action: 'nothing',
    })
  })

  it('gets its image first, and does not count as resized because of that', async () => {
    const copy = await completedCopy()
    const plan = await planned({ virtual: podOf('200m', 'app:2'), copy }, rules)
    if (plan.action !== 'update' || plan.host === undefined) throw new Error('expected an update')
    expect(plan).not.toHaveProperty('parts')
    expect(readLastSync(plan.host).resources).toBe(readLastSync(copy).resources)
    expect((plan.host as Pod).spec.containers?.[0]?.resources).toEqual(copy.spec.containers?.[0]?.resources)
    expect(await planned({ virtual: podOf('200m', 'app:2'), copy: plan.host }, rules)).toMatchObject({
      parts: [{ subresource: 'resize' }],
    })
  })

  it('is unchanged if an older version created the copy, which did not note it', async () => {
    const copy = await completedCopy()
    const { resources: _, ...memory } = readLastSync(copy)
    const annotations = { ...copy.metadata.annotations, [lastSyncAnnotation]: printLastSync(memory) }
    expect(await planned({ virtual: podOf('200m'), copy: changed(copy, { annotations }) }, rules)).toEqual({
      action: 'nothing',
    })
  })
})
