import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { loadImage, whyNoNode } from '../support/real-node.ts'
import { askForShared } from '../support/shared/ask-for-shared.ts'
import { type Reader, welcomeReader } from '../walkthrough/support/reader.ts'
import { runGuide } from '../walkthrough/support/run-guide.ts'

const missing = whyNoNode()
const guide = 'docs/guides/real-cluster.md'

describe.skipIf(missing !== undefined)(`a guide on a node${missing === undefined ? '' : ` (${missing})`}`, () => {
  let reader: Reader
  let replacements: Readonly<Record<string, string>>

  beforeAll(async () => {
    const [node, image] = await Promise.all([askForShared('node'), askForShared('image')])
    await loadImage(image.archive)
    reader = welcomeReader()
    useCluster(reader, node.kubeconfig)
    replacements = {
      '192.0.2.10': node.address,
      '8443': String(await freePort()),
      'localhost/tenant-platform:0.1.0': image.name,
    }
  })
  afterAll(() => reader?.leave())

  it(guide, () => runGuide(guide, reader.shell, replacements), 300_000)
})

/** Readers have their own cluster in the usual place, as the context `real`. */
function useCluster({ home }: Reader, kubeconfig: string): void {
  mkdirSync(join(home, '.kube'), { recursive: true })
  const text = readFileSync(kubeconfig, 'utf8').replace('contexts: [{name: host,', 'contexts: [{name: real,')
  writeFileSync(join(home, '.kube/config'), text.replace('current-context: host', 'current-context: real'), {
    mode: 0o600,
  })
}
