import { existsSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { moveStore } from '../../src/cluster/restore/move-store.ts'
import { openStore } from '../../src/cluster/store/open-store.ts'
import { missingEtcd } from '../support/stores/etcd.ts'
import { newEmbedded, newEtcd } from './support/new-stores.ts'

/** Includes values that are encrypted at rest, and values that no request reaches. */
const content = new Map(
  Array.from({ length: 300 }, (_, index) => [
    `/objects/core/secrets/default/s${index}`,
    Buffer.from([0, 255, index % 256]),
  ]),
).set('/identity/admin-key', Buffer.from('{}'))

async function fill(url: string): Promise<void> {
  const store = await openStore(url)
  await Promise.all([...content].map(([key, value]) => store.create(key, value)))
  await store.close()
}

async function contentOf(url: string): Promise<ReadonlyMap<string, Buffer>> {
  const store = await openStore(url)
  const { items } = await store.list('')
  await store.close()
  return new Map(
    items.filter(({ key }) => !key.startsWith('/store/')).map(({ key, value }) => [key, Buffer.from(value)]),
  )
}

const ways: readonly [string, () => Promise<string>, () => Promise<string>, boolean][] = [
  ['an embedded store to another', newEmbedded, newEmbedded, false],
  ['an embedded store to etcd', newEmbedded, newEtcd, missingEtcd() !== undefined],
  ['etcd to an embedded store', newEtcd, newEmbedded, missingEtcd() !== undefined],
]

for (const [name, from, to, isMissing] of ways) {
  it.skipIf(isMissing)(`everything is copied from ${name}, and the source is unchanged`, async () => {
    const [source, target] = [await from(), await to()]
    await fill(source)
    expect(await moveStore(source, target)).toMatchObject({ entries: content.size })
    const sorted = new Map([...content].sort(([left], [right]) => (left < right ? -1 : 1)))
    expect(await contentOf(target)).toEqual(sorted)
    expect(await contentOf(source)).toEqual(sorted)
    await expect(moveStore(source, target)).rejects.toThrow(/is not empty, and nothing in it is replaced/)
  })
}

it('a missing store is neither created nor treated as empty', async () => {
  const [source, target] = [await newEmbedded(), await newEmbedded()]
  await expect(moveStore(source, target)).rejects.toThrow(`there is no store in ${source.replace('file:', '')}`)
  expect(existsSync(source.replace('file:', ''))).toBe(false)
})

it('a store is not moved while a server has it open', async () => {
  const source = await newEmbedded()
  const store = await openStore(source)
  onTestFinished(() => store.close())
  await expect(moveStore(source, await newEmbedded())).rejects.toThrow(/is in use by this process/)
})

it.skipIf(missingEtcd() !== undefined)('a store is moved out of an etcd that others write to and compact', async () => {
  const shared = await newEtcd()
  await fill(`${shared}?prefix=/a`)
  const other = await openStore(`${shared}?prefix=/b`)
  onTestFinished(() => other.close())
  await other.create('/objects/core/configmaps/default/x', Buffer.from('{}'))
  await other.compact(await other.currentRevision())
  expect(await moveStore(`${shared}?prefix=/a`, await newEmbedded())).toMatchObject({ entries: content.size })
})
