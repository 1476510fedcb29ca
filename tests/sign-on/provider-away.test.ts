import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { ownedAccessKeyKind } from '../../src/api/management/owned-access-key.ts'
import type { KubeObject } from '../../src/api/object.ts'
import type { RefreshedIdentity } from '../../src/auth/signed-on.ts'
import { timestamp } from '../../src/base/clock.ts'
import { IdentityRefresh } from '../../src/platform/signed-on/identity-refresh.ts'
import { sealedBytes, toStoredBytes } from '../../src/registry/document.ts'
import { eventually } from '../support/eventually.ts'
import { startRegistry, type TestRegistry } from '../support/registry.ts'

const kind = ownedAccessKeyKind('platform.internal')
const count = 20
const stepMs = 30_000

let registry: TestRegistry
beforeEach(async () => {
  registry = await startRegistry([kind])
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await registry.stop()
})

const keys = () => {
  const found = registry.registry.engine.find(kind.group, kind.kind)
  if (found === undefined) throw new Error('access keys are not served')
  return found
}

async function addSession(number: number): Promise<void> {
  const { store, clock } = registry
  const name = `login-${number}`
  const identity = { connector: 'corp', userId: name, username: name, groups: ['dev'] }
  const object: KubeObject = {
    apiVersion: `${kind.group}/v1`,
    kind: kind.kind,
    metadata: { name, uid: name, creationTimestamp: timestamp(clock.now()) },
    spec: { user: name, type: 'Login', identity: { ...identity, identityRefresh: timestamp(clock.now()) } },
    status: {},
  }
  const sealed = sealedBytes({ hash: String(number).padEnd(43, 'h'), issuedAtMs: 0, connectorData: 'sealed' })
  await store.create(keys().cache.storageKey({ namespace: '', name }), toStoredBytes(kind, object, sealed))
}

it('sessions survive an outage of the provider, which is not called meanwhile, and are refreshed after it', async () => {
  for (let number = 0; number < count; number += 1) await addSession(number)
  await eventually(() => expect(keys().cache.current().size).toBe(count))
  let isAway = true
  const asked: string[] = []
  const refresh = new IdentityRefresh({
    keys: keys(),
    refresh: async (signedOn): Promise<RefreshedIdentity> => {
      asked.push(signedOn.userId)
      return isAway ? { outcome: 'away', reason: 'test' } : { outcome: 'confirmed', signedOn }
    },
    bringUpToDate: async () => true,
    intervalSeconds: 900,
    report: (_manager, _name, error) => {
      throw error
    },
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      registry.clock.advance(stepMs)
      vi.advanceTimersByTime(1_000)
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
  }
  await pass(900_000)
  await eventually(() => expect(asked.length).toBeGreaterThan(0))
  await pass(3_600_000)
  expect(keys().cache.current().size).toBe(count)
  // At most once a minute for each session, and a few times more before the pauses are that long.
  expect(asked.length).toBeLessThan(70 * count)
  ;[isAway, asked.length] = [false, 0]
  await pass(60_000)
  await eventually(() => {
    registry.clock.advance(1_000)
    vi.advanceTimersByTime(1_000)
    expect(new Set(asked).size).toBe(count)
  })
  expect(keys().cache.current().size).toBe(count)
  await refresh.stop()
})
