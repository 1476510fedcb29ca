import { createCipheriv, hash } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StoredValue } from '../storage/contract.ts'
import { once } from './backup-files.ts'
import { FrameSealer } from './envelope/frames.ts'
import { type BackupHeader, encodeHeader } from './envelope/header.ts'
import { keyOfBackup, readKeyring } from './envelope/keyring.ts'
import { readBackup } from './read-backup.ts'
import { encodeEnd, encodeEntry } from './records/encode-record.ts'
import type { StateRecord } from './records/record.ts'
import { Tally } from './records/tally.ts'
import { verifyBackup } from './verify-backup.ts'
import { writeBackup } from './write-backup.ts'

const keyring = readKeyring(Buffer.alloc(32, 7).toString('base64'), 'backup.key')
const strangers = readKeyring(Buffer.alloc(32, 8).toString('base64'), 'other.key')
const salt = (fill: number) => Buffer.alloc(32, fill).toString('base64')

const header: BackupHeader = {
  name: 'nightly',
  createdAt: '2026-11-16T18:00:00Z',
  source: { type: 'platform', name: 'local', uid: 'uid-1' },
  revision: 42,
  storeFormat: 1,
  program: '0.1.0',
  keyId: keyring.first.id,
  salt: salt(1),
}

function configMap(name: string, content = 'x'): StoredValue {
  const object = { metadata: { name, namespace: 'default' }, data: { content } }
  return { key: `/objects/core/configmaps/default/${name}`, value: Buffer.from(JSON.stringify(object)), revision: 3 }
}

/** Incompressible, so that a few of them fill a frame. */
function large(index: number): StoredValue {
  let state = index + 1
  const noise = Buffer.alloc(700_000)
  for (let at = 0; at < noise.length; at++) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    noise[at] = state >> 16
  }
  return configMap(`large-${index}`, noise.toString('base64'))
}

const entries = [configMap('app'), large(0), large(1), large(2), configMap('web')]

async function* stateOf(all: readonly StoredValue[]): AsyncGenerator<StateRecord> {
  const tally = new Tally()
  for (const entry of all) {
    tally.add(entry)
    yield { type: 'entry', entry }
  }
  yield { type: 'end', totals: tally.totals() }
}

async function bytesOf(of: BackupHeader = header, all: readonly StoredValue[] = entries): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of writeBackup(of, keyring.first, stateOf(all)).bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Where each frame begins, and where the last one ends. */
function frameStarts(backup: Buffer): readonly number[] {
  const starts = [encodeHeader(header).length]
  for (let at = starts[0] ?? 0; at < backup.length; ) {
    at += 5 + backup.readUInt32BE(at + 1)
    starts.push(at)
  }
  return starts
}

function changed(backup: Buffer, at: number, to: number): Buffer {
  const copy = Buffer.from(backup)
  copy[at] = to
  return copy
}

const verified = (backup: Buffer, keys = keyring) => verifyBackup('nightly', once(backup), keys)

it('a backup is read back as it was written, however its bytes are split', async () => {
  const backup = await bytesOf()
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1_000, max: backup.length }), async (size) => {
      async function* pieces() {
        for (let at = 0; at < backup.length; at += size) yield backup.subarray(at, at + size)
      }
      const seen: StoredValue[] = []
      const entry = ({ key, value, revision }: StoredValue) => {
        seen.push({ key, value: Buffer.from(value), revision })
      }
      const read = await readBackup('nightly', pieces(), keyring, { entry })
      expect(read.header).toEqual(header)
      expect(seen.map(({ key, revision }) => [key, revision])).toEqual(entries.map((each) => [each.key, each.revision]))
      expect(seen.every(({ value }, index) => Buffer.compare(value, entries[index]?.value ?? value) === 0)).toBe(true)
    }),
    { numRuns: 5 },
  )
})

it('a backup shows nothing of its content', async () => {
  const backup = await bytesOf(header, [configMap('app', 'the-secret-of-the-day')])
  expect(backup.includes('the-secret-of-the-day')).toBe(false)
  expect(backup.includes('configmaps')).toBe(false)
})

it('two backups of the same state are encrypted with different keys', async () => {
  const [one, other] = [await bytesOf(), await bytesOf({ ...header, salt: salt(2) })]
  const start = frameStarts(one)[0] ?? 0
  expect(one.subarray(start + 5, start + 37)).not.toEqual(other.subarray(start + 5, start + 37))
})

