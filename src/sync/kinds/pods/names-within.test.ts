import { describe, expect, it } from 'vitest'
import { changed, copyOf, planned, rulesFor } from '../../../../tests/support/examples/worlds.ts'
import type { KubeObject } from '../../../api/object.ts'
import type { Pod } from '../../../api/types/core-v1.ts'
import { lastSyncAnnotation } from '../../names/markers.ts'
import { namesWithin } from './names-within.ts'
import { podsSync } from './pods.ts'

/**
 * The tenant's own server shows other containers and volumes in a running Pod, with the names of those that the host
 * added.
 */

const rules = rulesFor(podsSync, 'Pod')
const main = { name: 'main', image: 'app:1', resources: {} }
const data = { name: 'data', secret: { secretName: 'own' } }

function podWith(fields: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u1', resourceVersion: '1' },
    spec: { containers: [main], volumes: [data], ...fields },
    status: {},
  }
}

async function completedCopy(): Promise<Pod> {
  const copy = (await copyOf(podWith(), rules)) as Pod
  const spec = {
    ...copy.spec,
    containers: [...(copy.spec.containers ?? []), { name: 'proxy', image: 'mesh:1', resources: {} }],
    initContainers: [{ name: 'set-up', image: 'mesh:1', securityContext: { privileged: true }, resources: {} }],
    volumes: [...(copy.spec.volumes ?? []), { name: 'host-token', emptyDir: {} }],
  }
  return changed(copy, {}, { spec }) as Pod
}

const proxy = { name: 'proxy', image: 'evil:1', resources: {} }
const shell = { name: 'shell', image: 'busybox:1', resources: {} }

describe('the copy of a Pod', () => {
  it.each<[string, object]>([
    ['the image of a container of the host', { containers: [main, proxy] }],
    ['the image of an init container of the host', { initContainers: [{ ...proxy, name: 'set-up' }] }],
    [
      'the resources of a container of the host',
      { containers: [main, { ...proxy, resources: { limits: { cpu: '9' } } }] },
    ],
    [
      'a volume of the host for debugging',
      {
        volumes: [data, { name: 'host-token', emptyDir: {} }],
        ephemeralContainers: [{ ...shell, volumeMounts: [{ name: 'host-token', mountPath: '/x' }] }],
      },
    ],
    [
      'the processes of a container of the host',
      { containers: [main, proxy], ephemeralContainers: [{ ...shell, targetContainerName: 'proxy' }] },
    ],
    ['another Secret under the same volume', { volumes: [{ name: 'data', emptyDir: {} }] }],
  ])('is not given %s', async (_what, fields) => {
    const plan = await planned({ virtual: podWith(fields), copy: await completedCopy() }, rules)
    expect(plan).toMatchObject({ action: 'fail', trouble: { reason: 'ShownAnew' } })
  })

  it('gets changed images and ephemeral containers', async () => {
    const copy = await completedCopy()
    const newer = podWith({ containers: [{ ...main, image: 'app:2' }] })
    expect(await planned({ virtual: newer, copy }, rules)).toMatchObject({
      action: 'update',
      host: {
        spec: {
          containers: [
            { name: 'main', image: 'app:2' },
            { name: 'proxy', image: 'mesh:1' },
          ],
        },
      },
    })
    const debugged = podWith({ ephemeralContainers: [{ ...shell, targetContainerName: 'main' }] })
    expect(await planned({ virtual: debugged, copy }, rules)).toMatchObject({
      parts: [{ subresource: 'ephemeralcontainers' }],
    })
  })

  it('of an earlier version notes the names once', async () => {
    const copy = await completedCopy()
    const { [lastSyncAnnotation]: note = '', ...others } = copy.metadata.annotations ?? {}
    const { fixed: _, ...before } = JSON.parse(note)
    const older = changed(copy, { annotations: { ...others, [lastSyncAnnotation]: JSON.stringify(before) } })
    const plan = await planned({ virtual: podWith(), copy: older }, rules)
    expect(plan).toMatchObject({ action: 'update', host: { metadata: { annotations: copy.metadata.annotations } } })
    expect(await planned({ virtual: podWith(), copy }, rules)).toEqual({ action: 'nothing' })
  })
})

it('the names in a Pod are noted in a stable form, because later versions compare with it', () => {
  const init = { name: 'init', image: 'app:1', envFrom: [{ configMapRef: { name: 'settings' } }] }
  const ephemeralContainers = [shell]
  expect(namesWithin(podWith({ initContainers: [init], ephemeralContainers }) as Pod)).toEqual([
    ['main'],
    ['init'],
    ['data'],
    ['ConfigMap/settings', 'Secret/own'],
  ])
})
