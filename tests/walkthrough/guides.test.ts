import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Etcd, missingEtcd, startEtcd } from '../support/etcd.ts'
import { freePort } from '../support/free-port.ts'
import { findKubernetes } from '../support/kubernetes-programs.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import { type Reader, welcomeReader } from './support/reader.ts'
import { runGuide } from './support/run-guide.ts'

/** In the order in which they go on from each other. */
const guides = [
  'README.md',
  'docs/guides/shared-key.md',
  'docs/guides/rotation.md',
  'docs/guides/revocation.md',
  'docs/guides/dedicated-key.md',
  'docs/guides/endpoints-patch.md',
]
const search = findKubernetes()
if (search.outcome === 'missing' && process.env.CI === 'true') throw new Error(search.reason)
const timeoutMs = 300_000

describe('everything that the documentation says works as it says', () => {
  let reader: Reader
  let ports: Readonly<Record<string, string>>
  let etcd: Etcd | undefined

  beforeAll(async () => {
    const free = async (name: string) => [name, String(await freePort())] as const
    ports = Object.fromEntries([await free('8443'), await free('9443'), await free('9444')])
    reader = welcomeReader()
  })
  afterAll(async () => {
    await reader.leave()
    await etcd?.remove()
  })

  it.each(guides)('%s', (guide) => runGuide(guide, reader.shell, ports), timeoutMs)

  it.skipIf(search.outcome === 'missing')(
    'docs/guides/real-cluster.md',
    async () => {
      if (search.outcome === 'missing') return
      const { kubeconfig } = await askForShared('kubernetes')
      useCluster(reader, kubeconfig)
      await runGuide('docs/guides/real-cluster.md', reader.shell, ports)
    },
    timeoutMs,
  )

  it.skipIf(missingEtcd() !== undefined)(
    'docs/guides/etcd.md',
    async () => {
      etcd = await startEtcd()
      await runGuide('docs/guides/etcd.md', reader.shell, { ...ports, 'http://127.0.0.1:2379': etcd.endpoint })
    },
    timeoutMs,
  )
})

/** Readers have their own cluster in the usual place, as the context `real`. */
function useCluster({ home }: Reader, kubeconfig: string): void {
  mkdirSync(join(home, '.kube'), { recursive: true })
  const text = readFileSync(kubeconfig, 'utf8').replaceAll('"kubernetes"', '"real"')
  writeFileSync(join(home, '.kube/config'), text, { mode: 0o600 })
}
