import { readFile } from 'node:fs/promises'
import { UsageError } from '../../base/usage-error.ts'
import type { Store } from '../../storage/contract.ts'
import type { EtcdStoreOptions } from '../../storage/etcd/open.ts'
import { agreeOnFormat } from '../../storage/format/agree-on-format.ts'
import { openLmdbStore } from '../../storage/lmdb/open.ts'
import { type EtcdAddressText, parseStoreAddress } from './store-address.ts'

/** Opens the store at an address of `parseStoreAddress`. Refuses a store in an unknown format. */
export async function openStore(text: string): Promise<Store> {
  const store = await openAnyFormat(text)
  try {
    await agreeOnFormat(store, `the store ${text}`)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/**
 * The same without checking the format. `firstRevision`: where the revisions of a new store begin, if it can choose.
 */
export async function openAnyFormat(text: string, firstRevision?: number): Promise<Store> {
  const address = parseStoreAddress(text)
  if (address.form === 'etcd') return openDistributed(address.etcd)
  return openLmdbStore({ directory: address.directory, ...(firstRevision !== undefined && { firstRevision }) })
}

/** Loaded on demand: the gRPC library takes longer than the rest of the start. */
async function openDistributed(address: EtcdAddressText): Promise<Store> {
  const options = await etcdOptions(address)
  const { openEtcdStore } = await import('../../storage/etcd/open.ts')
  return openEtcdStore(options)
}

async function etcdOptions(address: EtcdAddressText): Promise<EtcdStoreOptions> {
  const { endpoints, prefix, cafile, certfile, keyfile, userfile } = address
  const [ca, cert, key, user] = await Promise.all([cafile, certfile, keyfile, userfile].map(readSetting))
  const tls = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  if (Object.keys(tls).length > 0) requireHttps(endpoints)
  return {
    endpoints,
    prefix,
    ...(Object.keys(tls).length > 0 && { tls }),
    ...(user !== undefined && userfile !== undefined && { credentials: credentialsIn(user, userfile) }),
  }
}

/** Files with certificates or a password are small. */
const maxSettingBytes = 256 * 1024

async function readSetting(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const content = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`cannot read ${file}, which the store names: ${error.message}`)
  })
  if (content.length > maxSettingBytes) throw new UsageError(`${file}, which the store names, is larger than 256 KiB`)
  return content
}

function requireHttps(endpoints: readonly string[]): void {
  const plain = endpoints.find((endpoint) => endpoint.startsWith('http://'))
  if (plain !== undefined)
    throw new UsageError(`certificates are given for the etcd, so ${plain} must begin with https://`)
}

function credentialsIn(content: string, file: string): { readonly user: string; readonly password: string } {
  const [, user, password] = /^([^:\r\n]+):([^\r\n]+)\r?\n?$/.exec(content) ?? []
  if (user === undefined || password === undefined) throw new UsageError(`${file} must hold one line, user:password`)
  return { user, password }
}
