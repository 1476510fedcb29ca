import { writeFileSync } from 'node:fs'

/** Where Kubernetes reads the termination message of a container. */
const kubernetesFile = '/dev/termination-log'
/** Kubernetes reads no more. */
const longest = 4096

/**
 * Writes the message if this is the main process of a container: `kubectl describe` and `tenant create` then show why
 * it has ended.
 */
export function writeTerminationMessage(
  text: string,
  { pid }: Pick<NodeJS.Process, 'pid'> = process,
  file = kubernetesFile,
): void {
  if (pid !== 1) return
  try {
    const bytes = new Uint8Array(longest)
    const { written } = new TextEncoder().encodeInto(text, bytes)
    writeFileSync(file, bytes.subarray(0, written), { flag: 'r+' })
  } catch {
    // The file is missing: another runtime than Kubernetes has started the container.
  }
}
