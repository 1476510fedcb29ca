import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNode } from '../clusters/real-node.ts'
import { kubectlOn } from '../programs/kubectl.ts'
import { volumeObjects } from './volumes.ts'

export async function startSharedNode() {
  const { remove, root, ...part } = await startNode()
  const folder = mkdtempSync(join(tmpdir(), 'tenant-volumes-'))
  const stop = async () => {
    await remove()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await kubectlOn(part.kubectl, part.kubeconfig)('create -f -', volumeObjects(folder))
  } catch (error) {
    await stop()
    throw error
  }
  return { part, folder: root, stop }
}
