import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ByteSource } from '../../../src/backup/byte-source.ts'
import { createBackup } from '../../../src/backup/create-backup.ts'
import { encodeHeader, readHeader } from '../../../src/backup/envelope/header.ts'
import { readKeyring } from '../../../src/backup/envelope/keyring.ts'
import { directoryPlace } from '../../../src/backup/places/directory-place.ts'
import type { StateRecord } from '../../../src/backup/records/record.ts'
import { Tally } from '../../../src/backup/records/tally.ts'
import { removeExpired } from '../../../src/backup/remove-expired.ts'
import { systemRandom } from '../../../src/base/random.ts'

/** The attacker may add files to the place of backups, and can neither read nor delete any. */

const keyring = readKeyring(Buffer.alloc(32, 7).toString('base64'), 'backup.key')
const beganMs = Date.parse('2026-11-16T18:00:00Z')
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tenant-forged-'))
})
afterAll(() => rm(directory, { recursive: true, force: true }))

async function* records(): AsyncGenerator<StateRecord> {
  yield { type: 'end', totals: new Tally().totals() }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

it.each(['', 'k'.repeat(16), 'ab12'.repeat(250), '\u001b[2Jab12ab12ab12'])(
  'a header with the key id %j is refused',
  async (keyId) => {
    const source = { type: 'platform', name: 'local', uid: 'u' } as const
    const salt = Buffer.alloc(32).toString('base64')
    const header = {
      name: 'forged',
      createdAt: '2026-11-16T18:00:00Z',
      source,
      revision: 1,
      storeFormat: 1,
      program: '0',
    }
    const bytes = encodeHeader({ ...header, keyId, salt })
    await expect(readHeader(new ByteSource(once(bytes)))).rejects.toThrow('its header cannot be read')
  },
)

it('forged headers do not cause a real backup to expire', async () => {
  const place = directoryPlace(directory)
  const open = async () => ({
    head: { revision: 9, storeFormat: 1, program: '0', clusterUid: 'u' },
    records: records(),
  })
  const made = async (hours: number) => {
    const nowMs = beganMs + hours * 3_600_000
    const source = { type: 'platform', name: 'local' } as const
    return createBackup({ place, keyring, source, open, random: systemRandom, nowMs })
  }
  const [first, second, third] = [await made(0), await made(1), await made(2)]
  for (const name of ['forged-1', 'forged-2', 'forged-3']) {
    const forged = encodeHeader({ ...third.header, name, createdAt: '2036-11-16T18:00:00.000Z' })
    await writeFile(join(directory, `${name}.backup`), Buffer.concat([forged, Buffer.alloc(100)]))
  }
  const otherSource = { ...third.header.source, name: 'other' }
  const other = encodeHeader({ ...third.header, name: 'other', source: otherSource })
  await writeFile(join(directory, 'other.backup'), other)
  const opened: string[] = []
  const read = (name: string) => {
    opened.push(name)
    return place.read(name)
  }
  const parts = { place: { ...place, read }, keyring }
  const removed = await removeExpired(parts, third.header.source, { keep: 2, keepDays: 30 }, beganMs)
  expect(removed).toEqual([first.name])
  // A place may hold backups of many clusters; those of others are not opened.
  expect(opened).toHaveLength(6)
  expect(opened).not.toContain('other.backup')
  const left = (await place.list()).map(({ name }) => name)
  expect(left).toContain(`${second.name}.backup`)
  expect(left).toContain(`${third.name}.backup`)
})
