import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorText } from '../../../base/error-text.ts'
import { isMissingFile } from '../../../base/files/missing-file.ts'
import { writeWhole } from '../../../base/files/write-whole.ts'
import { isJsonObject } from '../../../base/json/member.ts'
import type { LocalInstance } from './local-instance.ts'

/** Stored with its data, so that it can be removed when the platform no longer knows it. */
export interface LocalRecord extends Omit<LocalInstance, 'uid'> {
  /** Absent: an earlier version wrote the record. */
  readonly uid?: string
  readonly madeNamespace: boolean
  /** The access key that was created for it. */
  readonly key?: string
}

export function keepRecord(folder: string, record: LocalRecord): void {
  writeWhole(recordFile(folder), `${JSON.stringify(record, null, 2)}\n`)
}

/** Undefined if it was never prepared. An unclear record is an error: much depends on it. */
export async function readLocalRecord(folder: string): Promise<LocalRecord | undefined> {
  const file = recordFile(folder)
  try {
    return recordIn(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (isMissingFile(error)) return undefined
    throw new Error(damaged(file, error))
  }
}

function recordFile(folder: string): string {
  return join(folder, 'instance.json')
}

function damaged(file: string, error: unknown): string {
  return `${file} records the objects of the virtual cluster, and cannot be read: ${errorText(error)}. Repair it, or remove it and delete the objects of the virtual cluster on the host and its access key yourself`
}

function recordIn(value: unknown): LocalRecord {
  if (!isJsonObject(value)) throw new Error('it is not an object')
  const { madeNamespace, key, uid } = value
  if (typeof madeNamespace !== 'boolean') throw new Error('madeNamespace is missing')
  return {
    project: textIn(value, 'project'),
    name: textIn(value, 'name'),
    tenant: textIn(value, 'tenant'),
    namespace: textIn(value, 'namespace'),
    config: textIn(value, 'config'),
    madeNamespace,
    ...(uid !== undefined && { uid: textIn(value, 'uid') }),
    ...(key !== undefined && { key: textIn(value, 'key') }),
  }
}

function textIn(record: Readonly<Record<string, unknown>>, member: string): string {
  const value = record[member]
  if (typeof value === 'string') return value
  throw new Error(`${member} is missing`)
}
