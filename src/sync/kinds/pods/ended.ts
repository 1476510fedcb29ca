import type { Pod } from '../../../api/types/core-v1.ts'

const ended: ReadonlySet<string | undefined> = new Set(['Succeeded', 'Failed'])

/** Whether a Pod has ended and never starts again. */
export function isEndedPod({ status }: Partial<Pick<Pod, 'status'>>): boolean {
  return ended.has(status?.phase)
}
