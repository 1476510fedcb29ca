import { writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KubeObject } from '../../api/object.ts'
import { projectOfNamespace } from '../../auth/scope/request.ts'
import { isJsonObject } from '../../base/json/member.ts'

/** A virtual cluster that this process runs. */
export interface LocalInstance {
  readonly project: string
  /** On the platform. */
  readonly name: string
  /** On the host. */
  readonly tenant: string
  readonly namespace: string
  /** tenant.yaml. */
  readonly config: string
}

/** Remembered with its data, so that it can be taken away when the platform no longer knows it. */
export interface LocalRecord extends LocalInstance {
  readonly madeNamespace: boolean
  /** The access key that was made for it. */
  readonly key?: string
}

export function describeInstance({ metadata, spec }: KubeObject): LocalInstance {
  const { name = '', namespace: place = '' } = metadata
  const { config, clusterRef } = isJsonObject(spec) ? spec : {}
  const { namespace, virtualCluster } = isJsonObject(clusterRef) ? clusterRef : {}
  return {
    project: projectOfNamespace(place) ?? place,
    name,
    tenant: text(virtualCluster) ?? name,
    namespace: text(namespace) ?? `tenant-${name}`,
    config: text(config) ?? '',
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function keepRecord(folder: string, record: LocalRecord): void {
  writeFileSync(recordFile(folder), `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 })
}

/** Undefined where it never got so far. */
export async function readRecord(folder: string): Promise<LocalRecord | undefined> {
  try {
    const record: LocalRecord = JSON.parse(await readFile(recordFile(folder), 'utf8'))
    return record
  } catch {
    return undefined
  }
}

function recordFile(folder: string): string {
  return join(folder, 'instance.json')
}
