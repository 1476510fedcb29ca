import { hash } from 'node:crypto'
import { lstat, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { UsageError } from '../../base/usage-error.ts'
import type { KnownPlatform } from '../credentials/contract.ts'
import { credentialsFile } from '../credentials/file.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { TokenOptions } from './options.ts'

/** Where the key of one connection is kept. Each login and each time to live has a separate file. */
export async function keyFile(
  platform: KnownPlatform,
  { project, name, ttlSeconds = 0 }: Pick<TokenOptions, 'project' | 'name' | 'ttlSeconds'>,
  terminal: Terminal,
): Promise<string> {
  const directory = directoryOf(platform.name, terminal)
  makeDirectory(directory)
  for (const each of [dirname(directory), directory]) await requirePrivate(each)
  const connection = [platform.url, platform.accessKey, project, name, String(ttlSeconds)]
  return join(directory, `${shortHash(JSON.stringify(connection))}.key`)
}

/** Forgets the keys of all connections through a platform: they belong to a login that is over. */
export async function forgetKeys(platform: string, terminal: Terminal): Promise<void> {
  await rm(directoryOf(platform, terminal), { recursive: true, force: true })
}

/** A key placed there by another user would make this user act as that one. */
async function requirePrivate(directory: string): Promise<void> {
  const { uid, mode } = await lstat(directory)
  const isOwn = process.getuid === undefined || uid === process.getuid()
  if (isOwn && (mode & 0o077) === 0) return
  throw new UsageError(`${directory} is not private to you: remove it, or set TENANT_CONFIG to a file elsewhere`)
}

function directoryOf(platform: string, terminal: Terminal): string {
  return join(dirname(credentialsFile(terminal)), 'connection-keys', shortHash(platform))
}

function shortHash(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}
