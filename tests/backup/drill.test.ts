import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { listBackups } from '../../src/backup/backup-files.ts'
import { createBackup } from '../../src/backup/create-backup.ts'
import { readKeyring } from '../../src/backup/envelope/keyring.ts'
import { directoryPlace } from '../../src/backup/places/directory-place.ts'
import { encodeHead } from '../../src/backup/records/encode-record.ts'
import { sendState } from '../../src/backup/records/send-state.ts'
import { ensureCertificates } from '../../src/base/certificates/ensure.ts'
import { systemClock } from '../../src/base/clock.ts'
import { systemRandom } from '../../src/base/random.ts'
import { openState } from '../../src/cli/backup/open-state.ts'
import { runBackup } from '../../src/cli/backup/run-backup.ts'
import type { BackupTarget } from '../../src/cli/backup/target.ts'
import { loadClusterAccess } from '../../src/client/kubeconfig/load.ts'
import { restoreStore } from '../../src/cluster/restore/restore-store.ts'
import { openStore } from '../../src/cluster/store/open-store.ts'
import type { Store } from '../../src/storage/contract.ts'
import { formatRoot } from '../../src/storage/format/format-record.ts'
import { Chance } from '../support/chance.ts'
import { startTestServer } from '../support/clusters/api-server.ts'
import { call } from '../support/network/call.ts'
import { sendJson } from '../support/network/send-json.ts'
import { missingEtcd } from '../support/stores/etcd.ts'
import { newDirectory, newEmbedded, newEtcd } from './support/new-stores.ts'
import { Writers } from './support/writers.ts'

const keyring = readKeyring(Buffer.from(systemRandom.bytes(32)).toString('base64'), 'backup.key')
const keyOfMap = '/objects/core/configmaps/default/'

async function serverOn(url: string) {
  const store = await openStore(url)
  const server = await startTestServer({ store })
  onTestFinished(async () => {
    await server.stop()
    await store.close()
  })
  return { server, store }
}

async function accessTo(kubeconfig: string) {
  const file = join(await newDirectory(), 'kubeconfig')
  await writeFile(file, kubeconfig)
  return loadClusterAccess({ env: {}, clock: systemClock, file, context: undefined })
}

async function contentOf(store: Store, atRevision?: number): Promise<ReadonlyMap<string, string>> {
  const content = new Map<string, string>()
  const each = ({ key, value }: { readonly key: string; readonly value: Uint8Array }) => {
    if (!key.startsWith(formatRoot)) content.set(key, Buffer.from(value).toString())
  }
  await store.list('', { each, ...(atRevision !== undefined && { atRevision }) })
  return content
}

const withoutEtcd = missingEtcd() !== undefined
const drills: readonly [string, () => Promise<string>, () => Promise<string>, boolean][] = [
  ['an embedded store into another', newEmbedded, newEmbedded, false],
  ['etcd into an embedded store', newEtcd, newEmbedded, withoutEtcd],
  ['an embedded store into etcd', newEmbedded, newEtcd, withoutEtcd],
]

for (const [name, from, to, isMissing] of drills) {
  it.skipIf(isMissing)(`a restore drill while clients write: ${name}`, async () => {
    const chance = new Chance()
    const note = `seed ${chance.seed}`
    const { server, store } = await serverOn(await from())
    const access = await accessTo(server.kubeconfig())
    const place = directoryPlace(await newDirectory())
    const writers = new Writers(server.port, 4, chance)
    const moment = chance.between(20, 120)
    await untilMany(writers, moment)
    const { name: backup, header } = await createBackup({
      place,
      keyring,
      source: { type: 'cluster', name: 'drill' },
      random: systemRandom,
      nowMs: systemClock.now(),
      open: () => openState(access, { env: {} }),
    })
    await untilMany(writers, writers.acknowledged + 20)
    await writers.stop()
    const before = await contentOf(store, header.revision)

    const target = await to()
    const restored = await restoreStore({
      store: target,
      backup,
      keyring,
      read: () => place.read(`${backup}.backup`),
      revocations: async () => ({ known: 'nothing' }),
    })
    expect(restored.disabledKeys, note).toEqual([])
    const { server: second, store: copy } = await serverOn(target)
    const after = await contentOf(copy)
    for (const [map, possible] of writers.at(header.revision)) {
      const stored = after.get(keyOfMap + map)
      expect(possible, `${note}: ${map}`).toContain(stored === undefined ? undefined : JSON.parse(stored).data.content)
    }
    expect(mapsIn(after), note).toEqual(mapsIn(before))
    const held = [...writers.at(header.revision).values()].filter((possible) => possible.every(Boolean))
    expect(held.length, note).toBeGreaterThan(5)
    const { status } = await sendJson(second.port, 'GET', '/api/v1/namespaces/default/configmaps')
    expect(status).toBe(200)
  })
}

/** Without the ConfigMaps that each server writes itself: the second server has another authority. */
function mapsIn(content: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const own = `${keyOfMap}kube-root-ca.crt`
  return new Map([...content].filter(([key]) => key.startsWith(keyOfMap) && key !== own))
}

async function untilMany(writers: Writers, count: number): Promise<void> {
  while (writers.acknowledged < count) await new Promise((resolve) => setTimeout(resolve, 1))
}

