import type { EffectiveConfig } from '../../api/tenant-config/types.ts'

/** Whether a configuration needs the right to read nodes of the host: if Pods are not synced, none are used. */
export function showsNodes({ sync: { toHost, fromHost } }: EffectiveConfig): boolean {
  const { mode } = fromHost.nodes
  return mode === 'selected' || (mode === 'used' && toHost.pods.enabled)
}