describe('a hostile backup is refused with the reason', async () => {
  const backup = await bytesOf()
  const starts = frameStarts(backup)
  const [first = 0, second = 0, third = 0] = starts
  const last = starts.at(-2) ?? 0
  const frame = (index: number) => backup.subarray(starts[index], starts[index + 1])
  const length = (bytes: number) => {
    const copy = Buffer.from(backup)
    copy.writeUInt32BE(bytes, first + 1)
    return copy
  }
  const otherHeader = encodeHeader({ ...header, revision: 41 })

  it.each<[string, Buffer, RegExp]>([
    ['nothing at all', Buffer.alloc(0), /it is not a backup/],
    ['another file', Buffer.from('PK\u0003\u0004'.padEnd(100)), /it is not a backup/],
    [
      'a newer format',
      Buffer.concat([Buffer.from('tenant-backup 2   \n'), backup.subarray(19)]),
      /backup format 2.*newer version/,
    ],
    ['a header that is cut off', backup.subarray(0, 60), /ends in its header/],
    [
      'a header of 4 GiB',
      Buffer.concat([backup.subarray(0, 19), Buffer.alloc(4, 255)]),
      /header claims 4294967295 bytes/,
    ],
    ['a header that is no JSON', changed(backup, 23, 0), /header cannot be read/],
    ['a header that was changed', Buffer.concat([otherHeader, backup.subarray(first)]), /frame 1 was changed or moved/],
    ['only a header', backup.subarray(0, first), /frame 1 is missing: the backup is cut off/],
    [
      'a bit that flipped in the first frame',
      changed(backup, first + 9, (backup[first + 9] ?? 0) ^ 1),
      /frame 1 was changed/,
    ],
    [
      'a bit that flipped in the last frame',
      changed(backup, last + 9, (backup[last + 9] ?? 0) ^ 1),
      /was changed or moved/,
    ],
    ['a tag that was changed', changed(backup, second - 1, (backup[second - 1] ?? 0) ^ 128), /frame 1 was changed/],
    ['a frame that claims to be the last', changed(backup, first, 1), /frame 1 was changed/],
    ['a last frame that claims not to be', changed(backup, last, 0), /was changed or moved/],
    ['an end in the middle of a frame', backup.subarray(0, second - 10), /frame 1 is cut off/],
    ['an end between two frames', backup.subarray(0, second), /frame 2 is missing/],
    ['an end before the last frame', backup.subarray(0, last), /is missing: the backup is cut off/],
    [
      'two frames that were exchanged',
      Buffer.concat([backup.subarray(0, first), frame(1), frame(0), backup.subarray(third)]),
      /frame 1 was changed/,
    ],
    [
      'a frame that was left out',
      Buffer.concat([backup.subarray(0, first), backup.subarray(second)]),
      /frame 1 was changed/,
    ],
    [
      'a duplicate frame',
      Buffer.concat([backup.subarray(0, second), frame(0), backup.subarray(second)]),
      /frame 2 was changed/,
    ],
    ['something behind the end', Buffer.concat([backup, Buffer.from('x')]), /there is data after its end/],
    ['a frame of 4 GiB', length(4_294_967_295), /frame 1 claims 4294967295 bytes; the most is/],
    ['a frame shorter than its tag', length(3), /frame 1 is too short/],
  ])('%s', async (_, bytes, refusal) => {
    const refused = await verified(bytes).catch((error: unknown) => error)
    expect(String(refused)).toMatch(/^BackupRefused: nightly: /)
    expect(String(refused)).toMatch(refusal)
  })

  it("another backup's frame under the same key", async () => {
    const other = await bytesOf({ ...header, salt: salt(2) })
    const mixed = Buffer.concat([backup.subarray(0, first), other.subarray(first)])
    await expect(verified(mixed)).rejects.toThrow(/frame 1 was changed or moved/)
  })

  it('a key other than the one it was encrypted with, identified by its public id', async () => {
    const refused = verified(backup, strangers)
    await expect(refused).rejects.toThrow(
      `encrypted with the key ${keyring.first.id}, and the key file holds ${strangers.first.id}`,
    )
  })

  it('a flipped bit anywhere', async () => {
    const small = await bytesOf(header, [configMap('app'), configMap('web')])
    const flip = fc.tuple(fc.nat(small.length - 1), fc.nat(7))
    await fc.assert(
      fc.asyncProperty(flip, async ([at, bit]) => {
        await expect(verified(changed(small, at, (small[at] ?? 0) ^ (1 << bit)))).rejects.toThrow(/^nightly: /)
      }),
      { numRuns: 300 },
    )
  })
})

/** As only an owner of the key could make it. */
function sealedBy(contents: readonly Buffer[], end: Buffer, of: BackupHeader = header): Buffer {
  const headerBytes = encodeHeader(of)
  const sealer = new FrameSealer({ key: keyring.first, salt: Buffer.from(of.salt, 'base64'), headerBytes })
  return Buffer.concat([headerBytes, ...contents.map((content) => sealer.seal(content, false)), sealer.seal(end, true)])
}

function endOf(all: readonly StoredValue[]): Buffer {
  const tally = new Tally()
  for (const entry of all) tally.add(entry)
  return encodeEnd(tally.totals())
}

