import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { conflict, forbiddenPath, notFound } from '../../api/error.ts'
import type { KubeObject } from '../../api/object.ts'
import { silentLog } from '../../base/log.ts'
import { FilesOnHost, type FilesOnHostOptions } from './files-on-host.ts'

const secrets = { group: '', plural: 'secrets' }
const identity = { tenant: 'demo', hostNamespace: 'tenant-demo' }
const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A host with one Secret that refuses writes based on another state of it. */
function hostWith(first?: KubeObject): FilesOnHostOptions['host'] {
  let stored = first
  let version = 0
  const keep = async (_: unknown, object: KubeObject) => {
    if (stored?.metadata.resourceVersion !== object.metadata.resourceVersion) throw conflict(secrets, 'tenant-demo-pki')
    version += 1
    stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } }
    return stored
  }
  return {
    get: async () => {
      if (stored === undefined) throw notFound(secrets, 'tenant-demo-pki')
      return stored
    },
    create: keep,
    update: keep,
  }
}

function replicaOn(host: FilesOnHostOptions['host'], isReplicated = true) {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-files-'))
  folders.push(directory)
  const files = new FilesOnHost({ host, identity, directory, isReplicated, log: silentLog })
  const file = join(directory, 'admin.key')
  return {
    read: () => readFileSync(file, 'utf8'),
    make: (text: string) =>
      files.around(async () => {
        if (!existsSync(file)) writeFileSync(file, text)
      }),
    /** Before the Secret existed. */
    hasFollowed: (id: string) => {
      mkdirSync(join(directory, 'pki/virtual'), { recursive: true })
      writeFileSync(join(directory, 'pki/virtual/rotation.followed'), `${id}\n`)
    },
    change: (id: string, text: string) => files.once(id, async () => writeFileSync(file, text)),
  }
}

it('files that one replica made are shared with the others, even if all start at the same time', async () => {
  const host = hostWith()
  const replicas = [1, 2, 3].map(() => replicaOn(host))
  await Promise.all(replicas.map(({ make }, index) => make(`made by ${index}`)))
  expect(new Set(replicas.map(({ read }) => read())).size).toBe(1)
})

it('a change that all want is made once', async () => {
  const host = hostWith()
  const replicas = [1, 2, 3].map(() => replicaOn(host))
  await Promise.all(replicas.map(({ make }) => make('first')))
  await Promise.all(replicas.map(({ change }, index) => change('order-1', `changed by ${index}`)))
  const [text] = replicas.map(({ read }) => read())
  expect(replicas.map(({ read }) => read())).toEqual([text, text, text])
  expect(text).toMatch(/^changed by/)
  await replicas[0]?.change('order-1', 'changed again')
  expect(replicas[0]?.read()).toBe(text)
})

it('a change from before the Secret existed is not repeated by a new replica', async () => {
  const host = hostWith()
  const first = replicaOn(host, false)
  first.hasFollowed('order-1')
  await first.make('made by the first')
  const added = replicaOn(host)
  await added.make('made by another')
  await added.change('order-1', 'changed again')
  expect(added.read()).toBe('made by the first')
  await added.change('order-2', 'changed')
  expect(added.read()).toBe('changed')
})

it('a single replica continues if it may not share, and one of several does not', async () => {
  const refuse = async () => {
    throw forbiddenPath('not for you')
  }
  const host = { get: refuse, create: refuse, update: refuse }
  const alone = replicaOn(host, false)
  await alone.make('mine')
  expect(alone.read()).toBe('mine')
  await expect(replicaOn(host).make('mine')).rejects.toThrow('the Secret tenant-demo-pki of namespace tenant-demo')
})

it('a damaged Secret is not used', async () => {
  const data = { 'ca.crt': Buffer.from('half').toString('base64') }
  const secret: KubeObject = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'tenant-demo-pki' }, data }
  await expect(replicaOn(hostWith(secret)).make('mine')).rejects.toThrow(
    'it holds only one of certificate and key of ca',
  )
})
