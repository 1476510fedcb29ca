import type { Container } from '../../types/core-v1.ts'

/** An init container that keeps running beside the others. */
export function isSidecar(container: Container | undefined): boolean {
  return container?.restartPolicy === 'Always'
}
