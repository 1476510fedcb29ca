import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeConstantly } from '../chaos/node/writer.ts'
import { loadImage, nameImage, whyNoNode } from '../support/clusters/real-node.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/network/free-port.ts'
import { askForShared, releaseShared } from '../support/shared/ask-for-shared.ts'
import { type Reader, welcomeReader } from '../walkthrough/support/reader.ts'
import { runGuide } from '../walkthrough/support/run-guide.ts'
import { balanceLoad, type LoadBalancer } from './support/load-balancer.ts'

const missing = whyNoNode()
const [realCluster, production] = ['docs/guides/real-cluster.md', 'docs/guides/production.md']
const platformAddress = '192.0.2.20'
const timeoutMs = 900_000

/** The output with the administrator's key is also kept in a file, as readers keep it until they have pasted it. */
const tenant = `set -o pipefail
(umask 077 && touch install.key)
tenant() {
  if [ "$1 $2" = "platform install" ]; then node "$PWD/dist/cli/main.js" "$@" | tee install.key; else node "$PWD/dist/cli/main.js" "$@"; fi
}`

describe.skipIf(missing !== undefined)(`guides on a node${missing === undefined ? '' : ` (${missing})`}`, () => {
  let reader: Reader
  let image: string
  let address: string
  let loadBalancer: LoadBalancer

  beforeAll(async () => {
    const [node, built] = await Promise.all([askForShared('node'), askForShared('image')])
    await loadImage(built.archive)
    image = built.name
    address = node.address
    reader = welcomeReader()
    useCluster(reader, node.kubeconfig)
    loadBalancer = balanceLoad(node, 'tenant-platform', 'tenant-platform', platformAddress)
  })
  afterAll(async () => {
    await loadBalancer?.end()
    await reader?.leave()
    await releaseShared('node')
  })

  it(
    realCluster,
    async () => {
      const port = String(await freePort())
      const replacements = { '192.0.2.10': address, '8443': port, 'localhost/tenant-platform:0.1.0': image }
      await runGuide(realCluster, reader.shell, replacements)
    },
    timeoutMs,
  )

  it(
    `${production}, and what the README says of a cluster`,
    async () => {
      const next = `${image}-next`
      await nameImage(image, next)
      expect(await reader.shell.run(`unalias tenant\n${tenant}`)).toMatchObject({ exitCode: 0, failed: [] })
      const replacements = {
        'platform.example.com': platformAddress,
        'registry.example.com/tenant-platform:0.1.0': image,
        'registry.example.com/tenant-platform:0.2.0': next,
      }
      await runGuide(production, reader.shell, replacements)
      await runGuide('README.md', reader.shell, replacements, 'on a node')
      // After the new installation everything continues: the same keys, the same virtual clusters.
      expect((await reader.shell.run('tenant list')).output).toContain('my-cluster')
    },
    timeoutMs,
  )

  it(
    'no acknowledged write is lost during upgrades of platform and virtual cluster, and both accept writes again',
    async () => {
      const [token = '', authority = ''] = ['admin.key', 'platform-ca.crt'].map((file) =>
        readFileSync(join(reader.home, 'tenant-platform', file), 'utf8').trim(),
      )
      const writer = writeConstantly({ url: `https://${platformAddress}`, token, authority }, 'my-cluster')
      const writesOn = async () => {
        const before = writer.acknowledged.size
        await eventually(() => expect(writer.acknowledged.size).toBeGreaterThan(before + 5), timeoutMs)
      }
      try {
        await writesOn()
        for (const command of [
          `create --upgrade my-cluster --image ${image}`,
          `platform upgrade --image ${image}-next`,
        ]) {
          expect(await reader.shell.run(`tenant ${command}`)).toMatchObject({ exitCode: 0, failed: [] })
          await writesOn()
        }
        const acknowledged = [...writer.acknowledged]
        const found = await writer.found()
        expect(acknowledged.filter((name) => !found.has(name))).toEqual([])
      } finally {
        await writer.end()
      }
    },
    timeoutMs,
  )
})

/** Readers have their own cluster in the usual place, as the context `real`. */
function useCluster({ home }: Reader, kubeconfig: string): void {
  mkdirSync(join(home, '.kube'), { recursive: true })
  const text = readFileSync(kubeconfig, 'utf8').replace('contexts: [{name: host,', 'contexts: [{name: real,')
  writeFileSync(join(home, '.kube/config'), text.replace('current-context: host', 'current-context: real'), {
    mode: 0o600,
  })
}
