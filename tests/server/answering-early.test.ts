import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { effectiveConfig } from '../../src/api/tenant-config/defaults.ts'
import { silentLog } from '../../src/base/log.ts'
import type { AnsweringServer } from '../../src/cluster/start-server.ts'
import { limitOfMachine } from '../../src/cluster/virtual-cluster/content-limit.ts'
import { startControlPlane } from '../../src/cluster/virtual-cluster/control-plane.ts'

const capacity = { objects: 1_000, bytes: 10_000_000 }

it('a virtual cluster answers before it has started completely, except at its first start', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'tenant-answering-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  expect(await startedOnce(directory)).toEqual(['started'])
  expect(await startedOnce(directory)).toEqual(['answers: true, false', 'started'])
})

async function startedOnce(directory: string): Promise<readonly string[]> {
  const told: string[] = []
  const onAnswering = ({ hasClusterRoleBinding: isBound }: AnsweringServer) => {
    told.push(`answers: ${isBound('cluster-admin')}, ${isBound('unknown')}`)
  }
  const controlPlane = await startControlPlane({
    identity: { tenant: 'demo', hostNamespace: 'demo' },
    directory,
    host: '127.0.0.1',
    port: 0,
    contentLimit: limitOfMachine(capacity),
    config: () => effectiveConfig({}),
    clusterDomain: 'cluster.local',
    server: {},
    onAnswering,
    log: silentLog,
  })
  told.push('started')
  await controlPlane.stop()
  return told
}
