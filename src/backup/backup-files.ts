import { errorText } from '../base/error-text.ts'
import { asMembers } from '../base/json/lenient.ts'
import { ByteSource } from './byte-source.ts'
import { type BackupHeader, type BackupSource, headerBytes, readHeader, requireOwnName } from './envelope/header.ts'
import type { BackupPlace, PlacedFile } from './places/contract.ts'

/** The endings of a backup in the making, a complete one, and the record of a failed one. */
export const completeEnding = '.backup'
export const draftEnding = '.draft'
export const failureEnding = '.failed'

const maxFailureBytes = 16 * 1024

/** What a place contains, as far as that can be read without a key. */
export type ListedBackup =
  | { readonly state: 'complete'; readonly name: string; readonly bytes: number; readonly header: BackupHeader }
  /** Being made, or left behind by a killed process. */
  | { readonly state: 'draft'; readonly name: string; readonly bytes: number }
  | { readonly state: 'failed'; readonly name: string; readonly failure: BackupFailure }
  | { readonly state: 'unreadable'; readonly name: string; readonly bytes: number; readonly problem: string }

export interface BackupFailure {
  readonly at: string
  readonly source: Pick<BackupSource, 'type' | 'name'>
  readonly message: string
}

/** Newest first; entries without a time come last. */
export async function listBackups(place: BackupPlace): Promise<readonly ListedBackup[]> {
  const files = await place.list()
  const listed: ListedBackup[] = []
  for (const file of files) {
    const backup = await listedAs(file, place)
    if (backup !== undefined) listed.push(backup)
  }
  return listed.sort((left, right) => compare(timeOf(right), timeOf(left)) || compare(left.name, right.name))
}

async function listedAs(file: PlacedFile, place: BackupPlace): Promise<ListedBackup | undefined> {
  const { name, bytes } = file
  if (name.endsWith(draftEnding)) return { state: 'draft', name: without(name, draftEnding), bytes }
  if (name.endsWith(completeEnding)) return complete(without(name, completeEnding), file, place)
  if (name.endsWith(failureEnding)) return failed(without(name, failureEnding), file, place)
  return undefined
}

async function complete(name: string, file: PlacedFile, place: BackupPlace): Promise<ListedBackup> {
  const { bytes } = file
  try {
    const { header } = await readHeader(new ByteSource(once(await place.readStart(file.name, headerBytes))))
    requireOwnName(header, name)
    return { state: 'complete', name, bytes, header }
  } catch (error) {
    // One that cannot be read, for whatever reason, must not prevent the others from being listed.
    return { state: 'unreadable', name, bytes, problem: errorText(error) }
  }
}

async function failed(name: string, file: PlacedFile, place: BackupPlace): Promise<ListedBackup> {
  const bytes = await place.readStart(file.name, maxFailureBytes).catch(() => Buffer.alloc(0))
  const failure = failureIn(bytes)
  if (failure !== undefined) return { state: 'failed', name, failure }
  return { state: 'unreadable', name, bytes: file.bytes, problem: 'the note about its failure cannot be read' }
}

export function encodeBackupFailure(failure: BackupFailure): Buffer {
  return Buffer.from(`${JSON.stringify(failure)}\n`)
}

function failureIn(bytes: Buffer): BackupFailure | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    const { at, source, message } = asMembers(value)
    const { type, name } = asMembers(source)
    if (typeof at !== 'string' || typeof message !== 'string' || typeof name !== 'string') return undefined
    if (type !== 'platform' && type !== 'virtualCluster' && type !== 'cluster') return undefined
    return { at, source: { type, name }, message }
  } catch {
    return undefined
  }
}

function timeOf(backup: ListedBackup): string {
  switch (backup.state) {
    case 'complete':
      return backup.header.createdAt
    case 'failed':
      return backup.failure.at
    default:
      return ''
  }
}

export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

function without(name: string, ending: string): string {
  return name.slice(0, -ending.length)
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