it.skipIf(withoutEtcd)('a revision that etcd compacts during the backup is reported as worth a retry', async () => {
  const store = await openStore(await newEtcd())
  onTestFinished(() => store.close())
  for (let index = 0; index < 150; index++) await store.create(`/objects/core/a/b/${index}`, Buffer.from('{}'))
  const pieces: Buffer[] = []
  const about = { program: '0', clusterUid: 'u' }
  let hasForgotten = false
  const take = async (bytes: Buffer) => {
    pieces.push(bytes)
    if (hasForgotten || pieces.length < 2) return
    hasForgotten = true
    await store.create('/objects/core/a/b/later', Buffer.from('{}'))
    await store.compact(await store.currentRevision())
  }
  const sent = sendState(store, about, { take, signal: new AbortController().signal })
  await expect(sent).rejects.toThrow(/has been compacted/)
  expect(pieces.at(-1)?.toString()).toMatch(/forgot revision \d+ while it was read.*"isWorthRetry":true/)
})

it('a failed backup leaves no file that is named complete', async () => {
  const place = directoryPlace(await newDirectory())
  const source = { type: 'cluster', name: 'x' } as const
  let asked = 0
  const open = async () => {
    asked += 1
    async function* records() {
      yield { type: 'failure', message: 'the revision is gone', isWorthRetry: true } as const
    }
    return { head: { revision: 1, storeFormat: 1, program: '0', clusterUid: 'u' }, records: records() }
  }
  const failed = createBackup({ place, keyring, source, open, random: systemRandom, nowMs: 0 })
  await expect(failed).rejects.toThrow('the revision is gone')
  expect(asked).toBe(3)
  expect(await place.list()).toEqual([])
})

it('a failed run is listed with its reason, and the next success applies the retention', async () => {
  const { server } = await serverOn(await newEmbedded())
  const access = await accessTo(server.kubeconfig())
  const place = directoryPlace(await newDirectory())
  const target = { source: { type: 'cluster', name: 'x' }, access } as const
  const refused = { ...target, access: await accessTo(server.kubeconfig('alice')) }
  const run = (of: BackupTarget) => runBackup({ place, keyring, target: of }, { keep: 1 }, { env: {} })
  const first = await run(target)
  await expect(run(refused)).rejects.toThrow(/alice.*cannot get path/)
  const second = await run(target)
  expect(second.removed).toEqual([first.created.name])
  const listed = await listBackups(place)
  expect(listed.map(({ state }) => state).sort()).toEqual(['complete', 'failed'])
  expect(listed.find(({ state }) => state === 'failed')).toMatchObject({
    failure: { message: expect.stringMatching(/cannot get path/), source: { type: 'cluster', name: 'x' } },
  })
})

it('a server that sends endlessly, or stops sending, is aborted', async () => {
  const { server } = await serverOn(await newEmbedded())
  const access = await accessTo(server.kubeconfig())
  const all = async (limits: { readonly bytes: number; readonly silenceMs: number }) => {
    const { records } = await openState(access, { env: {} }, limits)
    for await (const _ of records);
  }
  await expect(all({ bytes: 5_000, silenceMs: 60_000 })).rejects.toThrow(/sends more than 5000 bytes/)
  const pki = await ensureCertificates({ directory: await newDirectory(), name: 's', names: [], clock: systemClock })
  const mute = createServer({ key: pki.key, cert: pki.certificate }, (_, response) => {
    response.writeHead(200)
    response.write(encodeHead({ revision: 1, storeFormat: 1, program: '0', clusterUid: 'u' }))
  })
  onTestFinished(() => mute.closeAllConnections())
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void mute.close())
  const { port } = mute.address() as AddressInfo
  const silent = { ...access, url: new URL(`https://127.0.0.1:${port}`), trust: { mode: 'unverified' } } as const
  const read = async () => {
    const { records } = await openState(silent, { env: {} }, { bytes: 5_000, silenceMs: 1_000 })
    for await (const _ of records);
  }
  await expect(read()).rejects.toThrow(/sent nothing more for 1 s/)
})

it('a restore replaces nothing, and an interrupted one is detected', async () => {
  const url = await newEmbedded()
  const { server } = await serverOn(url)
  const access = await accessTo(server.kubeconfig())
  const place = directoryPlace(await newDirectory())
  const made = await createBackup({
    place,
    keyring,
    source: { type: 'cluster', name: 'x' },
    random: systemRandom,
    nowMs: systemClock.now(),
    open: () => openState(access, { env: {} }),
  })
  const [listed] = await listBackups(place)
  expect(listed).toMatchObject({ state: 'complete', name: made.name })
  const revocations = async () => ({ known: 'nothing' }) as const
  const restore = { backup: made.name, keyring, revocations, read: () => place.read(`${made.name}.backup`) }

  const taken = await newEmbedded()
  const store = await openStore(taken)
  await store.close()
  await expect(restoreStore({ ...restore, store: taken })).rejects.toThrow(
    /is not empty, and nothing in it is replaced/,
  )

  const cut = await newEmbedded()
  let reads = 0
  async function* half() {
    reads += 1
    for await (const chunk of place.read(`${made.name}.backup`))
      yield reads === 1 ? chunk : chunk.subarray(0, chunk.length / 2)
  }
  await expect(restoreStore({ ...restore, store: cut, read: half })).rejects.toThrow(/is cut off|is missing/)
  await expect(openStore(cut)).rejects.toThrow(`the restore of ${made.name} did not finish`)
})

it('only callers with the right to get /backup receive the state', async () => {
  const { server } = await serverOn(await newEmbedded())
  const asked = (token?: string) =>
    call(server.port, {
      method: 'GET',
      path: '/backup',
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    })
  expect((await asked()).status).toBe(403)
  expect((await asked('alice-token')).status).toBe(403)
  expect((await asked('no-token')).status).toBe(401)
  const answer = await asked('admin-token')
  expect(answer.status).toBe(200)
  expect(await answer.text).toContain('kube-system')
  const post = await call(server.port, {
    method: 'POST',
    path: '/backup',
    headers: { Authorization: 'Bearer admin-token' },
  })
  expect(post.status).toBe(404)
})
