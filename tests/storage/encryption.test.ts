import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../../src/storage/contract.ts'
import { encryptedStore } from '../../src/storage/encryption/encrypted-store.ts'
import { printKeyLine, readEncryptionKeys } from '../../src/storage/encryption/key-file.ts'
import { openKmsKey } from '../../src/storage/encryption/kms/kms-key.ts'
import { rewriteValues } from '../../src/storage/encryption/rewrite.ts'
import { ValueCipher } from '../../src/storage/encryption/value-cipher.ts'
import { openEtcdStore } from '../../src/storage/etcd/open.ts'
import { openLmdbStore } from '../../src/storage/lmdb/open.ts'
import { type Etcd, missingEtcd, patientStore, startEtcd } from '../support/stores/etcd.ts'
import { describeLists } from './conformance/lists.ts'
import { describeWatches } from './conformance/watches.ts'
import { describeWrites } from './conformance/writes.ts'
import { bytes, line, takeChanges, text, written } from './helpers.ts'
import { type KmsPlugin, startKmsPlugin } from './kms-plugin.ts'

const first = printKeyLine('first', randomBytes(32))
const second = printKeyLine('second', randomBytes(32))
const secret = 'correct-horse-battery-staple'

const cipherOf = (keys: string) =>
  ValueCipher.open(readEncryptionKeys(keys, 'the keys', openKmsKey), (key) => !key.startsWith('/open/'))

const isClear = (value: Uint8Array) => Buffer.from(value).includes(secret)

async function filesHold(directory: string): Promise<boolean> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const contents = files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name)))
  return (await Promise.all(contents)).some(isClear)
}

const rewrite = (store: Store, cipher: ValueCipher) =>
  rewriteValues({ store, cipher, signal: new AbortController().signal, onProgress: () => {} })

async function openFile() {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-encryption-'))
  const raw = await openLmdbStore({ directory })
  const remove = async () => {
    await raw.close()
    await rm(directory, { recursive: true })
  }
  return { directory, raw, remove }
}

describe('an encrypted store fulfills the contract of stores', () => {
  const open = async () => {
    const { raw, remove } = await openFile()
    return { store: encryptedStore(raw, await cipherOf(first)), remove }
  }
  describeWrites(open)
  describeLists(open)
  describeWatches(open)
})

const missing = missingEtcd()

describe.each(['file', 'etcd'] as const)('in a store of the form %s', (form) => {
  let etcd: Etcd | undefined
  let places = 0
  beforeAll(async () => {
    if (form === 'etcd' && missing === undefined) etcd = await startEtcd()
  })
  afterAll(() => etcd?.remove())

  async function openRaw() {
    if (etcd === undefined) return openFile()
    places++
    const raw = await openEtcdStore({ endpoints: [etcd.endpoint], prefix: `/encryption-${places}`, ...patientStore })
    return { directory: etcd.directory, raw, remove: () => raw.close() }
  }

  it.skipIf(form === 'etcd' && missing !== undefined)(
    'nothing confidential is in plain text, including history',
    async () => {
      const { directory, raw, remove } = await openRaw()
      const store = encryptedStore(raw, await cipherOf(first))
      const created = await written(store.create('/a', bytes(`${secret} 1`)))
      const updated = await written(store.update('/a', bytes(`${secret} 2`), created))
      await written(store.create('/b', bytes(`${secret} 3`)))
      await written(store.delete('/a', updated))
      await written(store.create('/open/c', bytes('anything')))
      expect((await takeChanges(store, '', created - 1, 5)).map(line)).toEqual([
        `created /a ${secret} 1`,
        `updated /a ${secret} 2`,
        `created /b ${secret} 3`,
        `deleted /a ${secret} 2`,
        'created /open/c anything',
      ])
      expect(text((await store.get('/a', { atRevision: created }))?.value)).toBe(`${secret} 1`)
      expect((await raw.list('')).items.map(({ key, value }) => [key, isClear(value)])).toEqual([
        ['/b', false],
        ['/open/c', false],
      ])
      expect(text((await raw.get('/open/c'))?.value)).toBe('anything')
      expect(await filesHold(directory)).toBe(false)
      await remove()
    },
  )

  it.skipIf(form === 'etcd' && missing !== undefined)(
    'keys rotate, and encryption starts and stops, while values are written',
    async () => {
      const { raw, remove } = await openRaw()
      for (let index = 0; index < 20; index++) await written(raw.create(`/s${index}`, bytes(`${secret} ${index}`)))
      const cipher = await cipherOf(`${first}identity\n`)
      const store = encryptedStore(raw, cipher)
      const content = async () => (await store.list('/')).items.map(({ key, value }) => `${key} ${text(value)}`)
      const before = await content()

      const writes = async () => {
        const found = await store.get('/s7')
        return store.update('/s7', bytes(`${secret} 7`), found?.revision ?? 0)
      }
      await Promise.all([rewrite(raw, cipher), rewrite(raw, cipher), writes(), writes()])
      expect((await raw.list('')).items.filter(({ value }) => isClear(value))).toEqual([])
      expect(await content()).toEqual(before)

      await cipher.use(readEncryptionKeys(second + first, 'the keys', openKmsKey))
      expect(await content()).toEqual(before)
      await rewrite(raw, cipher)
      const onlySecond = encryptedStore(raw, await cipherOf(second))
      expect((await onlySecond.list('/')).items).toHaveLength(20)

      await cipher.use(readEncryptionKeys(`identity\n${second}`, 'the keys', openKmsKey))
      await rewrite(raw, cipher)
      expect((await raw.list('')).items.map(({ key, value }) => `${key} ${text(value)}`)).toEqual(before)
      await remove()
    },
  )
})

