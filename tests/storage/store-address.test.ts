import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { UsageError } from '../../src/base/usage-error.ts'
import { openStore } from '../../src/cluster/store/open-store.ts'
import { type Store, StoreUnavailable } from '../../src/storage/contract.ts'
import { type CertificateFiles, makeCertificates } from '../support/certificates.ts'
import { type EtcdTls, missingEtcd, startEtcd } from '../support/stores/etcd.ts'
import { enableAuthentication } from '../support/stores/etcd-auth.ts'

const missing = missingEtcd()

async function etcdAt(tls?: EtcdTls): Promise<string> {
  const etcd = await startEtcd(tls === undefined ? {} : { tls })
  onTestFinished(() => etcd.remove())
  return etcd.endpoint
}

async function folder(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-store-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  return directory
}

async function opened(text: string): Promise<Store> {
  const store = await openStore(text)
  onTestFinished(() => store.close())
  return store
}

const value = Buffer.from('1')

describe.skipIf(missing !== undefined)(`an etcd with certificates or passwords (${missing ?? 'real'})`, () => {
  it('gets a certificate, and must present one of the named authority', async () => {
    const directory = await folder()
    const files = await makeCertificates(directory, 'right')
    const other = await makeCertificates(directory, 'wrong')
    const endpoint = await etcdAt(files)
    const address = ({ caFile, certFile, keyFile }: CertificateFiles) =>
      `etcd:${endpoint}?cafile=${caFile}&certfile=${certFile}&keyfile=${keyFile}`
    const store = await opened(address(files))
    await store.create('/a', value)
    expect((await store.get('/a'))?.value).toEqual(value)
    for (const refused of [address(other), address({ ...files, caFile: other.caFile }), `etcd:${endpoint}`]) {
      await expect(openStore(refused)).rejects.toThrow(StoreUnavailable)
    }
    const plain = address(files).replace('https://', 'http://')
    await expect(openStore(plain)).rejects.toThrow(/certificates are given .* must begin with https:/)
    await expect(openStore(address({ ...files, keyFile: '/nowhere' }))).rejects.toThrow('cannot read /nowhere')
  })

  it('gets a user and a password, which are limited to their prefix', async () => {
    const directory = await folder()
    const endpoint = await etcdAt()
    const files = {
      right: join(directory, 'right'),
      wrong: join(directory, 'wrong'),
      broken: join(directory, 'broken'),
    }
    await writeFile(files.right, 'app:pass:word\n')
    await writeFile(files.wrong, 'app:other\n')
    await writeFile(files.broken, 'app\npass:word')
    await enableAuthentication(endpoint, { user: 'app', password: 'pass:word' }, '/team-a')
    const store = await opened(`etcd:${endpoint}?userfile=${files.right}&prefix=/team-a`)
    await store.create('/a', value)
    expect((await store.get('/a'))?.value).toEqual(value)
    for (const refused of [`userfile=${files.right}`, `userfile=${files.wrong}&prefix=/team-a`, 'prefix=/team-a']) {
      await expect(openStore(`etcd:${endpoint}?${refused}`)).rejects.toThrow(StoreUnavailable)
    }
    const broken = openStore(`etcd:${endpoint}?userfile=${files.broken}`)
    await expect(broken).rejects.toThrow(UsageError)
    await expect(broken).rejects.toThrow(/must hold one line, user:password$/)
  })
})
