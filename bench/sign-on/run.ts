import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ownedAccessKeyKind } from '../../src/api/management/owned-access-key.ts'
import type { KubeObject } from '../../src/api/object.ts'
import { type Clock, systemClock, timestamp } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import { IdentityRefresh } from '../../src/platform/signed-on/identity-refresh.ts'
import type { ResourceContext } from '../../src/registry/context.ts'
import { sealedBytes, toStoredBytes } from '../../src/registry/document.ts'
import { ObjectRegistry } from '../../src/registry/registry.ts'
import type { Store } from '../../src/storage/contract.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { management, startPlatform, userNamed } from '../../tests/platform/platform.ts'

/**
 * Sessions of users who signed in with a provider: what they take besides the stored key, and how their refreshes are
 * distributed.
 */

const kind = ownedAccessKeyKind('platform.internal')
const atOnce = 500
const users = 1_000
const usualIntervalSeconds = 900
const bytesPerRefreshToken = 600

async function main(sessions: number, refreshed: number, seconds: number): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-bench-sessions-'))
  try {
    const cached = await memory(join(directory, 'many'), sessions)
    await memoryInAll(join(directory, 'platform'), sessions, cached)
    await spread(join(directory, 'few'), refreshed, seconds)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Returns what the stored key itself takes in the cache. */
async function memory(directory: string, count: number): Promise<number> {
  const began = systemClock.now()
  const clock: Clock = { now: () => began }
  const { store, keys, cached, stop } = await opened(directory, count, clock)
  const stored = await store.list(keys.cache.storageKey({ namespace: '', name: '' }).replace(/\/$/, ''), { limit: 1 })
  const bytes = stored.items[0]?.value.length ?? 0
  const before = usedBytes()
  const refresh = refreshing(keys, usualIntervalSeconds, () => {})
  const each = (usedBytes() - before) / count
  await refresh.stop()
  await stop()
  print(
    `${count} sessions: ${bytes} bytes each in the store, ${cached.toFixed(0)} in the cache, ${each.toFixed(0)} more in memory for refreshing them`,
  )
  return cached
}

/** For a whole platform: everything that it keeps of a session. */
async function memoryInAll(directory: string, count: number, cached: number): Promise<void> {
  const store = await openLmdbStore({ directory })
  const platform = await startPlatform({ clock: systemClock, platform: { domain: 'platform.internal' }, store })
  for (let user = 0; user < users; user += 1) {
    await platform.must('POST', `${management}/users`, userNamed(`user-${user}`))
  }
  const keys = platform.server.engine.registry.engine.find(kind.group, kind.kind)
  if (keys === undefined) throw new Error('Access keys are not served.')
  const others = keys.cache.current().size
  const before = usedBytes()
  await fill(store, keys, count, systemClock.now())
  await until(() => keys.cache.current().size === count + others)
  const each = (usedBytes() - before) / count
  await platform.stop()
  await store.close()
  print(
    `${count} sessions of ${users} users in a platform: ${each.toFixed(0)} bytes of memory each, ${(each - cached).toFixed(0)} besides the stored key in the cache`,
  )
}

async function spread(directory: string, count: number, seconds: number): Promise<void> {
  const { keys, stop } = await opened(directory, count, systemClock)
  const began = systemClock.now()
  const bySecond = new Map<number, number>()
  const refresh = refreshing(keys, seconds, () => {
    const second = Math.floor((systemClock.now() - began) / 1000)
    bySecond.set(second, (bySecond.get(second) ?? 0) + 1)
  })
  await new Promise((resolve) => setTimeout(resolve, (seconds + 2) * 1000))
  await refresh.stop()
  await stop()
  const all = [...bySecond.values()]
  const sum = all.reduce((total, each) => total + each, 0)
  print(
    `${count} sessions that began together, each asked about within ${seconds} s: ${sum} refreshes in ${all.length} of those seconds, at most ${Math.max(...all)} in one (even: ${Math.ceil(count / (seconds * 0.2))})`,
  )
}

function refreshing(keys: ResourceContext, intervalSeconds: number, onRefresh: () => void): IdentityRefresh {
  return new IdentityRefresh({
    keys,
    refresh: async (signedOn) => {
      onRefresh()
      return { outcome: 'confirmed', signedOn }
    },
    bringUpToDate: async () => true,
    intervalSeconds,
    report: (_manager, _name, error) => print(String(error)),
  })
}

async function opened(directory: string, count: number, clock: Clock) {
  const store = await openLmdbStore({ directory })
  const registry = new ObjectRegistry({ store, clock, random: systemRandom })
  registry.add(kind, {})
  await registry.start()
  const keys = registry.engine.find(kind.group, kind.kind)
  if (keys === undefined) throw new Error('Access keys are not served.')
  const before = usedBytes()
  await fill(store, keys, count, clock.now())
  await until(() => keys.cache.current().size === count)
  const cached = (usedBytes() - before) / count
  const stop = async () => {
    await registry.stop()
    await store.close()
  }
  return { store, keys, cached, stop }
}

async function fill(store: Store, keys: ResourceContext, count: number, nowMs: number): Promise<void> {
  for (let from = 0; from < count; from += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - from) }, (_, index) => from + index)
    await Promise.all(
      numbers.map((number) => {
        const { object, sealed } = session(number, nowMs)
        const id = { namespace: '', name: object.metadata.name ?? '' }
        return store.create(keys.cache.storageKey(id), toStoredBytes(kind, object, sealedBytes(sealed)))
      }),
    )
  }
}

function session(number: number, nowMs: number) {
  const name = `login-${number.toString(36).padStart(5, '0')}`
  const metadata = { name, uid: systemRandom.uuid(), generation: 1, creationTimestamp: timestamp(nowMs) }
  const identity = {
    connector: 'corp',
    userId: systemRandom.uuid(),
    username: `user-${number}`,
    emailVerified: true,
    email: `user-${number}@example.com`,
    groups: ['dev', 'ops', 'everyone'],
    identityRefresh: timestamp(nowMs),
  }
  const spec = {
    displayName: 'Console session',
    user: `user-${number % users}`,
    ttl: 43_200,
    ttlAfterLastActivity: true,
    type: 'Login',
    identity,
  }
  const object: KubeObject = {
    apiVersion: `${kind.group}/v1`,
    kind: kind.kind,
    metadata,
    spec,
    status: { keyId: number.toString(36).padStart(12, 'a') },
  }
  const connectorData = Buffer.from(systemRandom.bytes(bytesPerRefreshToken)).toString('base64url')
  const sealed = {
    hash: Buffer.from(systemRandom.bytes(32)).toString('base64url'),
    issuedAtMs: nowMs,
    connectorData,
    session: { startedWith: { kind: 'identity', connector: 'corp' }, latestEndMs: nowMs + 7 * 86_400_000 },
  }
  return { object, sealed }
}

function usedBytes(): number {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 50))
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}

const [sessions = '100000', refreshed = '6000', seconds = '20'] = process.argv.slice(2)
await main(Number(sessions), Number(refreshed), Number(seconds))