describe('a value that a replica cannot read yet', () => {
  it('reaches it once it has the key', async () => {
    const { raw, remove } = await openFile()
    const cipher = await cipherOf(first)
    const store = encryptedStore(raw, cipher)
    const other = encryptedStore(raw, await cipherOf(second + first))
    const revision = await written(other.create('/a', bytes(secret)))
    await expect(takeChanges(store, '', revision - 1, 1)).rejects.toThrow('encrypted with the key second')
    await expect(store.get('/a')).rejects.toThrow('encrypted with the key second')
    await cipher.use(readEncryptionKeys(first + second, 'the keys', openKmsKey))
    expect((await takeChanges(store, '', revision - 1, 1)).map(line)).toEqual([`created /a ${secret}`])
    await remove()
  })
})

describe('with a KMS plugin', () => {
  let kms: KmsPlugin
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tenant-kms-'))
    kms = await startKmsPlugin(join(directory, 'kms.sock'))
  })
  afterAll(async () => {
    await kms.stop()
    await rm(directory, { recursive: true })
  })

  it('values are read in lists, watches and single reads, and the plugin is called once for each data key', async () => {
    const { raw, remove } = await openFile()
    const writer = await cipherOf(`cloud ${kms.address}\n`)
    const store = encryptedStore(raw, writer)
    const start = await raw.currentRevision()
    for (let index = 0; index < 10; index++) await written(store.create(`/s${index}`, bytes(`${secret} ${index}`)))
    expect((await raw.list('')).items.some(({ value }) => isClear(value))).toBe(false)

    const reader = await cipherOf(`cloud ${kms.address}\n`)
    const asked = kms.decryptions()
    const values: (string | undefined)[] = []
    await encryptedStore(raw, reader).list('', { each: ({ value }) => void values.push(text(value)) })
    expect(values).toEqual(Array.from({ length: 10 }, (_, index) => `${secret} ${index}`))
    expect(await takeChanges(encryptedStore(raw, reader), '', start, 10)).toHaveLength(10)
    expect(kms.decryptions() - asked).toBe(1)
    writer.close()
    reader.close()
    await remove()
  })

  it('a changed version of its key is detected, and everything is rewritten', async () => {
    const { raw, remove } = await openFile()
    const cipher = await cipherOf(`cloud ${kms.address}\n`)
    const store = encryptedStore(raw, cipher)
    await written(store.create('/a', bytes(secret)))
    expect(await cipher.isOutdated()).toBe(false)
    kms.rotate()
    expect(await cipher.isOutdated()).toBe(true)
    await cipher.renew()
    const stale = (await raw.get('/a'))?.value ?? bytes('')
    expect(cipher.isStale('/a', stale)).toBe(true)
    await rewrite(raw, cipher)
    kms.forgetOldKeys()
    const later = await cipherOf(`cloud ${kms.address}\n`)
    expect(text((await encryptedStore(raw, later).get('/a'))?.value)).toBe(secret)
    await expect(later.decrypt('/a', stale)).rejects.toThrow(/KMS plugin at .* refuses Decrypt/)
    cipher.close()
    later.close()
    await remove()
  })

  it('a plugin that cannot decrypt its own output is detected before a value depends on it', async () => {
    const cipher = await cipherOf(`cloud ${kms.address}\n`)
    kms.encryptAnother()
    await expect(cipherOf(`cloud ${kms.address}\n`)).rejects.toThrow('cannot decrypt its own output')
    await expect(cipher.renew()).rejects.toThrow('cannot decrypt its own output')
    const value = Buffer.from('as before')
    expect(Buffer.from(await cipher.decrypt('/a', cipher.encrypt('/a', value)))).toEqual(value)
    cipher.close()
  })

  it('an unresponsive plugin is named, with what to do', async () => {
    await expect(cipherOf(`cloud unix://${directory}/none.sock\n`)).rejects.toThrow(
      /KMS plugin at unix:.*none.sock cannot be reached \(connect ENOENT\): start it, or correct its address/,
    )
  })
})
