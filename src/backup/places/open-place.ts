import { resolve } from 'node:path'
import { UsageError } from '../../base/usage-error.ts'
import type { BackupPlace } from './contract.ts'
import { directoryPlace } from './directory-place.ts'

const otherScheme = /^[a-z][a-z0-9+.-]*:\/\//i

/** A directory, or `s3://BUCKET/PREFIX`, whose library is loaded only then. */
export async function openPlace(text: string, env: Readonly<Record<string, string | undefined>>): Promise<BackupPlace> {
  if (text.startsWith('s3://')) return (await import('./s3-place.ts')).s3Place(text, env)
  if (text === '' || otherScheme.test(text))
    throw new UsageError(`${JSON.stringify(text)} is not a place for backups: name a directory, or s3://BUCKET/PREFIX`)
  return directoryPlace(resolve(text))
}
