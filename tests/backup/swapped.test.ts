import { expect, it } from 'vitest'
import { listBackups } from '../../src/backup/backup-files.ts'
import type { BackupHeader } from '../../src/backup/envelope/header.ts'
import { readKeyring } from '../../src/backup/envelope/keyring.ts'
import { directoryPlace } from '../../src/backup/places/directory-place.ts'
import type { StateRecord } from '../../src/backup/records/record.ts'
import { Tally } from '../../src/backup/records/tally.ts'
import { verifyBackup } from '../../src/backup/verify-backup.ts'
import { writeBackup } from '../../src/backup/write-backup.ts'
import { systemRandom } from '../../src/base/random.ts'
import { restoreStore } from '../../src/cluster/restore/restore-store.ts'
import { openStore } from '../../src/cluster/store/open-store.ts'
import { newDirectory, newEmbedded } from './support/new-stores.ts'

const keyring = readKeyring(Buffer.from(systemRandom.bytes(32)).toString('base64'), 'backup.key')
const name = 'platform-20261116T180000Z-aaaaaa'

/** Encrypted with the operator's own key, like all backups of one place. */
function backupWith(user: string, change: Partial<BackupHeader> = {}): AsyncIterable<Buffer> {
  const header: BackupHeader = {
    name,
    createdAt: '2026-11-16T18:00:00.000Z',
    source: { type: 'platform', name: 'local', uid: 'uid-1' },
    revision: 42,
    storeFormat: 1,
    program: '0.1.0',
    keyId: keyring.first.id,
    salt: Buffer.from(systemRandom.bytes(32)).toString('base64'),
    ...change,
  }
  return writeBackup(header, keyring.first, stateWith(user)).bytes
}

async function* stateWith(user: string): AsyncGenerator<StateRecord> {
  const value = Buffer.from(JSON.stringify({ metadata: { name: user } }))
  const entry = { key: `/objects/management.platform.internal/users/${user}`, value, revision: 3 }
  const tally = new Tally()
  tally.add(entry)
  yield { type: 'entry', entry }
  yield { type: 'end', totals: tally.totals() }
}

it('a backup is accepted only under its own name', async () => {
  const place = directoryPlace(await newDirectory())
  await place.write(`${name}.backup`, backupWith('mallory', { name: 'platform-20250101T000000Z-bbbbbb' }))
  const refusal = /it is the backup "platform-20250101T000000Z-bbbbbb", under another name/
  await expect(verifyBackup(name, place.read(`${name}.backup`), keyring)).rejects.toThrow(refusal)
  expect(await listBackups(place)).toMatchObject([{ state: 'unreadable', problem: expect.stringMatching(refusal) }])
})

it('a place must return the verified backup again, or nothing is restored', async () => {
  const store = await newEmbedded()
  const answers = [backupWith('ann'), backupWith('mallory')]
  const restored = restoreStore({
    store,
    backup: name,
    keyring,
    read: () => answers.shift() ?? backupWith('late'),
    revocations: async () => ({ known: 'nothing' }),
  })
  await expect(restored).rejects.toThrow(/another backup came when it was read again/)
  await expect(openStore(store)).rejects.toThrow(`the restore of ${name} did not finish`)
})

it('a backup of another source is refused before anything is written', async () => {
  const store = await newEmbedded()
  const restored = restoreStore({
    store,
    backup: name,
    keyring,
    read: () => backupWith('mallory', { source: { type: 'virtualCluster', name: 'shop/web', uid: 'uid-2' } }),
    requireSource: ({ source }) => {
      if (source.type !== 'platform') throw new Error('not of the platform')
    },
    revocations: async () => ({ known: 'nothing' }),
  })
  await expect(restored).rejects.toThrow('not of the platform')
  await (await openStore(store)).close()
})
