import type { Examination } from './examination.ts'

/** The place that was searched before the host of the kubeconfig. */
export function notRunHere({ name, namespace }: Pick<Examination, 'name' | 'namespace'>): string {
  return `no tenant up of this machine runs a virtual cluster ${name} in namespace ${namespace}`
}