describe('a backup made by a holder of the key is validated, too', () => {
  const [app, web] = [configMap('app'), configMap('web')]
  const both = Buffer.concat([encodeEntry(app), encodeEntry(web)])
  const entryAt = (key: string, text: string): StoredValue => ({ key, value: Buffer.from(text), revision: 1 })
  const of = (entry: StoredValue) => sealedBy([encodeEntry(entry)], endOf([entry]))

  it.each<[string, Buffer, RegExp]>([
    [
      'fewer entries than the end says',
      sealedBy([encodeEntry(app)], endOf([app, web])),
      /core\/configmaps: expected 2 entries, found 1/,
    ],
    [
      'another entry than the end says',
      sealedBy([encodeEntry(configMap('app', 'y')), encodeEntry(web)], endOf([app, web])),
      /the content of an entry has changed/,
    ],
    [
      'entries out of order',
      sealedBy([encodeEntry(web), encodeEntry(app)], endOf([app, web])),
      /is repeated or out of order/,
    ],
    ['an entry twice', sealedBy([both, encodeEntry(web)], endOf([app, web])), /is repeated or out of order/],
    [
      'an end among the entries',
      sealedBy([endOf([]), both], endOf([app, web])),
      /found a record of type end where an entry was expected/,
    ],
    ['no end', sealedBy([both], encodeEntry(web)), /its last frame holds no end/],
    ['a truncated record', sealedBy([both.subarray(0, both.length - 1)], endOf([app, web])), /in the middle of a part/],
    ['a record of an unknown type', sealedBy([Buffer.from([9, 0, 0, 0, 0])], endOf([])), /unknown type 9/],
    ['a record of 4 GiB', sealedBy([Buffer.from([2, 255, 255, 255, 255])], endOf([])), /claims 4294967295 bytes/],
    ['a key that is no path', of(entryAt('etc/passwd', '{}')), /has no valid key/],
    ['a key with a zero byte', of(entryAt('/\u0000barrier', '{}')), /has no valid key/],
    [
      'an object that cannot be decoded',
      of(entryAt('/objects/core/configmaps/default/app', '{"meta')),
      /cannot be decoded/,
    ],
    [
      "another object's place",
      of({ ...app, key: '/objects/core/secrets/kube-system/app' }),
      /has another name or namespace/,
    ],
    [
      'a newer store format',
      sealedBy([both], endOf([app, web]), { ...header, storeFormat: 99 }),
      /store format 99.*newer version/,
    ],
  ])('%s', async (_, bytes, refusal) => {
    await expect(verified(bytes)).rejects.toThrow(refusal)
  })

  it('a frame that inflates to a thousand times its size', async () => {
    const headerBytes = encodeHeader(header)
    const key = keyOfBackup(keyring.first, Buffer.from(header.salt, 'base64'), hash('sha256', headerBytes, 'buffer'))
    const cipher = createCipheriv('aes-256-gcm', key, Buffer.alloc(12))
    const sealed = Buffer.concat([cipher.update(deflateRawSync(Buffer.alloc(64 * 1024 * 1024))), cipher.final()])
    const head = Buffer.alloc(5)
    head.writeUInt32BE(sealed.length + 16, 1)
    const backup = Buffer.concat([headerBytes, head, sealed, cipher.getAuthTag()])
    expect(backup.length).toBeLessThan(100_000)
    await expect(verified(backup)).rejects.toThrow(/frame 1 holds more than 6291456 bytes/)
  })
})

describe('a state that ends early does not become a backup', () => {
  const [app] = entries
  const failing = async (records: readonly StateRecord[]) => {
    async function* state() {
      yield* records
    }
    for await (const _ of writeBackup(header, keyring.first, state()).bytes);
  }

  it.each<[string, readonly StateRecord[], RegExp]>([
    ['nothing', [], /ended before it had sent everything/],
    ['entries without an end', app === undefined ? [] : [{ type: 'entry', entry: app }], /ended before/],
    ['a failure', [{ type: 'failure', message: 'revision 3 is gone', isWorthRetry: true }], /revision 3 is gone/],
    ['an end that does not fit', [{ type: 'end', totals: { entries: 1, kinds: {} } }], /did not arrive as it was sent/],
  ])('%s', async (_, records, refusal) => {
    await expect(failing(records)).rejects.toThrow(refusal)
  })
})

it.each<[string, RegExp]>([
  ['', /holds no key/],
  ['# only a comment\n', /holds no key/],
  ['c2hvcnQ=', /line 1 is not a key: a key is 32 random bytes/],
  [`${Buffer.alloc(32, 1).toString('base64')}\nnot base64 at all!`, /line 2 is not a key/],
])('a key file with %j is refused, and nothing of it is shown', (text, refusal) => {
  expect(() => readKeyring(text, 'backup.key')).toThrow(refusal)
  expect(() => readKeyring(text, 'backup.key')).not.toThrow(/not base64 at all|c2hvcnQ/)
})

it('backups of older keys are readable, and the first key encrypts', () => {
  const lines = ['# since May', Buffer.alloc(32, 9).toString('base64'), Buffer.alloc(32, 7).toString('base64')]
  const both = readKeyring(lines.join('\n'), 'backup.key')
  expect(both.keys.map(({ id }) => id)).toContain(keyring.first.id)
  expect(both.first.id).not.toBe(keyring.first.id)
})
