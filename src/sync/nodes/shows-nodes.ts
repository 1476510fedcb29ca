import type { EffectiveConfig } from '../../api/tenant-config/types.ts'

/** Whether a configuration takes the right to read nodes of the host: where Pods are not synced, they use none. */
export function showsNodes({ sync: { toHost, fromHost } }: EffectiveConfig): boolean {
  const { mode } = fromHost.nodes
  return mode === 'selected' || (mode === 'used' && toHost.pods.enabled)
}
