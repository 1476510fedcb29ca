import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startEtcd } from '../../support/stores/etcd.ts'

/** Each one is deleted after its test. */
export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'tenant-backup-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

export async function newEmbedded(): Promise<string> {
  return `file:${join(await newDirectory(), 'store')}`
}

export async function newEtcd(): Promise<string> {
  const etcd = await startEtcd()
  onTestFinished(() => etcd.remove())
  return `etcd:${etcd.endpoint}`
}
