import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RunningApiServer } from '../../src/cluster/api-server/public-types.d.ts'
import { startApiServer } from '../../src/cluster/api-server/testing.ts'
import { toldByOlderManager, toldOtherwise } from '../oracle/kinds/older-manager.ts'
import { playStory, tokens } from '../oracle/kinds/play-story.ts'
import { answers, stories } from '../oracle/kinds/recording.ts'
import { type ControlPlane, startControlPlane } from '../support/clusters/control-plane.ts'
import { findKubernetes } from '../support/clusters/kubernetes-programs.ts'
import { ClusterClient } from '../sync/support/cluster-client.ts'
import { type Collection, pods } from '../sync/support/objects.ts'
import { soon } from '../sync/support/soon.ts'
import { isEmpty, keepBusy } from './load.ts'
import { unknownErrors } from './log-lines.ts'
import { deployments, makeNode, nodes, replicaSets, runPods } from './workloads.ts'

const search = findKubernetes()
const missing = search.outcome === 'missing' ? ` (${search.reason})` : ''
const namespace = 'default'
/** 0 in CI, where long stories do not run either. */
const busySeconds = Number(process.env.CONTROL_PLANE_SECONDS ?? 0)

describe.skipIf(search.outcome === 'missing')(`a real control plane on the engine alone${missing}`, () => {
  let server: RunningApiServer
  let plane: ControlPlane
  let client: ClusterClient

  beforeAll(async () => {
    if (search.outcome === 'missing') return
    const users = [
      { token: tokens.admin ?? '', user: 'admin', uid: 'admin', groups: ['system:masters'] },
      { token: tokens.alice ?? '', user: 'alice', uid: 'alice', groups: ['dev'] },
    ]
    server = await startApiServer({ controllers: 'none', serviceClusterIpRange: '10.0.0.0/16', users })
    client = new ClusterClient({ ...server, authority: server.certificateAuthority })
    plane = await startControlPlane(search.programs, server)
  })

  afterAll(async () => {
    await plane?.remove()
    await client?.close()
    await server?.stop()
  })

  const namesOf = async (kind: Collection) => (await client.list(kind, namespace)).map(({ metadata }) => metadata.name)
  const statusOf = async (name: string) => (await client.get(deployments, namespace, name)).status

  it('replays the recorded stories of controllers that it supports', async () => {
    const { inCi, long } = toldByOlderManager
    const names = busySeconds === 0 ? inCi : [...inCi, ...long]
    const told = stories.filter(({ name }) => names.includes(name))
    const port = Number(new URL(server.url).port)
    const given = await Promise.all(told.map((story) => playStory(port, story, { seconds: 10 })))
    for (const answer of given.flat()) expect(answer, answer.id).toEqual(answers.get(answer.id))
    const known = [...inCi, ...long, ...Object.keys(toldOtherwise)]
    const all = stories.filter(({ name }) => name.startsWith('ctl')).map(({ name }) => name)
    expect(known.toSorted()).toEqual(all.toSorted())
  }, 240_000)

  it('makes a ready Node schedulable', async () => {
    await makeNode(client, 'worker')
    await soon(async () => expect(await client.get(nodes, '', 'worker')).not.toHaveProperty('spec.taints'))
  })

  it('rolls out a Deployment: Pods are created, bound to the Node, and replaced', async () => {
    const template = (image: string) => ({
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'web', image }] },
    })
    const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template: template('web:1') }
    await client.create(deployments, { metadata: { name: 'web', namespace }, spec })
    await soon(async () => {
      await runPods(client, namespace)
      expect(await statusOf('web')).toMatchObject({ availableReplicas: 3, updatedReplicas: 3 })
    })
    expect(await client.list(pods, namespace)).toMatchObject(Array(3).fill({ spec: { nodeName: 'worker' } }))
    await client.patch(deployments, namespace, 'web', { spec: { template: template('web:2') } })
    await soon(async () => {
      await runPods(client, namespace)
      expect(await statusOf('web')).toMatchObject({ availableReplicas: 3, updatedReplicas: 3, observedGeneration: 2 })
      expect(await namesOf(pods)).toHaveLength(3)
    })
    expect(await namesOf(replicaSets)).toHaveLength(2)
  })

  it('collects the dependents of a deleted Deployment', async () => {
    await client.delete(deployments, namespace, 'web')
    await soon(async () => {
      await runPods(client, namespace)
      expect(await Promise.all([namesOf(replicaSets), namesOf(pods)])).toEqual([[], []])
    })
  })

  it.skipIf(busySeconds === 0)(
    'keeps up with a load for the configured time',
    async () => {
      expect(await keepBusy(client, busySeconds, 'worker')).toBeGreaterThan(busySeconds / 30)
      await soon(async () => expect(await isEmpty(client)).toBe(true))
    },
    (busySeconds + 120) * 1000,
  )

  it('uses protobuf, and logs no complaints', () => {
    const types = new Set(
      [...plane.scheduler.output().matchAll(/Content-Type: (application\/vnd\S+)/g)].map(([, type]) => type),
    )
    expect(types).toEqual(
      new Set(['application/vnd.kubernetes.protobuf', 'application/vnd.kubernetes.protobuf;stream=watch']),
    )
    expect(unknownErrors(plane.controllers.output())).toEqual([])
    expect(unknownErrors(plane.scheduler.output())).toEqual([])
  })
})
