import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Terminal } from '../terminal/terminal.ts'
import { type LocalRecord, readLocalRecord } from '../up/local/local-record.ts'
import { type LocalPlatform, localPlatforms } from './find.ts'

/** A virtual cluster that a `tenant up` of this machine runs. */
export interface LocalTenant {
  readonly platform: LocalPlatform
  readonly record: LocalRecord
}

/** By its name and namespace on the embedded host. */
export async function findLocalTenant(
  { name, namespace }: { readonly name: string; readonly namespace: string },
  terminal: Pick<Terminal, 'env'>,
): Promise<LocalTenant | undefined> {
  for (const platform of await localPlatforms(terminal)) {
    for (const folder of await foldersOf(platform)) {
      const record = await readLocalRecord(folder)
      if (record?.tenant === name && record.namespace === namespace) return { platform, record }
    }
  }
  return undefined
}

async function foldersOf({ directory }: LocalPlatform): Promise<readonly string[]> {
  const tenants = join(directory, 'tenants')
  const folders = (await namesIn(tenants)).map(async (place) =>
    (await namesIn(join(tenants, place))).map((name) => join(tenants, place, name)),
  )
  return (await Promise.all(folders)).flat()
}

function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => [])
}
