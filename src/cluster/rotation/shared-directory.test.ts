import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSharedStore } from '../../../tests/support/stores/shared-store.ts'
import type { MakeAlone } from '../../base/certificates/ensure.ts'
import { silentLog } from '../../base/log.ts'
import type { Store } from '../../storage/contract.ts'
import { clientAuthorities } from '../certificates/client-authorities.ts'
import { serverTls } from '../certificates/server-tls.ts'
import { ShownCertificate } from '../certificates/shown-certificate.ts'
import { DirectoryTurn } from './directory-turn.ts'

const day = 24 * 3_600_000
const replicas = Array.from({ length: 4 }, (_, index) => index)
let directory = ''
let store: Store
let nowMs = 0

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'tenant-shared-directory-'))
  store = await openSharedStore(join(directory, 'store'))
  nowMs = Date.parse('2026-11-16T00:00:00Z')
})
afterEach(async () => {
  await store.close()
  rmSync(directory, { recursive: true })
})

/** Each replica has a turn of its own. */
function makeAlone(): MakeAlone {
  const { signal } = new AbortController()
  const turn = new DirectoryTurn({ store, directory: join(directory, 'pki/server'), signal })
  return (make) => turn.take(make)
}

function openReplica(): Promise<ShownCertificate> {
  const options = { directory, name: 'server', clock: { now: () => nowMs }, makeAlone: makeAlone() }
  return ShownCertificate.open({ read: (names) => serverTls({ ...options, names }), log: silentLog })
}

it('replicas of a directory that start together make one authority and one certificate', async () => {
  const [first, ...others] = await Promise.all(replicas.map(openReplica))
  for (const { shown } of others) expect(shown).toEqual(first?.shown)
  expect((await openReplica()).shown).toEqual(first?.shown)
})

it.each([
  ['certificate', 340],
  ['authority', 10 * 365 - 30],
])('replicas that renew the %s of their directory at the same moment make one', async (_, days) => {
  const opened = [await openReplica(), await openReplica(), await openReplica()]
  const before = opened[0]?.shown
  nowMs += days * day
  await Promise.all(opened.map((certificate) => certificate.look()))
  const { shown } = await openReplica()
  expect(shown.certificate).not.toBe(before?.certificate)
  expect(new X509Certificate(shown.certificate).verify(new X509Certificate(shown.authority).publicKey)).toBe(true)
  for (const certificate of opened) expect(certificate.shown).toEqual(shown)
})

it('replicas of a directory that start together have the same authorities of clients', async () => {
  const place = { directory, name: 'server' }
  const made = await Promise.all(replicas.map(() => clientAuthorities({ ...place, makeAlone: makeAlone() })))
  const shown = made.map(({ users, frontProxy }) => [users.key, users.cert, frontProxy.authority])
  for (const each of shown) expect(each).toEqual(shown[0])
})
