import { afterAll, beforeAll, expect, it } from 'vitest'
import { builtinKinds } from '../../src/api/builtin-kinds.ts'
import type { StatefulSet } from '../../src/api/types/apps-v1.ts'
import { ControllerEvents } from '../../src/controllers/run/event-recorder.ts'
import { ControllerWriter } from '../../src/controllers/run/writer.ts'
import { ClaimWrites } from '../../src/controllers/stateful-set/claim-writes.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import { startRegistry, type TestRegistry } from '../support/registry.ts'

let world: TestRegistry

beforeAll(async () => {
  world = await startRegistry(builtinKinds())
})

afterAll(() => world.stop())

function context(kind: string): ResourceContext {
  return world.registry.engine.find('', kind) as ResourceContext
}

function setWithClaims(count: number): StatefulSet {
  return {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'web', namespace: 'a', uid: 'web' },
    spec: {
      serviceName: '',
      selector: {},
      template: { metadata: {}, spec: { containers: [] } },
      updateStrategy: {},
      volumeClaimTemplates: Array.from({ length: count }, (_, index) => ({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name: `claim${index}` },
        spec: { resources: {} },
        status: {},
      })),
    },
    status: { replicas: 0, availableReplicas: 0 },
  }
}

it('claims of many Pods are looked up in steps that yield to other work', async () => {
  const mayWrite = () => true
  const writer = new ControllerWriter({ controller: 'c', signal: new AbortController().signal, mayWrite })
  const recorder = new ControllerEvents({ events: context('Event'), component: 'c', report: () => {}, mayWrite })
  const writes = new ClaimWrites({ claims: context('PersistentVolumeClaim'), writer, recorder })
  const set = setWithClaims(50)
  let turns = 0
  const turn = (): void => {
    turns += 1
    handle = setImmediate(turn)
  }
  let handle = setImmediate(turn)
  for (let ordinal = 0; ordinal < 20; ordinal++) {
    await writes.setOwners(set, ordinal, { name: `web-${ordinal}`, uid: `${ordinal}`, isScaledDown: true })
  }
  clearImmediate(handle)
  await recorder.stop()
  expect(turns).toBeGreaterThanOrEqual(5)
})
