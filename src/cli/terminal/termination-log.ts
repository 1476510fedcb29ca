import { writeFileSync } from 'node:fs'

/** Where Kubernetes looks for the last words of a container. */
const kubernetesFile = '/dev/termination-log'
/** It takes no more. */
const longest = 4096

/** Leaves them there, if this is the process that a container is: `kubectl describe` and `tenant create` then show why it has ended. */
export function leaveLastWords(
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
    // There is none: another runtime than Kubernetes has started the container.
  }
}
